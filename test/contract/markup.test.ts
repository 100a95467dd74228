import { relative } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { root } from './source-files.ts';

// TSX accepts any string between tags. Text must be escaped (`escapeHtml`) or be in an element with
// the attribute `safe`, and markup must not be escaped twice. `Html` tells one from the other.

const config = ts.getParsedCommandLineOfConfigFile(
  `${root}/tsconfig.json`,
  { noEmit: true },
  { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => expect.fail('tsconfig.json is broken') },
);

const isMarkup = (type: ts.Type): boolean =>
  type.getProperties().some(({ escapedName }) => String(escapedName).startsWith('__@markup'));

/** Returns the types that a value or a member of a list can have. */
function possibleTypes(type: ts.Type, checker: ts.TypeChecker, seen = new Set<ts.Type>()) {
  if (seen.has(type)) return seen;
  seen.add(type);
  const isList = checker.isArrayType(type) || checker.isTupleType(type);
  const parts = isList ? checker.getTypeArguments(type as ts.TypeReference) : [];
  for (const each of type.isUnion() ? type.types : parts) possibleTypes(each, checker, seen);
  return seen;
}

const isText = (type: ts.Type): boolean =>
  (type.flags & (ts.TypeFlags.String | ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0 ||
  (type.isStringLiteral() && /[&<>]/.test(type.value));

const isSafeElement = (node: ts.Node): boolean =>
  ts.isJsxElement(node) &&
  node.openingElement.attributes.properties.some(({ name }) => name?.getText() === 'safe');

/** Whether an attribute is that of an element, not a property of a component. */
const isElement = ({ parent }: ts.JsxAttribute): boolean =>
  /^[a-z]/.test(parent.parent.tagName.getText());

/** Returns the mistake of a value between tags or of an attribute. */
function mistakeOf(child: ts.JsxExpression, checker: ts.TypeChecker): string | undefined {
  if (child.expression === undefined) return undefined;
  const types = [...possibleTypes(checker.getTypeAtLocation(child.expression), checker)];
  if (ts.isJsxAttribute(child.parent))
    return isElement(child.parent) && types.some(isMarkup) ? 'escapes markup' : undefined;
  if (isSafeElement(child.parent)) return types.some(isMarkup) ? 'escapes markup' : undefined;
  return types.some(isText) ? 'does not escape text' : undefined;
}

function mistakesIn(file: ts.SourceFile, checker: ts.TypeChecker): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const mistake = ts.isJsxExpression(node) ? mistakeOf(node, checker) : undefined;
    if (mistake !== undefined) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${relative(root, file.fileName)}:${line + 1} ${mistake}: ${node.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

it('text is escaped once in all markup', () => {
  const { fileNames, options } = config ?? expect.fail('tsconfig.json is missing');
  const pages = fileNames.filter((name) => name.endsWith('.tsx'));
  const program = ts.createProgram(pages, options);
  const files = program.getSourceFiles().filter(({ fileName }) => pages.includes(fileName));
  expect(files.length).toBeGreaterThan(80);
  expect(files.flatMap((file) => mistakesIn(file, program.getTypeChecker()))).toEqual([]);
}, 60_000);
