import { beforeAll, expect } from 'vitest';
import { sharedApp } from '../support/shared-app.ts';
import { it } from '../support/test.ts';
import { z } from 'zod';
import { singleParameters } from '../../src/platform/validation/parameters.ts';
import { asAdmin, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});

it('every route refuses a single-valued query parameter that is given twice', async () => {
  const refused: string[] = [];
  for (const { method, url, schema, config } of app.http.registeredRoutes) {
    const declared = schema?.querystring;
    if (!(declared instanceof z.core.$ZodType) || [method].flat().includes('HEAD')) continue;
    const path = url.replace(/:\w+/g, '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04');
    for (const name of singleParameters(declared)) {
      for (const each of [method]
        .flat()
        .filter((verb) => ['GET', 'POST', 'DELETE'].includes(verb))) {
        const verb = each === 'POST' ? 'POST' : each === 'DELETE' ? 'DELETE' : 'GET';
        const address = `${path}?${name}=1&${name}=2`;
        const headers = { ...asAdmin, accept: 'application/json' };
        const { statusCode, body } = await app.http.inject({ method: verb, url: address, headers });
        // Pages for people refuse API keys and redirect to the sign-in.
        if ([303, 401, 403].includes(statusCode)) continue;
        // A disabled development route looks like a path that does not exist.
        if (statusCode === 404 && address.includes('/dev/')) continue;
        const hasMessage =
          body.includes('may be given only once') || /^<!doctype html>/i.test(body);
        const expected = config?.invalidStatus ?? 422;
        expect([verb, address, statusCode, hasMessage]).toEqual([verb, address, expected, true]);
        refused.push(address);
      }
    }
  }
  expect(refused.length).toBeGreaterThan(40);
});

it.each([
  ['GET', '/analytics/dashboard?site_id=a&colour=red', ['query', 'colour']],
  ['GET', '/analytics/goals?site_id=a&colour=red', ['query', 'colour']],
  ['GET', '/analytics/retention?site_id=a&colour=red', ['query', 'colour']],
  [
    'GET',
    '/analytics/funnels/01985f6e-3a10-7c41-9d52-5b8e2f7a1c04?colour=red',
    ['query', 'colour'],
  ],
  ['POST', '/analytics/export/events', ['body', 'colour']],
] as const)('%s %s refuses an unknown parameter', async (method, url, loc) => {
  const { statusCode, body } = await app.http.inject({
    method,
    url,
    headers: asAdmin,
    ...(method === 'POST' ? { payload: { colour: 'red' } } : {}),
  });
  expect([statusCode, JSON.parse(body)]).toEqual([
    422,
    {
      detail: [
        { type: 'extra_forbidden', loc, msg: 'Extra inputs are not permitted', input: 'red' },
      ],
    },
  ]);
});

it('every list that takes a cursor refuses unknown filters', async () => {
  const lists = app.http.registeredRoutes.filter(({ method, schema, url }) => {
    const declared = schema?.querystring;
    const isList = declared instanceof z.ZodObject && 'cursor' in declared.shape;
    return isList && [method].flat().includes('GET') && !url.startsWith('/api/svc/');
  });
  expect(lists.length).toBeGreaterThan(12);
  for (const { url } of lists) {
    const path = url.replace(/:\w+/g, '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04');
    const { statusCode, body } = await app.http.inject({
      url: `${path}?colour=red`,
      headers: asAdmin,
    });
    expect([url, statusCode, JSON.parse(body)]).toEqual([
      url,
      422,
      {
        detail: [
          {
            type: 'extra_forbidden',
            loc: ['query', 'colour'],
            msg: 'Extra inputs are not permitted',
            input: 'red',
          },
        ],
      },
    ]);
  }
});
