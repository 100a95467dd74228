import { systemActor } from '../../src/platform/http/requests/request-actor.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { OutboxMessage } from '../../src/areas/comms/outbox.ts';
import { adminKey, freshApp, type FreshApp } from '../support/app.ts';
import { follow, type Step } from './reader.ts';
import { requireCurl } from './shell.ts';

const subscriber = 'ana@example.com';
let app: FreshApp;
let folder = '';

beforeAll(async () => {
  await requireCurl();
  folder = await mkdtemp(join(tmpdir(), 'guide-'));
  // With a frozen clock, components exist for no time and have no uptime.
  const now = Date.UTC(2030, 10, 2, 9);
  app = await freshApp({ clock: { now: () => now } });
  await app.services.queues.start();
  await app.http.listen({ host: '127.0.0.1', port: 0 });
}, 60_000);
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const tokenIn = (text: string, path: string) =>
  new RegExp(`/status/${path}\\?token=(\\S+)`).exec(text)?.[1] ?? '(missing)';

async function mailOf(subject: string): Promise<OutboxMessage> {
  const find = () =>
    app.services.outbox.list(subscriber).find((mail) => mail.subject?.includes(subject) === true);
  await vi.waitFor(() => expect(find()).toBeDefined(), { timeout: 10_000 });
  const mail = find();
  if (mail === undefined) throw new Error('no message');
  return mail;
}

/** Creates an incident and sets the token from the mail to the subscriber, as the guide assumes. */
async function setTokenFromUpdate(variables: Record<string, string>): Promise<void> {
  const { incidents } = app.services.status;
  const { id } = await incidents.create(
    { name: 'Something new', status: 'investigating', body: 'x', components: [] },
    systemActor,
  );
  variables.TOKEN = tokenIn((await mailOf('Something new')).text, 'unsubscribe');
  await incidents.delete(id, systemActor);
}

it('status-page.md works as written', async () => {
  const origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  const steps: Step[] = [
    {
      before: /status\/confirm/,
      act: async (known) => {
        known.TOKEN = tokenIn((await mailOf('confirm')).text, 'confirm');
      },
    },
    { before: /status\/unsubscribe/, act: setTokenFromUpdate },
  ];
  const runTypeScript = () =>
    Promise.reject(
      new Error('there was no TypeScript in this guide: say here what has to come of it'),
    );
  expect(
    await follow('status-page.md', {
      origin,
      variables: { ADMIN_API_KEY: adminKey },
      steps,
      runTypeScript,
      folder,
    }),
  ).toEqual({ ran: 13, compared: 13, notRun: [] });
  expect(await app.stores.db.selectFrom('status_subscribers').selectAll().execute()).toEqual([]);
  expect(
    app.services.status
      .state()
      .history.map(({ status }) => status)
      .sort(),
  ).toEqual(['completed', 'postmortem']);
});

it('status-page.md names addresses that exist', async () => {
  for (const path of [
    '/status',
    '/status/history',
    '/status/feed.atom',
    '/status/feed.rss',
    '/status/feed.json',
    '/status/badge/overall.svg?metric=uptime&days=7',
    '/status/badge/database.json',
    '/api/status',
    '/status/summary.json',
  ]) {
    expect(
      (await app.http.inject({ url: path, headers: { accept: '*/*' } })).statusCode,
      path,
    ).toBe(200);
  }
});
