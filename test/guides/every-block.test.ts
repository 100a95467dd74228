import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { differences } from './answers.ts';
import { type Block, blocksOf } from './markdown.ts';

const root = join(import.meta.dirname, '../..');
const guides = readdirSync(join(root, 'docs/guides')).filter((file) => file.endsWith('.md'));
const textOf = (guide: string) => readFileSync(join(root, 'docs/guides', guide), 'utf8');
const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.test.ts'),
);
const sources = tests.map((file) => readFileSync(join(root, 'test', file), 'utf8'));

/** Blocks that show output, which the reader compares with the answer. */
const shown = new Set(['json', 'text']);
const isRun = ({ language, notRun }: Block) => !shown.has(language) && notRun === undefined;

/** Blocks that this reader does not run, and why. A new one must be added here deliberately. */
const notRun: Record<string, string[]> = {
  'getting-started.md': ['it starts the service that everything below is sent to'],
  'mcp.md': ['the settings of another program'],
  'realtime.md': ['a browser runs it, test/web/global-message-handler.slow.test.ts'],
  'site-data.md': ['it downloads a program; test/contract/client-types.slow.test.ts runs it'],
  'waitlist.md': ['a browser runs it, test/areas/waitlist/browser.slow.test.ts'],
  'second-factor.md': ['a browser runs it, test/surfaces/pages/passkeys.slow.test.ts'],
};

describe.each(guides)('%s', (guide) => {
  it('has only code blocks that the reader of guides finds', () => {
    const tokens = new MarkdownIt({ html: true }).parse(textOf(guide), {});
    expect(
      tokens.filter(({ type }) => type === 'code_block').map(({ content }) => content),
    ).toEqual([]);
    const fences = tokens
      .filter(({ type }) => type === 'fence')
      .map(({ info, content }) => [info.trim(), content.trim()]);
    expect(blocksOf(textOf(guide)).map(({ language, text }) => [language, text.trim()])).toEqual(
      fences,
    );
  });

  it('has blocks that a test runs, except those that say why not', () => {
    const blocks = blocksOf(textOf(guide));
    expect(blocks.some(isRun)).toBe(true);
    expect(
      sources.some((source) => source.includes(`follow('${guide}'`)),
      'no test follows it',
    ).toBe(true);
    expect(blocks.flatMap(({ notRun: reason }) => reason ?? [])).toEqual(notRun[guide] ?? []);
  });

  it('has an address in every request', () => {
    const requests = blocksOf(textOf(guide))
      .filter(({ language, notRun: reason }) => language === 'sh' && reason === undefined)
      .filter(({ text }) => /\bcurl\b/.test(text));
    expect(
      requests
        .filter(({ text }) => !text.includes('http://127.0.0.1:3000/'))
        .map(({ line }) => line),
    ).toEqual([]);
  });
});

it('a block that another test runs names an existing test', () => {
  const files = Object.values(notRun)
    .flat()
    .flatMap((reason) => [...reason.matchAll(/test\/(\S+\.test\.ts)/g)].map(([, file]) => file));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => file === undefined || !tests.includes(file))).toEqual([]);
});

it('a shown answer may omit members only where it has an ellipsis', () => {
  expect(differences({ a: 1, '…': '…' }, { a: 1, b: 2 })).toEqual([]);
  expect(differences({ a: { b: 1, '…': '…' } }, { a: { b: 2, c: 1 }, d: 1 })).toHaveLength(2);
  expect(differences({ a: 1, '…': '…' }, { b: 2 })).toEqual([
    'answer.a is shown, but not answered',
  ]);
});
