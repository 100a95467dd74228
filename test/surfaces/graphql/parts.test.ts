import { expect, test, vi } from 'vitest';
import type { GraphqlServices } from '../../../src/surfaces/graphql/context.ts';
import { toCamelCase, toSnakeCase } from '../../../src/lib/text/case.ts';
import { createLoaders } from '../../../src/surfaces/graphql/schema/loaders.ts';
import { negotiate, prefersPage } from '../../../src/surfaces/graphql/http/negotiation.ts';
import { readNodeId, toNodeId } from '../../../src/surfaces/graphql/schema/node-ids.ts';
import { createSharedTimeout } from '../../../src/surfaces/graphql/execution/shared-timeout.ts';
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

test('a loader loads each key once, and rejects when loading fails', async () => {
  const get = vi.fn(async (id: string) => {
    if (id === 'gone') throw new AppError(404, 'api_keys.not_found', 'x');
    if (id === 'broken') throw new Error('away');
    return key(id);
  });
  const { apiKey } = createLoaders({
    apiKeys: { get } as unknown as GraphqlServices['apiKeys'],
    devices: { management: { listByUser: async () => [] } as never },
  });
  const load = (id: string) => apiKey.load(id);
  expect(await Promise.all(['a', 'b', 'a', 'gone', 'b'].map(load))).toMatchObject([
    { id: 'a' },
    { id: 'b' },
    { id: 'a' },
    undefined,
    { id: 'b' },
  ]);
  expect(await load('a')).toMatchObject({ id: 'a' });
  expect(get.mock.calls.map(([id]) => id)).toEqual(['a', 'b', 'gone']);
  await expect(load('broken')).rejects.toThrow('away');
});

test('a shared timeout rejects only promises that take too long', async () => {
  const withTimeout = createSharedTimeout(40, () => new Error('too long'));
  const [quick, failing, endless] = [
    withTimeout(Promise.resolve(1)),
    withTimeout(Promise.reject(new Error('own'))),
    withTimeout(new Promise(() => undefined)),
  ];
  expect(await quick).toBe(1);
  await expect(failing).rejects.toThrow('own');
  await expect(endless).rejects.toThrow('too long');
});

test.each([
  ['Incident', 'x'],
  ['Site', 'a:b é'],
  ['Session', '0'],
] as const)('the global id of %s decodes to it, and has one encoding', (kind, rawId) => {
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
});

test.each([
  ['created_at', 'createdAt'],
  ['incident_updates', 'incidentUpdates'],
  ['plain', 'plain'],
])('%s of the REST API converts to %s in GraphQL, and back', (rest, graphql) => {
  expect({ toCamelCase: toCamelCase(rest), toSnakeCase: toSnakeCase(graphql) }).toEqual({
    toCamelCase: graphql,
    toSnakeCase: rest,
  });
});

test('a browser gets a page, unless it prefers data', () => {
  const [chrome, data] = [
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
    'application/json, text/html;q=0.5',
  ];
  expect([chrome, data, '*/*', undefined, 'text/html;q=0'].map(prefersPage)).toEqual([
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
