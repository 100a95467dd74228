import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adminKey, buildTestApp, type TestApp } from '../support/app.ts';
import { signInByEmail } from '../support/sign-in.ts';
import { follow } from './reader.ts';
import { requireCurl } from './shell.ts';

let app: TestApp;
let origin = '';

beforeAll(async () => {
  await requireCurl();
  app = await buildTestApp({ env: { BASE_URL: 'http://127.0.0.1:3000' } });
  await app.services.queues.start();
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
}, 60_000);
afterAll(() => app.close());

it('scim.md works as written', async () => {
  const variables: Record<string, string> = { ADMIN_API_KEY: adminKey };
  const provesTheAddress = {
    before: /^SCIM_ID/,
    act: async () => {
      await signInByEmail(app, 'ana@example.com');
    },
  };
  const reading = follow('scim.md', {
    origin,
    variables,
    steps: [provesTheAddress],
    runTypeScript: () => Promise.reject(new Error('this guide has no TypeScript')),
  });
  expect(await reading).toEqual({ ran: 5, compared: 5, notRun: [] });
});
