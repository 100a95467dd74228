import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { uuidv7 } from '../../../src/lib/ids.ts';
import { startTestRedis, type TestRedis } from '../../support/redis-server.ts';
import {
  addUser,
  eventBody,
  type EventFields,
  handlings,
  sendAndSettle,
  openProvider,
  type Provider,
  findEvent,
  sendSigned,
  waitForStatus,
  start,
  subscription,
} from './provider.ts';

let provider: Provider;
let people = 0;
let userId: string;
let email: string;
beforeAll(async () => {
  provider = await openProvider({}, { isEmbedded: true });
  await provider.app.services.queues.start();
}, 120_000);
afterAll(() => provider.app.close());
beforeEach(async () => {
  email = `person${(people += 1)}@example.com`;
  userId = await addUser(provider.app, email);
});

const at = (seconds: number) => start / 1000 + seconds;
const own = (name: string) => `${name}_${people}`;
const plan = (id = userId) => provider.app.services.payments.planOf(id);
const planRow = () =>
  provider.app.stores.db
    .selectFrom('plans')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst();
const ownSubscription = (fields: Record<string, unknown> = {}) =>
  subscription({ id: own('sub'), customer: own('cus'), metadata: { user_id: userId }, ...fields });
const sendOwnEvent = (fields: EventFields, status = 'done') =>
  sendAndSettle(provider, { ...fields, id: own(fields.id) }, status);
const unknownSubscription = (fields: Record<string, unknown>) =>
  ownSubscription({ metadata: {}, ...fields });
const checkout = (fields: Record<string, unknown> = {}) => ({
  id: 'cs_1',
  object: 'checkout.session',
  mode: 'subscription',
  payment_status: 'paid',
  customer: own('cus'),
  subscription: own('sub'),
  ...fields,
});

describe('a subscription', () => {
  it("becomes the user's plan, changes and ends", async () => {
    expect(await plan()).toBeUndefined();
    await sendOwnEvent({ id: 'evt_created', object: ownSubscription({ status: 'trialing' }) });
    expect(await plan()).toEqual({
      plan: 'pro_monthly',
      status: 'trialing',
      currentPeriodEnd: new Date(start + 2_592_000_000),
    });
    await sendOwnEvent({
      id: 'evt_updated',
      type: 'customer.subscription.updated',
      created: at(10),
      object: ownSubscription({ items: { data: [{ price: { lookup_key: 'team' } }] } }),
    });
    expect(await plan()).toMatchObject({ plan: 'team', status: 'active' });
    await sendOwnEvent({
      id: 'evt_deleted',
      type: 'customer.subscription.deleted',
      created: at(20),
      object: ownSubscription({ status: 'canceled' }),
    });
    expect(await plan()).toMatchObject({ plan: 'pro_monthly', status: 'canceled' });
    expect(await planRow()).toMatchObject({
      customer_id: own('cus'),
      subscription_id: own('sub'),
      event_created: new Date(start + 20_000),
      updated_at: new Date(provider.now()),
    });
  });

  it.each<[Record<string, unknown>, string | null]>([
    [{ lookup_key: 'key', id: 'price_9', nickname: 'Nick' }, 'key'],
    [{ lookup_key: null, id: 'price_9', nickname: 'Nick' }, 'price_9'],
    [{ nickname: 'Nick' }, 'Nick'],
    [{}, null],
  ])('with the price %j has the plan %s', async (price, expected) => {
    await sendOwnEvent({
      id: 'evt_price',
      object: ownSubscription({ items: { data: [{ price }] } }),
    });
    expect((await plan())?.plan).toBe(expected);
  });

  it('of an older API version has its period on itself', async () => {
    await sendOwnEvent({
      id: 'evt_old',
      object: ownSubscription({
        current_period_end: at(5),
        items: { data: [{ price: { id: 'p' } }] },
      }),
    });
    expect((await plan())?.currentPeriodEnd).toEqual(new Date(start + 5000));
  });

  it('of the wrong shape fails and is stored', async () => {
    await sendOwnEvent({ id: 'evt_broken', object: ownSubscription({ status: 7 }) }, 'failed');
    expect(await findEvent(provider.app, own('evt_broken'))).toMatchObject({
      error_code: 'object_invalid',
      attempts: 1,
    });
    expect(await plan()).toBeUndefined();
  });

  it('with a failed payment is past due, and keeps its plan', async () => {
    await sendOwnEvent({ id: 'evt_s', object: ownSubscription() });
    await sendOwnEvent({
      id: 'evt_f',
      type: 'invoice.payment_failed',
      created: at(9),
      object: {
        id: 'in_1',
        customer: own('cus'),
        parent: { subscription_details: { subscription: own('sub') } },
      },
    });
    expect(await plan()).toEqual({
      plan: 'pro_monthly',
      status: 'past_due',
      currentPeriodEnd: new Date(start + 2_592_000_000),
    });
    await sendOwnEvent({
      id: 'evt_r',
      type: 'customer.subscription.updated',
      created: at(10),
      object: ownSubscription(),
    });
    await sendOwnEvent({
      id: 'evt_f2',
      type: 'invoice.payment_failed',
      created: at(11),
      object: { customer: own('cus'), subscription: own('sub') },
    });
    expect((await plan())?.status).toBe('past_due');
  });

  it.each<EventFields>([
    { id: 'evt_i', type: 'invoice.payment_failed', object: { customer: 'c' } },
    {
      id: 'evt_c',
      type: 'checkout.session.completed',
      object: { mode: 'payment', payment_status: 'paid' },
    },
  ])('that $type does not name leaves no plan', async (event) => {
    await sendOwnEvent(
      { ...event, object: { ...event.object, metadata: { user_id: userId } } },
      'ignored',
    );
    expect(await plan()).toBeUndefined();
  });
});

describe('events out of order', () => {
  it('an older one never overwrites a newer one', async () => {
    await sendOwnEvent({
      id: 'evt_new',
      type: 'customer.subscription.deleted',
      created: at(100),
      object: ownSubscription({ status: 'canceled' }),
    });
    await sendOwnEvent({
      id: 'evt_older',
      type: 'customer.subscription.updated',
      created: at(99),
      object: ownSubscription({
        items: { data: [{ price: { id: 'other' }, current_period_end: 5 }] },
      }),
    });
    expect(await plan()).toEqual({
      plan: 'pro_monthly',
      status: 'canceled',
      currentPeriodEnd: new Date(start + 2_592_000_000),
    });
    expect((await planRow())?.event_created).toEqual(new Date(start + 100_000));
  });

  it('an older one adds what newer ones lack', async () => {
    await sendOwnEvent({
      id: 'evt_fail',
      type: 'invoice.payment_failed',
      created: at(100),
      object: { customer: own('cus'), subscription: own('sub'), metadata: { user_id: userId } },
    });
    expect(await plan()).toEqual({ plan: null, status: 'past_due', currentPeriodEnd: null });
    await sendOwnEvent({ id: 'evt_first', created: at(1), object: ownSubscription() });
    expect(await plan()).toEqual({
      plan: 'pro_monthly',
      status: 'past_due',
      currentPeriodEnd: new Date(start + 2_592_000_000),
    });
  });

  it('of the same second the later one wins', async () => {
    await sendOwnEvent({ id: 'evt_a', object: ownSubscription({ status: 'incomplete' }) });
    await sendOwnEvent({
      id: 'evt_b',
      type: 'customer.subscription.updated',
      object: ownSubscription(),
    });
    expect((await plan())?.status).toBe('active');
  });

  it('a checkout does not override the status of the subscription', async () => {
    await sendOwnEvent({ id: 'evt_a', object: ownSubscription({ status: 'trialing' }) });
    await sendOwnEvent({
      id: 'evt_b',
      type: 'checkout.session.completed',
      created: at(3),
      object: checkout(),
    });
    expect(await plan()).toMatchObject({ plan: 'pro_monthly', status: 'trialing' });
  });

  it('the end of an old subscription does not end the new one', async () => {
    await sendOwnEvent({ id: 'evt_a', object: ownSubscription() });
    await sendOwnEvent({
      id: 'evt_b',
      created: at(10),
      object: ownSubscription({ id: own('sub_b'), items: { data: [{ price: { id: 'b' } }] } }),
    });
    await sendOwnEvent({
      id: 'evt_c',
      type: 'customer.subscription.deleted',
      created: at(20),
      object: ownSubscription(),
    });
    expect(await plan()).toMatchObject({ plan: 'b', status: 'active' });
    await sendOwnEvent({
      id: 'evt_d',
      type: 'customer.subscription.deleted',
      created: at(30),
      object: ownSubscription({ id: own('sub_b') }),
    });
    await sendOwnEvent({
      id: 'evt_e',
      created: at(40),
      object: ownSubscription({ id: own('sub_c'), status: 'incomplete' }),
    });
    expect(await planRow()).toMatchObject({ subscription_id: own('sub_c'), status: 'incomplete' });
  });

  it('of many concurrent ones for one user the newest wins', async () => {
    const created = [5, 3, 9, 1, 7, 2, 8, 4, 6, 0];
    await Promise.all(
      created.map((second) =>
        sendOwnEvent({
          id: `evt_m${second}`,
          type: 'customer.subscription.updated',
          created: at(second),
          object: ownSubscription({ items: { data: [{ price: { id: `p${second}` } }] } }),
        }),
      ),
    );
    expect((await plan())?.plan).toBe('p9');
  });
});

describe('the user of an event', () => {
  it.each<[string, () => Record<string, unknown>]>([
    ['metadata.user_id', () => ({ metadata: { user_id: userId } })],
    ['metadata.user_id in capitals', () => ({ metadata: { user_id: userId.toUpperCase() } })],
    ['client_reference_id', () => ({ client_reference_id: userId })],
    [
      'client_reference_id, when metadata name nobody',
      () => ({ metadata: { user_id: uuidv7(1) }, client_reference_id: userId }),
    ],
    [
      'client_reference_id, when metadata hold no uuid',
      () => ({ metadata: { user_id: 'me' }, client_reference_id: userId }),
    ],
    ['customer_email', () => ({ customer_email: email })],
    ['customer_email in another spelling', () => ({ customer_email: email.toUpperCase() })],
    ['customer_details.email', () => ({ customer_email: null, customer_details: { email } })],
  ])('is found by %s', async (_what, fields) => {
    await sendOwnEvent({
      id: 'evt_who',
      type: 'checkout.session.completed',
      object: checkout(fields()),
    });
    expect(await plan()).toEqual({ plan: null, status: 'active', currentPeriodEnd: null });
  });

  it('is found by a known customer', async () => {
    await sendOwnEvent({ id: 'evt_first', object: ownSubscription() });
    await sendOwnEvent({
      id: 'evt_second',
      type: 'customer.subscription.updated',
      created: at(1),
      object: unknownSubscription({ status: 'past_due', customer: { id: own('cus') } }),
    });
    expect((await plan())?.status).toBe('past_due');
  });

  it('is found by the most reliable hint if several disagree', async () => {
    const other = await addUser(provider.app, `other.${email}`);
    await sendOwnEvent({ id: 'evt_first', object: ownSubscription() });
    await sendOwnEvent({
      id: 'evt_second',
      created: at(1),
      object: unknownSubscription({
        id: own('sub_2'),
        customer_email: `other.${email}`,
        items: { data: [{ price: { id: 'second' } }] },
      }),
    });
    expect({ plan: (await plan())?.plan, otherPlan: await plan(other) }).toEqual({
      plan: 'second',
      otherPlan: undefined,
    });
    await sendOwnEvent({
      id: 'evt_third',
      created: at(2),
      object: unknownSubscription({
        id: own('sub_3'),
        metadata: { user_id: other },
        client_reference_id: userId,
      }),
    });
    expect({ plan: (await plan())?.plan, otherPlan: (await plan(other))?.plan }).toEqual({
      plan: 'second',
      otherPlan: 'pro_monthly',
    });
  });

  it('is not found by an unverified address', async () => {
    await provider.app.stores.db
      .insertInto('identities')
      .values({
        id: uuidv7(1),
        user_id: userId,
        kind: 'email',
        key: `unproved.${email}`,
        value: `unproved.${email}`,
        verified_at: null,
        created_at: new Date(start),
      })
      .execute();
    await sendOwnEvent(
      { id: 'evt_unproved', object: unknownSubscription({ customer_email: `unproved.${email}` }) },
      'failed',
    );
    expect(await plan()).toBeUndefined();
  });

  it('may be unknown: the event fails, and is stored but not retried', async () => {
    await sendOwnEvent(
      { id: 'evt_nobody', object: unknownSubscription({ customer_email: 'nobody@example.net' }) },
      'failed',
    );
    expect(await findEvent(provider.app, own('evt_nobody'))).toMatchObject({
      error_code: 'user_unknown',
      attempts: 1,
      processed_at: new Date(provider.now()),
      payload: { data: { object: { customer: own('cus') } } },
    });
    provider.advance(120_000);
    await provider.app.services.payments.sweep();
    expect(await findEvent(provider.app, own('evt_nobody'))).toMatchObject({
      status: 'failed',
      attempts: 1,
    });
  });

  it('is found later, when a checkout names the user of the customer', async () => {
    await sendOwnEvent({ id: 'evt_early', object: unknownSubscription({}) }, 'failed');
    await sendOwnEvent({
      id: 'evt_checkout',
      type: 'checkout.session.completed',
      created: at(1),
      object: checkout({ client_reference_id: userId }),
    });
    await waitForStatus(provider.app, own('evt_early'), 'done');
    expect(await plan()).toEqual({
      plan: 'pro_monthly',
      status: 'active',
      currentPeriodEnd: new Date(start + 2_592_000_000),
    });
  });
});

describe('the sweep', () => {
  it('retries events of unknown users once they are known, for 30 days', async () => {
    await sendOwnEvent({ id: 'evt_recent', object: unknownSubscription({}) }, 'failed');
    await sendOwnEvent({ id: 'evt_long_ago', object: unknownSubscription({}) }, 'failed');
    const { db } = provider.app.stores;
    await db
      .updateTable('payment_events')
      .set({ received_at: new Date(provider.now() - 120_000) })
      .where('id', '=', own('evt_recent'))
      .execute();
    await db
      .updateTable('payment_events')
      .set({ received_at: new Date(provider.now() - 31 * 86_400_000) })
      .where('id', '=', own('evt_long_ago'))
      .execute();
    await db
      .insertInto('plans')
      .values({
        user_id: userId,
        plan: null,
        status: 'active',
        current_period_end: null,
        customer_id: own('cus'),
        subscription_id: own('sub'),
        updated_at: new Date(start),
        event_created: new Date(start),
      })
      .execute();
    await provider.app.services.payments.sweep();
    expect({
      first: (await findEvent(provider.app, own('evt_recent')))?.status,
      second: (await findEvent(provider.app, own('evt_long_ago')))?.status,
    }).toEqual({ first: 'done', second: 'failed' });
    expect((await plan())?.plan).toBe('pro_monthly');
  });
});

describe('a failing handler', () => {
  /**
   * Makes writing a plan fail `times` times. A sequence counts, because rollbacks don't reset it.
   */
  async function breakPlans(
    times: number,
    { db } = provider.app.stores,
  ): Promise<() => Promise<void>> {
    await sql`create sequence breaks`.execute(db);
    await sql
      .raw(
        `create function broken() returns trigger language plpgsql as $$ begin
          if nextval('breaks') <= ${times} then raise exception 'broken'; end if;
          return new;
        end $$`,
      )
      .execute(db);
    await sql`
      create trigger broken before insert or update on plans
      for each row execute function broken()`.execute(db);
    return async () => {
      await sql`drop trigger broken on plans`.execute(db);
      await sql`drop function broken()`.execute(db);
      await sql`drop sequence breaks`.execute(db);
    };
  }

  it('is retried, and succeeds at the third attempt', async () => {
    const repair = await breakPlans(2);
    await sendOwnEvent({ id: 'evt_breaks', object: ownSubscription() });
    expect(await findEvent(provider.app, own('evt_breaks'))).toMatchObject({
      attempts: 3,
      error_code: null,
    });
    expect({
      status: (await plan())?.status,
      handlings: handlings(provider.app, own('evt_breaks')),
    }).toEqual({ status: 'active', handlings: 1 });
    await repair();
  });

  it('fails for good after five attempts, and the event is stored', async () => {
    // The queues of this app do not run, because their own sweep would count as an attempt.
    const { app, now } = await openProvider();
    onTestFinished(() => app.close());
    await breakPlans(1000, app.stores);
    const id = own('evt_hopeless');
    const owner = await addUser(app, email);
    await app.stores.db
      .insertInto('payment_events')
      .values({
        id,
        type: 'customer.subscription.created',
        created: new Date(start),
        received_at: new Date(now() - 60_001),
        payload: eventBody({ id, object: ownSubscription({ metadata: { user_id: owner } }) }),
        status: 'pending',
        error_code: null,
        processed_at: null,
      })
      .execute();
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      await app.services.payments.sweep();
      expect(await findEvent(app, id)).toMatchObject(
        attempt < 5
          ? { status: 'pending', attempts: attempt }
          : { status: 'failed', attempts: 5, error_code: 'handler_failed' },
      );
    }
    expect(await app.services.payments.planOf(owner)).toBeUndefined();
  });
});

describe('while Redis is unavailable', () => {
  let redis: TestRedis;
  let offline: Provider;
  beforeAll(async () => {
    redis = await startTestRedis();
    offline = await openProvider({ REDIS_URL: redis.url, RATE_LIMIT: 'on' });
  }, 120_000);
  afterAll(() => offline.app.close());

  it('the sweep handles an event after a minute', async () => {
    const id = await addUser(offline.app, 'away@example.com');
    await redis.stop();
    for (let count = 0; count < 2; count += 1) {
      expect(
        await sendSigned(
          offline,
          eventBody({ id: 'evt_away', object: subscription({ metadata: { user_id: id } }) }),
        ),
      ).toMatchObject({ status: 200, body: { received: true } });
    }
    expect(await findEvent(offline.app, 'evt_away')).toMatchObject({
      status: 'pending',
      attempts: 0,
    });
    offline.advance(60_000);
    await offline.app.services.payments.sweep();
    expect((await findEvent(offline.app, 'evt_away'))?.status).toBe('pending');
    offline.advance(1);
    await offline.app.services.payments.sweep();
    expect(await findEvent(offline.app, 'evt_away')).toMatchObject({ status: 'done', attempts: 1 });
    expect((await offline.app.services.payments.planOf(id))?.status).toBe('active');
  });

  it('the sweep is scheduled every minute', async () => {
    const sweep = async () =>
      (await provider.app.services.queues.observe()).handlers.find(
        ({ name }) => name === 'payments-sweep',
      );
    await expect.poll(sweep).toMatchObject({ delayed: 1 });
  });
});
