import { beforeAll, expect } from 'vitest';
import { listen } from '../support/sockets.ts';
import { sharedApp } from '../support/shared-app.ts';
import { it } from '../support/test.ts';
import { adminKey, type TestApp } from '../support/app.ts';
import { signInByEmail } from '../support/sign-in.ts';
import { follow } from './reader.ts';
import { requireCurl } from './shell.ts';

let app: TestApp;
let origin = '';

beforeAll(async () => {
  await requireCurl();
  app = await sharedApp();
  origin = `http://127.0.0.1:${await listen(app)}`;
}, 60_000);

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
