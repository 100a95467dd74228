import { relative } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type JsxAttribute, type JsxExpression, type Node } from 'typescript-native/unstable/ast';
import {
  isJsxAttribute,
  isJsxElement,
  isJsxExpression,
  isJsxOpeningElement,
  isJsxSelfClosingElement,
} from 'typescript-native/unstable/ast/is';
import {
  API,
  type Checker,
  type Project,
  type Type,
  TypeFlags,
} from 'typescript-native/unstable/sync';
import { root } from './source-files.ts';

// TSX accepts any string between tags. Text must be escaped (`escapeHtml`) or be in an element with
// the attribute `safe`, and markup must not be escaped twice. `Html` tells one from the other.

const api = new API({ cwd: root });
afterAll(() => api.close());

/** Returns the types that a value or a member of a list can have. */
function possibleTypes(type: Type, checker: Checker, seen = new Map<number, Type>()) {
  if (seen.has(type.id)) return seen;
  seen.set(type.id, type);
  const isList = type.isTypeReference() && (checker.isArrayType(type) || checker.isTupleType(type));
  const parts = isList ? checker.getTypeArguments(type) : [];
  for (const each of type.isUnionType() ? type.getTypes() : parts)
    possibleTypes(each, checker, seen);
  return seen;
}

const isText = (type: Type): boolean =>
  (type.flags & (TypeFlags.String | TypeFlags.Any | TypeFlags.Unknown)) !== 0 ||
  (type.isStringLiteralType() && /[&<>]/.test(type.value));

const isSafeElement = (node: Node): boolean =>
  isJsxElement(node) &&
  node.openingElement.attributes.properties.some(
    (attribute) => isJsxAttribute(attribute) && attribute.name.getText() === 'safe',
  );

/** Whether an attribute is that of an element, not a property of a component. */
const isOfElement = ({ parent: { parent } }: JsxAttribute): boolean =>
  (isJsxOpeningElement(parent) || isJsxSelfClosingElement(parent)) &&
  /^[a-z]/.test(parent.tagName.getText());

/** Creates a function that returns the mistake of a value between tags or of an attribute. */
function createMistakes(checker: Checker) {
  const known = new Map<number, boolean>();
  function isMarkup(type: Type): boolean {
    const is =
      known.get(type.id) ??
      checker.getPropertiesOfType(type).some(({ name }) => name.startsWith('__@markup'));
    known.set(type.id, is);
    return is;
  }
  return ({ parent }: JsxExpression, type: Type): string | undefined => {
    const types = [...possibleTypes(type, checker).values()];
    if (isJsxAttribute(parent))
      return isOfElement(parent) && types.some(isMarkup) ? 'escapes markup' : undefined;
    if (isSafeElement(parent)) return types.some(isMarkup) ? 'escapes markup' : undefined;
    return types.some(isText) ? 'does not escape text' : undefined;
  };
}

/** Returns the values between tags and in attributes. */
function valuesIn(file: Node): { node: JsxExpression; value: Node }[] {
  const found: { node: JsxExpression; value: Node }[] = [];
  const visit = (node: Node): void => {
    if (isJsxExpression(node) && node.expression !== undefined)
      found.push({ node, value: node.expression });
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

function mistakesIn(
  path: string,
  { program, checker }: Project,
  mistakeOf: ReturnType<typeof createMistakes>,
): string[] {
  const file = program.getSourceFile(path) ?? expect.fail(`${path} is missing`);
  const values = valuesIn(file);
  const types = checker.getTypeAtLocation(values.map(({ value }) => value));
  return values.flatMap(({ node }, at) => {
    const mistake = mistakeOf(node, types[at] ?? checker.getUnknownType());
    if (mistake === undefined) return [];
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    return [`${relative(root, path)}:${line + 1} ${mistake}: ${node.getText()}`];
  });
}

it('text is escaped once in all markup', () => {
  const config = `${root}/tsconfig.json`;
  const snapshot = api.updateSnapshot({ openProjects: [config] });
  const project = snapshot.getProject(config) ?? expect.fail('tsconfig.json is broken');
  const pages = project.rootFiles.filter((path) => path.endsWith('.tsx'));
  expect(pages.length).toBeGreaterThan(80);
  const mistakeOf = createMistakes(project.checker);
  expect(pages.flatMap((path) => mistakesIn(path, project, mistakeOf))).toEqual([]);
}, 60_000);
