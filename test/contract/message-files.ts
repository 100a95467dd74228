import { posix } from 'node:path';
import ts from 'typescript';
import { type SourceFile } from './source-files.ts';

/** A message, or a group of messages. */
export interface Message {
  /** `areas/status/texts/en.ts: page.title`. */
  name: string;
  /** Empty for a message. */
  parts: Map<string, Message>;
  isRead: boolean;
}

const isMessageFile = (path: string): boolean => /(^|\/)texts\//.test(path);

/**
 * What a name in a file can stand for: messages that the file declares or imports. Functions can
 * use one name for several.
 */
type Names = Map<string, Set<Message>>;

interface Parsed {
  path: string;
  root: ts.SourceFile;
  names: Names;
}

const parse = ({ path, text }: SourceFile): Parsed => ({
  path,
  root: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true),
  names: new Map(),
});

function withoutCast(node: ts.Expression): ts.Expression {
  const isCast =
    ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node);
  return isCast ? withoutCast(node.expression) : node;
}

function addName(names: Names, name: string, messages: readonly Message[]): void {
  const known = names.get(name) ?? new Set();
  for (const message of messages) known.add(message);
  names.set(name, known);
}

const partOf = (messages: readonly Message[], key: string): Message[] =>
  messages.flatMap(({ parts }) => parts.get(key) ?? []);

/** Returns the messages that an expression can name: `texts`, `texts.page`, `texts['page']`. */
function messagesOf(expression: ts.Expression, names: Names): Message[] {
  const node = withoutCast(expression);
  if (ts.isIdentifier(node)) return [...(names.get(node.text) ?? [])];
  if (ts.isPropertyAccessExpression(node))
    return partOf(messagesOf(node.expression, names), node.name.text);
  if (ts.isElementAccessExpression(node) && ts.isStringLiteral(node.argumentExpression))
    return partOf(messagesOf(node.expression, names), node.argumentExpression.text);
  return [];
}

/** Declares the messages of an object. Those of another file are shared, not copied. */
function declare(name: string, object: ts.ObjectLiteralExpression, names: Names): Message {
  const parts = new Map<string, Message>();
  const below = (key: string) => (name.endsWith(': ') ? name + key : `${name}.${key}`);
  for (const property of object.properties) {
    if (ts.isSpreadAssignment(property)) {
      for (const spread of messagesOf(property.expression, names))
        for (const [key, part] of spread.parts) parts.set(key, part);
    } else if (!ts.isComputedPropertyName(property.name)) {
      const key = property.name.text;
      const value = ts.isPropertyAssignment(property)
        ? withoutCast(property.initializer)
        : undefined;
      const [known] = ts.isShorthandPropertyAssignment(property)
        ? messagesOf(property.name, names)
        : value === undefined
          ? []
          : messagesOf(value, names);
      const own =
        value !== undefined && ts.isObjectLiteralExpression(value)
          ? declare(below(key), value, names)
          : { name: below(key), parts: new Map(), isRead: false };
      parts.set(key, known ?? own);
    }
  }
  return { name, parts, isRead: false };
}

const targetOf = (path: string, specifier: ts.Expression): string =>
  ts.isStringLiteral(specifier) ? posix.join(posix.dirname(path), specifier.text) : '';

/** Adds what a file imports from message files to its names. */
function readImports({ path, root, names }: Parsed, exported: ReadonlyMap<string, Names>): void {
  for (const statement of root.statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    const messages = exported.get(targetOf(path, statement.moduleSpecifier));
    const bindings = statement.importClause?.namedBindings;
    if (messages === undefined || bindings === undefined || ts.isNamespaceImport(bindings))
      continue;
    for (const { name, propertyName } of bindings.elements) {
      const imported = messages.get((propertyName ?? name).text);
      if (imported !== undefined) addName(names, name.text, [...imported]);
    }
  }
}

/** Declares the messages of a file, after those of the files that it imports. */
function declareFile(file: Parsed, exported: Map<string, Names>, all: readonly Parsed[]): void {
  if (exported.has(file.path)) return;
  exported.set(file.path, file.names);
  for (const statement of file.root.statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    const target = targetOf(file.path, statement.moduleSpecifier);
    const imported = all.find(({ path }) => path === target);
    if (imported !== undefined) declareFile(imported, exported, all);
  }
  readImports(file, exported);
  for (const statement of file.root.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      const value = initializer && withoutCast(initializer);
      if (value === undefined || !ts.isIdentifier(name)) continue;
      const prefix = name.text === 'texts' ? `${file.path}: ` : `${file.path}: ${name.text}`;
      if (ts.isObjectLiteralExpression(value))
        addName(file.names, name.text, [declare(prefix, value, file.names)]);
    }
  }
}

function markRead(message: Message): void {
  message.isRead = true;
  for (const part of message.parts.values()) markRead(part);
}

/** Whether there are groups among messages: the others are read when they get a name. */
const haveGroups = (messages: readonly Message[]): boolean =>
  messages.some(({ parts }) => parts.size > 0);

/** Reads `const { title, form: { hint } } = texts.page`. Groups get a name of their own. */
function bind(pattern: ts.ObjectBindingPattern, from: readonly Message[], names: Names): void {
  for (const { name, propertyName, dotDotDotToken: rest } of pattern.elements) {
    const key = propertyName ?? name;
    const found = ts.isIdentifier(key) || ts.isStringLiteral(key) ? partOf(from, key.text) : [];
    if (rest !== undefined || found.length === 0) from.forEach(markRead);
    else if (ts.isObjectBindingPattern(name)) bind(name, found, names);
    else if (ts.isIdentifier(name) && haveGroups(found)) addName(names, name.text, found);
    else found.forEach(markRead);
  }
}

const sizeOf = (names: Names): number =>
  [...names.values()].reduce((sum, { size }) => sum + size, 0);

/** Gives names to the groups of messages that variables hold. True when there are new ones. */
function nameGroups({ root, names }: Parsed): boolean {
  const before = sizeOf(names);
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined) {
      const messages = messagesOf(node.initializer, names);
      if (messages.length > 0 && ts.isObjectBindingPattern(node.name))
        bind(node.name, messages, names);
      else if (ts.isIdentifier(node.name) && haveGroups(messages))
        addName(names, node.name.text, messages);
    }
    ts.forEachChild(node, visit);
  };
  visit(root);
  return sizeOf(names) > before;
}

const isNameOfSomething = (node: ts.Identifier): boolean =>
  'name' in node.parent &&
  node.parent.name === node &&
  !ts.isShorthandPropertyAssignment(node.parent);

const isExported = (node: ts.VariableDeclaration): boolean =>
  ts.isVariableStatement(node.parent.parent) &&
  (node.parent.parent.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false);

/** Marks the messages that a file reads. A group that is passed on counts as read completely. */
function readMessages({ path, root, names }: Parsed): void {
  const isDeclaring = isMessageFile(path);
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    // An object of messages that is made of those of other files reads none of them.
    if (isDeclaring && ts.isShorthandPropertyAssignment(node)) return;
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined) {
      const isGroup = haveGroups(messagesOf(node.initializer, names));
      if (isGroup && (ts.isObjectBindingPattern(node.name) || !isExported(node))) return;
    }
    if (ts.isExpression(node) && !(ts.isIdentifier(node) && isNameOfSomething(node))) {
      const messages = messagesOf(node, names);
      if (messages.length > 0) {
        const isPart = isDeclaring && ts.isPropertyAssignment(node.parent);
        if (!isPart) messages.forEach(markRead);
        return;
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(root);
}

const unreadIn = ({ name, parts, isRead }: Message): string[] =>
  parts.size === 0 ? (isRead ? [] : [name]) : [...parts.values()].flatMap(unreadIn);

/** Returns the names of all messages, and of those that no file reads. */
export function findMessages(files: readonly SourceFile[]): { all: Message[]; unread: string[] } {
  const parsed = files.map(parse);
  const messageFiles = parsed.filter(({ path }) => isMessageFile(path));
  const exported = new Map<string, Names>();
  for (const file of messageFiles) declareFile(file, exported, messageFiles);
  const all = messageFiles.flatMap(({ names }) => [...names.values()].flatMap((each) => [...each]));
  for (const file of parsed) {
    if (!isMessageFile(file.path)) readImports(file, exported);
    while (file.names.size > 0 && nameGroups(file));
    if (file.names.size > 0) readMessages(file);
  }
  return { all, unread: [...new Set(all.flatMap(unreadIn))].sort() };
}
