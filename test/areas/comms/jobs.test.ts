import { describe, expect, it } from 'vitest';
import { createDeliveryStore } from '../../../src/areas/comms/store.ts';
import { defineDeliveryCleanup } from '../../../src/areas/comms/jobs.ts';
import { createLogger } from '../../../src/platform/process/logger.ts';
import { createQueues } from '../../../src/platform/queues/queues.ts';
import { uuidv7 } from '../../../src/lib/ids.ts';
import { availableEngines, useDatabase } from '../../platform/database/engines.ts';
import { testRedisUrl } from '../../support/redis.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 2, 4);

describe.each(availableEngines)('the clean-up of deliveries on $name', (engine) => {
  const database = useDatabase(engine);

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
    const queues = createQueues({
      connection: { url: await testRedisUrl() },
      prefix: 'jobs',
      logger: createLogger({ level: 'silent' }),
      clock,
    });
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
    await queues.close();
  });
});
