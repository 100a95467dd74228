import { expect, test, vi } from 'vitest';
import { inCamelCase } from '../../../src/surfaces/graphql/schema/camel-case.ts';
import { createLoaders } from '../../../src/surfaces/graphql/schema/loaders.ts';
import { negotiate, wantsPage } from '../../../src/surfaces/graphql/http/negotiation.ts';
import { readNodeId, toNodeId } from '../../../src/surfaces/graphql/schema/node-ids.ts';
import { createPatience } from '../../../src/surfaces/graphql/execution/shared-timeout.ts';
import { AppError } from '../../../src/platform/errors/errors.ts';

const key = (id: string) => ({
  id,
  name: id,
  hint: '',
  scopes: [],
  created_at: '',
  last_used_at: null,
  expires_at: null,
  revoked_at: null,
});

test('a loader asks for each key once, whoever wants it; what is not there is undefined, and what fails fails', async () => {
  const findApiKey = vi.fn(async (id: string) => {
    if (id === 'gone') throw new AppError(404, 'api_keys.not_found', 'x');
    if (id === 'broken') throw new Error('away');
    return key(id);
  });
  const { apiKey } = createLoaders({ findApiKey, devicesOf: async () => [] });
  expect(await Promise.all(['a', 'b', 'a', 'gone', 'b'].map(apiKey))).toMatchObject([
    { id: 'a' },
    { id: 'b' },
    { id: 'a' },
    undefined,
    { id: 'b' },
  ]);
  expect(await apiKey('a')).toMatchObject({ id: 'a' });
  expect(findApiKey.mock.calls.map(([id]) => id)).toEqual(['a', 'b', 'gone']);
  await expect(apiKey('broken')).rejects.toThrow('away');
});

test('patience ends with work that takes too long, and with no other', async () => {
  const patience = createPatience(40, () => new Error('too long'));
  const [quick, failing, endless] = [
    patience.with(Promise.resolve(1)),
    patience.with(Promise.reject(new Error('own'))),
    patience.with(new Promise(() => undefined)),
  ];
  expect(await quick).toBe(1);
  await expect(failing).rejects.toThrow('own');
  await expect(endless).rejects.toThrow('too long');
});

test.each([
  ['Incident', 'x'],
  ['Site', 'a:b é'],
  ['Session', '0'],
] as const)('an id of %s leads back, and has one spelling', (kind, rawId) => {
  const id = toNodeId(kind, rawId);
  expect(readNodeId(id)).toEqual({ kind, rawId });
  for (const other of [
    `${id}=`,
    `${id} `,
    id.slice(0, -1),
    `${id}A`,
    '',
    'x'.repeat(5000),
    toNodeId(kind, ''),
  ])
    expect(readNodeId(other)).not.toEqual({ kind, rawId });
  expect(readNodeId(Buffer.from('Nothing:x').toString('base64url'))).toBeUndefined();
});

test("names become GraphQL's at every depth", () => {
  expect(
    inCamelCase({ created_at: 1, incident_updates: [{ display_at: null }], plain: 'a_b' }),
  ).toEqual({ createdAt: 1, incidentUpdates: [{ displayAt: null }], plain: 'a_b' });
});

test('a browser wants a page, unless it says that it wants data first', () => {
  const [chrome, data] = [
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
    'application/json, text/html;q=0.5',
  ];
  expect([chrome, data, '*/*', undefined, 'text/html;q=0'].map(wantsPage)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(
    [
      chrome,
      data,
      'text/html',
      ', ,;q=x',
      'application/graphql-response+json;q=abc, application/json',
    ].map(negotiate),
  ).toEqual(['application/json', 'application/json', undefined, undefined, 'application/json']);
});
