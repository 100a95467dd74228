import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { errorCatalogue } from '../../src/platform/errors/errors.ts';
import { codeOf, root, sourceFiles } from './source-files.ts';

const files = sourceFiles();
const code = files.map(({ path, text }) => ({ path, text: codeOf(text) }));

/** `path: line` of every line of code that matches. */
function linesWith(pattern: RegExp): string[] {
  return code.flatMap(({ path, text }) =>
    text
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
}

describe('every file of src', () => {
  it('has a kebab-case name that is not vague', () => {
    const named = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*\.tsx?$/;
    const vague = /^(utils?|helpers?|common|misc|shared|types?|index)\.tsx?$/;
    const name = (path: string) => path.split('/').at(-1) ?? '';
    // Types that several implementations share are in a `types.ts` beside them.
    const allowed = ['platform/queues/types.ts', 'platform/bus/types.ts'];
    expect(
      files
        .map(({ path }) => path)
        .filter(
          (path) => !allowed.includes(path) && (!named.test(name(path)) || vague.test(name(path))),
        ),
    ).toEqual([]);
  });

  it('does without `any`', () => {
    expect(linesWith(/(:|<|\bas|\||&|,)\s*any\b(?!\s*[:(])|\bany\[\]/)).toEqual([]);
  });

  it('does without the non-null `!`', () => {
    expect(linesWith(/[\w)\]]!(?=[\s.,;)\]}[(]|$)(?!=)/)).toEqual([]);
  });

  it('takes instants by one schema, which reads all of their forms', () => {
    expect(linesWith(/\.datetime\(\{\s*offset/)).toEqual([expect.stringContaining('retention')]);
    expect(linesWith(/\bz\.string\(\)\.datetime\(/)).toEqual([]);
  });

  it('parses URLs without `URL.canParse`, which refuses umlauts once it is hot (Node 20)', () => {
    expect(linesWith(/\bURL\.canParse\(/)).toEqual([]);
  });

  it('suppresses no type error', () => {
    const off = files.flatMap(({ path, text }) =>
      text
        .split('\n')
        .filter((line) => /@ts-(ignore|nocheck|expect-error)/.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
    expect(off).toEqual([]);
  });

  it('has named exports only', () => {
    expect(linesWith(/^export default\b/)).toEqual([]);
  });

  it('re-exports nothing: no barrels', () => {
    expect(linesWith(/^export\s+(\*|(type\s+)?\{[^}]*\}\s+from\b)/)).toEqual([]);
  });

  it('has no classes but errors and the call of an operation, no enums, no namespaces', () => {
    expect(linesWith(/\bclass\s+\w+/).filter((line) => !/ extends \w*Error\b/.test(line))).toEqual([
      'platform/operations/call.ts: class RequestCall implements HttpCall {',
    ]);
    expect(linesWith(/^\s*(export\s+)?(const\s+)?(enum|namespace)\s+\w/)).toEqual([]);
  });

  it('has no getters in object literals, which outlive their request by far', () => {
    // Those of zod's recursive schemas are read once; the other belongs to a process.
    const allowed =
      /^(web|surfaces\/developer\/reference|platform\/redis\/embedded|platform\/operations)\//;
    expect(linesWith(/^\s+get \w+\(\)/).filter((line) => !allowed.test(line))).toEqual([]);
  });

  it('does not write to the console', () => {
    expect(linesWith(/\bconsole\.\w+\(/)).toEqual([]);
  });

  it('has no mutable module state, so that two apps can run in one process', () => {
    // The tracker is exempt: a page has only one, and its size matters.
    expect(
      linesWith(/^(export )?(let|var)\s/).filter((line) => !line.startsWith('web/tracker/')),
    ).toEqual([]);
  });
});

describe('the platform', () => {
  // Settings are exempt: one schema has those of all areas.
  const platform = files.filter(({ path }) => /^platform\/(?!settings\/)/.test(path));
  // The tags and error codes of the folders of `identity`, which have other names.
  const identity = ['auth', 'blackops', 'idp', 'otp', 'second-factor', 'users'];
  const folders = [
    ...new Set([
      ...files.flatMap(({ path }) => /^(?:areas|surfaces)\/([^/]+)\//.exec(path)?.[1] ?? []),
      ...identity,
    ]),
  ];
  // Names of areas that are also ordinary words in the platform.
  const ordinary = new Set(
    (
      'account audit auth console contact developer health identity jobs otp pages payments ' +
      'settings status users ws'
    ).split(' '),
  );
  const linesOf = (pattern: RegExp) =>
    platform.flatMap(({ path, text }) =>
      text
        .split('\n')
        .filter((line) => !/^\s*(?:\*|\/[/*])/.test(line) && pattern.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );

  it('names no area and no surface', () => {
    const names = folders.filter((name) => !ordinary.has(name));
    expect(names.length).toBeGreaterThan(10);
    expect(linesOf(new RegExp(`\\b(?:${names.join('|')})\\b`, 'i'))).toEqual([]);
  });

  it('contains no error code of an area, and no path but reference and assets', () => {
    const codes = folders.map((name) => name.replaceAll('-', '_')).join('|');
    expect(linesOf(new RegExp(`(?<!operationId: )'(?:${codes})\\.(?!css'|js')[a-z_]+'`))).toEqual(
      [],
    );
    const path = /['"`](?!\/(?:api\/(?:openapi|docs)|assets)\b)\/[a-z][\w-]*(?:\/[\w-]*)*['"`]/;
    expect(linesOf(path)).toEqual([]);
  });
});

describe('errors', () => {
  it('have unique codes, all of them in the catalogue', async () => {
    const codes: string[] = [];
    for (const { text } of files) {
      for (const [, area = '', table = ''] of text.matchAll(
        /defineErrors\(\s*'([\w-]+)',\s*\{([\s\S]*?)\n?\}\)/g,
      )) {
        for (const [, name = ''] of table.matchAll(/(?:^|[\s,{])(\w+):\s*\[\s*\d{3}/g))
          codes.push(`${area}.${name}`);
      }
    }
    expect(codes.filter((each, index) => codes.indexOf(each) !== index)).toEqual([]);
    for (const { path } of files.filter(({ text }) => text.includes("= defineErrors('"))) {
      await import(/* @vite-ignore */ pathToFileURL(join(root, 'src', path)).href);
    }
    const catalogue = errorCatalogue().map((entry) => entry.code);
    expect([...catalogue].sort()).toEqual([...codes].sort());
  });

  it('have an error status and a public sentence', () => {
    for (const { code: name, status, detail } of errorCatalogue()) {
      expect(name).toMatch(/^[a-z_-]+\.[a-z_0-9]+$/);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(600);
      expect(detail.length).toBeGreaterThan(5);
    }
  });
});
