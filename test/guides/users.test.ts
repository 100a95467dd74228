import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adminKey, buildTestApp, type TestApp } from '../support/app.ts';
import { follow } from './reader.ts';
import { requireCurl } from './shell.ts';

let app: TestApp;
let origin = '';

beforeAll(async () => {
  await requireCurl();
  app = await buildTestApp();
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
}, 60_000);
afterAll(() => app.close());

it('users.md works as written', async () => {
  const reading = follow('users.md', {
    origin,
    variables: { ADMIN_API_KEY: adminKey },
    steps: [],
    runTypeScript: () => Promise.reject(new Error('this guide has no TypeScript')),
  });
  expect(await reading).toEqual({ ran: 4, compared: 4, notRun: [] });
});
