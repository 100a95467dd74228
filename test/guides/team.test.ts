import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adminKey, buildTestApp, type TestApp } from '../support/app.ts';
import { follow } from './reader.ts';
import { requireCurl } from './shell.ts';

let app: TestApp;
let folder = '';
let origin = '';
beforeAll(async () => {
  await requireCurl();
  folder = await mkdtemp(join(tmpdir(), 'guide-'));
  app = await buildTestApp();
  await app.services.queues.start();
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
}, 60_000);
afterAll(async () => {
  await app.close();
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
