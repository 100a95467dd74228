import { describe, expect, it } from 'vitest';
import { definePaymentRetention } from '../../../src/areas/payments/jobs.ts';
import { createPaymentStore } from '../../../src/areas/payments/store.ts';
import { createUserStore } from '../../../src/areas/identity/users/store.ts';
import { dayMs as day } from '../../../src/lib/durations.ts';
import { uuidv7 } from '../../../src/lib/ids.ts';
import { mainEngine, useDatabase } from '../../platform/database/engines.ts';
import { openQueues } from '../../support/queues.ts';

const now = Date.UTC(2026, 2, 4);

describe('the retention of payment events', () => {
  const database = useDatabase(mainEngine);

  it('deletes events received more than 400 days ago, in any status, but no plan', async () => {
    const store = createPaymentStore(database.db);
    const event = {
      type: 'customer.subscription.updated',
      created: new Date(now),
      payload: '{}',
      error_code: null,
      processed_at: null,
    };
    const enter = (id: string, receivedAt: number, status: 'done' | 'failed' | 'pending') =>
      store.enter({ ...event, id, received_at: new Date(receivedAt), status });
    const userId = uuidv7(now);
    await createUserStore(database.db).insert({
      id: userId,
      identityId: uuidv7(now),
      name: null,
      picture: null,
      identity: { kind: 'email', key: 'payer@example.com', value: 'payer@example.com' },
      at: new Date(now),
    });
    for (let at = 0; at < 7; at += 1)
      await enter(`evt_old${at}`, now - (400 + at) * day - 1, at % 2 === 0 ? 'done' : 'failed');
    await enter('evt_kept', now - 400 * day, 'done');
    await enter('evt_new', now, 'pending');
    await enter('evt_plan', now - 401 * day, 'pending');
    const plan = {
      plan: 'pro',
      status: 'active',
      currentPeriodEnd: null,
      customerId: 'cus_1',
      subscriptionId: 'sub_1',
      eventCreated: new Date(now - 401 * day),
    };
    expect(
      await store.apply({ id: 'evt_plan', userId, merge: () => plan, now: new Date(now) }),
    ).toBe(true);

    const clock = { now: () => now };
    const queues = await openQueues(clock);
    definePaymentRetention({ queues, store, clock }, 3);
    await queues.start();
    const rows = async () =>
      (await database.db.selectFrom('payment_events').select('id').orderBy('id').execute()).map(
        ({ id }) => id,
      );
    await expect.poll(rows).toEqual(['evt_kept', 'evt_new']);
    expect(await store.plan(userId)).toEqual(plan);
  });
});
