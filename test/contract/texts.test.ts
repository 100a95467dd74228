import { posix } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { findMessages } from './message-files.ts';
import { type SourceFile, sourceFiles } from './source-files.ts';

/** Folders whose texts are not in message files yet. Remove a folder when it has none left. */
const unconverted: readonly string[] = [];

/** The page that shows every component, with made-up data. */
const samples = 'surfaces/gallery';

const files = sourceFiles();

const shownAttributes = new Set(['aria-label', 'title', 'alt', 'placeholder', 'label']);
const shownProperties = new Set([
  ...['title', 'label', 'hint', 'caption', 'heading', 'text', 'button'],
  ...shownAttributes,
]);
/** Elements with code, which is the same in every language. */
const codeElements = new Set(['code', 'kbd', 'pre', 'samp', 'script', 'style']);

/** Neither entities nor paths such as `/account` are words. */
const hasLetter = (text: string): boolean =>
  /\p{L}/u.test(text.replaceAll(/&\w+;|^\s*\/\S*\s*$/g, ''));

/** Names of formats, which are the same in every language. */
const names = /^(?:Atom|RSS|JSON Feed)$/;

/** Returns the texts that an expression can be: through conditions, but not those of calls. */
function textsOf(node: ts.Node | undefined): ts.Node[] {
  if (node === undefined) return [];
  if (ts.isStringLiteralLike(node)) return hasLetter(node.text) ? [node] : [];
  if (ts.isTemplateExpression(node)) {
    const literals = [node.head, ...node.templateSpans.map(({ literal }) => literal)];
    return literals.some(({ text }) => hasLetter(text)) ? [node] : [];
  }
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(textsOf);
  if (ts.isBinaryExpression(node)) {
    const isCondition = node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
    return (isCondition ? [node.right] : [node.left, node.right]).flatMap(textsOf);
  }
  if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node))
    return textsOf(node.expression);
  return [];
}

const isCode = (node: ts.Node): boolean =>
  ts.isJsxElement(node) && codeElements.has(node.openingElement.tagName.getText());

/** Returns what a part of a component shows to people without a message. */
function shownBy(node: ts.Node): ts.Node[] {
  if (ts.isJsxText(node))
    return hasLetter(node.text) && !names.test(node.text.trim()) ? [node] : [];
  if (ts.isJsxExpression(node)) return ts.isJsxAttribute(node.parent) ? [] : textsOf(node);
  if (ts.isJsxAttribute(node))
    return shownAttributes.has(node.name.getText()) ? textsOf(node.initializer) : [];
  if (ts.isPropertyAssignment(node))
    return shownProperties.has(node.name.getText().replaceAll("'", ''))
      ? textsOf(node.initializer)
      : [];
  if (ts.isCallExpression(node) && node.expression.getText() === 'escapeHtml')
    return textsOf(node.arguments[0]);
  return [];
}

const isSentence = (node: ts.Node): boolean =>
  /^['"`]?\p{Lu}[\p{L}’-]* \S|\p{L} \p{L}.*[.!?…]['"`]?$/u.test(node.getText());

const shownMembers = /\.(?:textContent|innerText|title|placeholder|aria(?:Label|Description))$/;

/** Returns what a part of a browser script shows to people without a message. */
function shownByScript(node: ts.Node): ts.Node[] {
  const shown = shownBy(node);
  if (shown.length > 0) return shown;
  if (ts.isCallExpression(node) && node.expression.getText() === 'element')
    return node.arguments.slice(2).flatMap(textsOf);
  if (ts.isBinaryExpression(node) && shownMembers.test(node.left.getText()))
    return textsOf(node.right);
  const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
  return isText ? textsOf(node).filter(isSentence) : [];
}

/** Returns the texts of a file that are in no message file: `path:line text`. */
function writtenTexts({ path, text }: SourceFile, shownByNode = shownBy): string[] {
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const root = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isCode(node)) return;
    for (const shown of shownByNode(node)) {
      const { line } = root.getLineAndCharacterOfPosition(shown.getStart());
      found.push(`${path}:${line + 1} ${shown.getText().trim().replaceAll(/\s+/g, ' ')}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

describe('the texts of components', () => {
  const components = files.filter(
    ({ path }) =>
      path.endsWith('.tsx') && !path.startsWith('web/') && posix.dirname(path) !== samples,
  );
  const written = components.map((file) => ({
    folder: posix.dirname(file.path),
    texts: writtenTexts(file),
  }));

  it('are in message files', () => {
    expect(components.length).toBeGreaterThan(80);
    expect(
      written.flatMap(({ folder, texts }) => (unconverted.includes(folder) ? [] : texts)),
    ).toEqual([]);
  });

  it('are elsewhere only in the folders that are listed for it', () => {
    const folders = written.flatMap(({ folder, texts }) => (texts.length > 0 ? [folder] : []));
    expect(unconverted.filter((folder) => !folders.includes(folder))).toEqual([]);
  });

  it('are found in elements, attributes and properties', () => {
    const text = `
      const page = { title: cond ? 'One' : \`Two \${count}\`, href: '/three' };
      const part = (
        <p title="Four" class="five" aria-label={label ?? 'Six'}>
          Seven <code>eight</code> {texts.nine} {isTen && 'Ten'} {escapeHtml('Eleven')} 12
        </p>
      );`;
    const found = writtenTexts({ path: 'a.tsx', text }).map((line) => line.replace(/^\S+ /, ''));
    expect(found).toEqual([
      "'One'",
      '`Two ${count}`',
      '"Four"',
      "'Six'",
      'Seven',
      "'Ten'",
      "'Eleven'",
    ]);
  });
});

describe('the texts of browser scripts', () => {
  /** Their texts are code: the first query of GraphiQL. */
  const withCode = 'web/graphql/';

  it('are in message files', () => {
    const scripts = files.filter(
      ({ path }) =>
        path.startsWith('web/') && !path.includes('/texts/') && !path.startsWith(withCode),
    );
    expect(scripts.length).toBeGreaterThan(40);
    expect(scripts.flatMap((file) => writtenTexts(file, shownByScript))).toEqual([]);
  });

  it('are found in elements, members and sentences', () => {
    const text = `
      element('li', { class: 'new', 'aria-label': 'One' }, 'two', time, isOld ? 'three' : '');
      state.textContent = count === 1 ? \`four \${count}\` : texts.five;
      button.ariaLabel = 'Six';
      button.className = 'seven';
      throw new Refusal('Eight is not nine');
      say(\`\${name}: no answer.\`);
      find('main .error, main p');`;
    const found = writtenTexts({ path: 'web/a.ts', text }, shownByScript);
    expect(found.map((line) => line.replace(/^\S+ /, ''))).toEqual([
      "'two'",
      "'three'",
      "'One'",
      '`four ${count}`',
      "'Six'",
      "'Eight is not nine'",
      '`${name}: no answer.`',
    ]);
  });
});

describe('messages', () => {
  it('are all read', () => {
    const { all, unread } = findMessages(files);
    expect(all.length).toBeGreaterThan(10);
    expect(unread).toEqual([]);
  });

  it('are read by name, by destructuring, or as a group', () => {
    const { unread } = findMessages([
      {
        path: 'a/texts/en.ts',
        text: `
          import { more } from './en/more.ts';
          export const texts = {
            named: 'a', unnamed: 'b', bound: { c: 'c', d: 'd' }, group: { e: 'e' },
            byKey: { f: 'f' }, more, alias: { deep: { g: 'g', h: 'h' } },
            one: { m: 'm' }, two: { n: 'n', o: 'o' },
          };`,
      },
      { path: 'a/texts/en/more.ts', text: `export const more = { i: 'i', 'j-k': 'j', l: 'l' };` },
      {
        path: 'a/page.tsx',
        text: `
          import { texts } from './texts/en.ts';
          const { c } = texts.bound;
          const later = () => deep.g;
          const { deep } = texts.alias;
          const first = () => { const text = texts.one; return text.m; };
          const second = () => { const text = texts.two; return text.n; };
          const page = (unnamed: string) => list(texts.named, texts.group, texts.byKey[key]);
          const part = <p title={texts.more.i}>{texts.more['j-k']}</p>;`,
      },
    ]);
    expect(unread).toEqual([
      'a/texts/en.ts: alias.deep.h',
      'a/texts/en.ts: bound.d',
      'a/texts/en.ts: two.o',
      'a/texts/en.ts: unnamed',
      'a/texts/en/more.ts: more.l',
    ]);
  });
});
