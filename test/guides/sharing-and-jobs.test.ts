import { expect, it, vi } from 'vitest';
import { SealedMessages } from '../../src/areas/comms/schemas.ts';
import { createQueues } from '../../src/platform/queues/queues.ts';
import { silent } from '../platform/database/engines.ts';
import { TestClient } from '../support/client.ts';
import { useGuideService } from './guide-service.ts';
import type { Step } from './reader.ts';

const reader = 'ana@example.com';
const service = await useGuideService({ own: {} });

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
        const { text } = await new TestClient(service.app).mailTo(reader);
        known.TOKEN = /unsubscribe\?token=(\S+)/.exec(text)?.[1] ?? '(missing)';
      },
    },
  ];
  expect(await service.follow('sharing-and-reports.md', { steps })).toEqual({
    ran: 8,
    compared: 7,
    notRun: [],
  });
  const [report] = await service.app.stores.db
    .selectFrom('analytics_reports')
    .select(['email', 'unsubscribed_at'])
    .execute();
  expect(report).toEqual({ email: reader, unsubscribed_at: expect.any(Date) as Date });
});

it('jobs.md works as written', async () => {
  const { app } = service;
  const { queues } = app.services;
  const failed = async () =>
    (await queues.list({ name: 'comms-delivery', state: 'failed', limit: 10 })).jobs;
  const untilFailed = () =>
    vi.waitFor(async () => expect(await failed()).toHaveLength(1), { timeout: 10_000 });
  const untilReportsRan = () =>
    vi.waitFor(
      async () => {
        const kinds = await queues.kinds();
        expect(kinds.find(({ name }) => name === 'analytics-reports')).toMatchObject({
          waiting: 0,
          active: 0,
          delayed: 1,
          last_success_at: expect.any(String) as string,
        });
      },
      { timeout: 10_000 },
    );
  const steps: Step[] = [
    { before: /jobs\/queues/, act: untilReportsRan },
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
        await untilFailed();
        known.JOB = (await failed())[0]?.id ?? '(missing)';
      },
    },
    { before: /jobs\/cancel/, act: untilFailed },
  ];
  expect(await service.follow('jobs.md', { steps })).toEqual({
    ran: 4,
    compared: 4,
    notRun: [],
  });
  expect(await failed()).toEqual([]);
});
