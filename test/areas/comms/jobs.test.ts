import { describe, expect, it } from 'vitest';
import { createDeliveryStore } from '../../../src/areas/comms/store.ts';
import { defineDeliveryCleanup } from '../../../src/areas/comms/jobs.ts';
import { dayMs as day } from '../../../src/lib/durations.ts';
import { uuidv7 } from '../../../src/lib/ids.ts';
import { mainEngine, useDatabase } from '../../platform/database/engines.ts';
import { openQueues } from '../../support/queues.ts';

const now = Date.UTC(2026, 2, 4);

describe('the clean-up of deliveries', () => {
  const database = useDatabase(mainEngine);

  it('deletes those older than 30 days, and settles those that expired in the queue', async () => {
    const store = createDeliveryStore(database.db);
    const enter = (keyHash: string, createdAt: number, expiresAt: number) =>
      store.enter([
        {
          id: uuidv7(createdAt),
          keyHash,
          channel: 'sms',
          template: 'sign_in_code',
          toHash: 'x',
          provider: 'outbox',
          expiresAt: new Date(expiresAt),
          now: new Date(createdAt),
        },
      ]);
    await enter('old', now - 30 * day - 1, now);
    await enter('lost', now - day, now - 600_001);
    await enter('waiting', now - 1000, now + 1000);
    const [sent] = await enter('sent', now - 30 * day, now - 29 * day);
    await store.note({
      id: sent?.id ?? '',
      status: 'sent',
      attempts: 1,
      provider: 'outbox',
      reference: null,
      errorCode: null,
      now: new Date(now),
    });
    const clock = { now: () => now };
    const queues = await openQueues(clock);
    defineDeliveryCleanup({ queues, store, clock });
    await queues.start();
    const rows = () =>
      database.db
        .selectFrom('deliveries')
        .select(['key_hash', 'status'])
        .orderBy('key_hash')
        .execute();
    await expect.poll(rows).toEqual([
      { key_hash: 'lost', status: 'expired' },
      { key_hash: 'sent', status: 'sent' },
      { key_hash: 'waiting', status: 'queued' },
    ]);
  });
});
