import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { listen } from '../support/sockets.ts';
import { SealedMessages } from '../../src/areas/comms/schemas.ts';
import { createQueues } from '../../src/platform/queues/queues.ts';
import { silent } from '../platform/database/engines.ts';
import { adminKey, type FreshApp, freshApp } from '../support/app.ts';
import { follow, type Step } from './reader.ts';
import { requireCurl } from './shell.ts';

let app: FreshApp;
let folder = '';
let origin = '';
const reader = 'ana@example.com';

beforeAll(async () => {
  await requireCurl();
  folder = await mkdtemp(join(tmpdir(), 'guide-'));
  app = await freshApp();
  await app.services.queues.start();
  origin = `http://127.0.0.1:${await listen(app)}`;
}, 60_000);
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const runTypeScript = () =>
  Promise.reject(
    new Error('there was no TypeScript in this guide: say here what has to come of it'),
  );
const asReader = { variables: { ADMIN_API_KEY: adminKey }, runTypeScript };

it('sharing-and-reports.md works as written', async () => {
  const steps: Step[] = [
    {
      before: /form\.html/,
      act: async (known) => {
        known.SLUG = known.URL?.split('/').at(-1) ?? '(missing)';
      },
    },
    {
      before: /One-Click/,
      async act(known) {
        const mails = () => app.services.outbox.list(reader);
        await vi.waitFor(() => expect(mails()).toHaveLength(1), { timeout: 10_000 });
        known.TOKEN = /unsubscribe\?token=(\S+)/.exec(mails()[0]?.text ?? '')?.[1] ?? '(missing)';
      },
    },
  ];
  expect(await follow('sharing-and-reports.md', { ...asReader, origin, steps, folder })).toEqual({
    ran: 8,
    compared: 7,
    notRun: [],
  });
  const [report] = await app.stores.db
    .selectFrom('analytics_reports')
    .select(['email', 'unsubscribed_at'])
    .execute();
  expect({ email: report?.email, unsubscribed_at: report?.unsubscribed_at }).toEqual({
    email: reader,
    unsubscribed_at: expect.any(Date) as string,
  });
});

it('jobs.md works as written', async () => {
  const { queues } = app.services;
  const failed = async () =>
    (await queues.list({ name: 'comms-delivery', state: 'failed', limit: 10 })).jobs;
  const steps: Step[] = [
    {
      before: /jobs\/queues/,
      act: () =>
        vi.waitFor(
          async () => {
            expect(
              (await queues.kinds()).find(({ name }) => name === 'analytics-reports'),
            ).toMatchObject({
              waiting: 0,
              active: 0,
              delayed: 1,
              last_success_at: expect.any(String) as string,
            });
          },
          { timeout: 10_000 },
        ),
    },
    {
      // A message that was sealed with another key.
      before: /state=failed/,
      async act(known) {
        const otherQueues = createQueues({
          connection: app.stores.redisAddress,
          prefix: 'jobs',
          logger: silent,
          clock: { now: () => Date.now() },
        });
        await otherQueues
          .defineJob({
            name: 'comms-delivery',
            schema: SealedMessages,
            options: { attempts: 4 },
            process: async () => undefined,
          })
          .add({ sealed: 'v1.x' });
        await otherQueues.close(0);
        await vi.waitFor(async () => expect(await failed()).toHaveLength(1), { timeout: 10_000 });
        known.JOB = (await failed())[0]?.id ?? '(missing)';
      },
    },
    {
      before: /jobs\/cancel/,
      act: () =>
        vi.waitFor(
          async () => {
            expect(await failed()).toHaveLength(1);
          },
          { timeout: 10_000 },
        ),
    },
  ];
  expect(await follow('jobs.md', { ...asReader, origin, steps, folder })).toEqual({
    ran: 4,
    compared: 4,
    notRun: [],
  });
  expect(await failed()).toEqual([]);
});
