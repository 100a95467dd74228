import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { listen } from '../support/sockets.ts';
import { sharedApp } from '../support/shared-app.ts';
import { it } from '../support/test.ts';
import { adminKey, type TestApp } from '../support/app.ts';
import { follow } from './reader.ts';
import { requireCurl } from './shell.ts';

let app: TestApp;
let folder = '';
let origin = '';
beforeAll(async () => {
  await requireCurl();
  folder = await mkdtemp(join(tmpdir(), 'guide-'));
  app = await sharedApp();
  origin = `http://127.0.0.1:${await listen(app)}`;
}, 60_000);
afterAll(async () => {
  await rm(folder, { recursive: true });
});

it('team.md works as written', async () => {
  const runTypeScript = () => Promise.reject(new Error('there was no TypeScript in this guide'));
  const variables: Record<string, string> = { ADMIN_API_KEY: adminKey };
  expect(await follow('team.md', { variables, runTypeScript, origin, steps: [], folder })).toEqual({
    ran: 4,
    compared: 4,
    notRun: [],
  });
  const { data } = await app.services.invitations.list({ limit: 10 });
  expect(data.map(({ email, status }) => [email, status])).toEqual([
    ['grace@example.com', 'revoked'],
  ]);
});
