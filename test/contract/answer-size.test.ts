import { beforeAll, expect } from 'vitest';
import { sharedApp } from '../support/shared-app.ts';
import { it } from '../support/test.ts';
import type { TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});

/** The longest refusal, however long the refused request is. */
const maxCharacters = 24_000;
const long = 'A'.repeat(30_000);
const names = Object.fromEntries(
  Array.from({ length: 400 }, (_, at) => [`${'n'.repeat(120)}${at}`, at]),
);

const many = (text: (at: number) => string, between: string): string =>
  Array.from({ length: 9 }, (_, at) => text(at)).join(between);

const hostile: [name: string, body: unknown][] = [
  ['many unknown members', names],
  ['a member with a long name', { [long]: long }],
  ['a long list', Array.from({ length: 8000 }, () => 1)],
  [
    'long texts where something else belongs',
    Object.fromEntries(
      ['email', 'phone', 'identifier', 'code', 'token', 'events', 'query', 'url', 'site_id'].map(
        (name) => [name, [long.slice(0, 6000)]],
      ),
    ),
  ],
  [
    'a document that names what is not there',
    { query: `{ ${Array.from({ length: 20 }, (_, at) => `${'f'.repeat(700)}${at}`).join(' ')} }` },
  ],
  [
    'variables of the wrong type',
    {
      query: 'query ($f: [String!]) { dashboard(siteId: "x", filters: $f) { siteId } }',
      variables: { f: [[long, long]] },
    },
  ],
  [
    'many wrong variables',
    {
      query: 'query ($f: [String!]) { dashboard(siteId: "x", filters: $f) { siteId } }',
      variables: { f: Array.from({ length: 900 }, () => [long.slice(0, 50)]) },
    },
  ],
  [
    'wrong variables of fields that everybody may have',
    {
      query:
        `query (${many((at) => `$v${at}: Int`, ', ')}) { ` +
        `${many((at) => `q${at}: incidents(first: $v${at}) { nodes { id } }`, ' ')} }`,
      variables: Object.fromEntries(
        Array.from({ length: 9 }, (_, at) => [`v${at}`, long.slice(0, 5000)]),
      ),
    },
  ],
  [
    'a document with long aliases',
    {
      query: `{ ${many((at) => `${'a'.repeat(700)}${at}: node(id: "x") { id }`, ' ')} }`,
    },
  ],
];

async function postUrls(): Promise<string[]> {
  const { paths } = (await app.http.inject('/api/openapi.json')).json<{
    paths: Record<string, object>;
  }>();
  return Object.entries(paths)
    .filter(([, operations]) => 'post' in operations)
    .map(([path]) => path.replaceAll(/\{[^}]+\}/g, 'x'));
}

it('no hostile anonymous POST is answered with more than 24,000 characters', async () => {
  const tooLong: string[] = [];
  let requests = 0;
  for (const url of await postUrls()) {
    for (const [name, body] of hostile) {
      const { statusCode, payload } = await app.http.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify(body),
      });
      requests += 1;
      if (payload.length > maxCharacters)
        tooLong.push(`${url}, ${name}: ${statusCode}, ${payload.length} characters`);
    }
  }
  expect(requests).toBeGreaterThan(300);
  expect(tooLong).toEqual([]);
}, 120_000);
