import { beforeAll, expect } from 'vitest';
import { listen } from '../support/sockets.ts';
import { sharedApp } from '../support/shared-app.ts';
import { it } from '../support/test.ts';
import { adminKey, type TestApp } from '../support/app.ts';
import { follow } from './reader.ts';
import { requireCurl } from './shell.ts';

let app: TestApp;
let origin = '';

beforeAll(async () => {
  await requireCurl();
  app = await sharedApp();
  origin = `http://127.0.0.1:${await listen(app)}`;
}, 60_000);

it('users.md works as written', async () => {
  const reading = follow('users.md', {
    origin,
    variables: { ADMIN_API_KEY: adminKey },
    steps: [],
    runTypeScript: () => Promise.reject(new Error('this guide has no TypeScript')),
  });
  expect(await reading).toEqual({ ran: 4, compared: 4, notRun: [] });
});
