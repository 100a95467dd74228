import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dayMs } from '../../../src/lib/durations.ts';
import { uuidv7 } from '../../../src/lib/ids.ts';
import { startTestRedis, type TestRedis } from '../../support/redis-server.ts';
import { addUnverified } from '../../support/sign-in.ts';
import {
  addUser,
  eventBody,
  handlings,
  sendAndSettle,
  openProvider,
  type Provider,
  findEvent,
  sendSigned,
  storePending,
  waitForStatus,
  start,
  subscription,
} from './provider.ts';

let people = 0;
let events = 0;
let userId: string;
let email: string;
const provider = await openProvider();
await provider.app.services.queues.start();
afterAll(() => provider.app.close());
beforeEach(async () => {
  email = `person${(people += 1)}@example.com`;
  userId = await addUser(provider.app, email);
});

const own = (name: string) => `${name}_${people}`;
const plan = (id = userId) => provider.app.services.payments.planOf(id);
const planRow = () =>
  provider.app.stores.db
    .selectFrom('plans')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst();
const event = (id: string) => findEvent(provider.app, id);

const periodEnd = new Date(start + 30 * dayMs);
const priced = (price: object, more: object = {}) => ({ items: { data: [{ price, ...more }] } });
const ownSubscription = (fields: Record<string, unknown> = {}) =>
  subscription({ id: own('sub'), customer: own('cus'), metadata: { user_id: userId }, ...fields });
const unknownSubscription = (fields: Record<string, unknown> = {}) =>
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

const types = {
  created: 'customer.subscription.created',
  updated: 'customer.subscription.updated',
  deleted: 'customer.subscription.deleted',
  paymentFailed: 'invoice.payment_failed',
  checkedOut: 'checkout.session.completed',
} as const;

/** Sends an event, created seconds after the start, and waits for its status. Returns its id. */
async function send(
  type: keyof typeof types,
  object: Record<string, unknown>,
  { second = 0, status = 'done' } = {},
): Promise<string> {
  const id = `evt_${(events += 1)}`;
  const created = start / 1000 + second;
  await sendAndSettle(provider, { id, type: types[type], created, object }, status);
  return id;
}

describe('a subscription', () => {
  it("becomes the user's plan, changes and ends", async () => {
    expect(await plan()).toBeUndefined();
    await send('created', ownSubscription({ status: 'trialing' }));
    expect(await plan()).toEqual({
      plan: 'pro_monthly',
      status: 'trialing',
      currentPeriodEnd: periodEnd,
    });
    await send('updated', ownSubscription(priced({ lookup_key: 'team' })), { second: 10 });
    expect(await plan()).toMatchObject({ plan: 'team', status: 'active' });
    await send('deleted', ownSubscription({ status: 'canceled' }), { second: 20 });
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
    await send('created', ownSubscription(priced(price)));
    expect((await plan())?.plan).toBe(expected);
  });

  it('of an older API version has its period on itself', async () => {
    const period = { current_period_end: start / 1000 + 5 };
    await send('created', ownSubscription({ ...period, ...priced({ id: 'p' }) }));
    expect((await plan())?.currentPeriodEnd).toEqual(new Date(start + 5000));
  });

  it('of the wrong shape fails and is stored', async () => {
    const id = await send('created', ownSubscription({ status: 7 }), { status: 'failed' });
    expect(await event(id)).toMatchObject({ error_code: 'object_invalid', attempts: 1 });
    expect(await plan()).toBeUndefined();
  });

  it('with a failed payment is past due, and keeps its plan', async () => {
    const parent = { subscription_details: { subscription: own('sub') } };
    await send('created', ownSubscription());
    await send('paymentFailed', { id: 'in_1', customer: own('cus'), parent }, { second: 9 });
    expect(await plan()).toEqual({
      plan: 'pro_monthly',
      status: 'past_due',
      currentPeriodEnd: periodEnd,
    });
    await send('updated', ownSubscription(), { second: 10 });
    const older = { customer: own('cus'), subscription: own('sub') };
    await send('paymentFailed', older, { second: 11 });
    expect((await plan())?.status).toBe('past_due');
  });

  it.each([
    ['paymentFailed', { customer: 'c' }],
    ['checkedOut', { mode: 'payment', payment_status: 'paid' }],
  ] as const)('that an event of %s does not name leaves no plan', async (type, object) => {
    await send(type, { ...object, metadata: { user_id: userId } }, { status: 'ignored' });
    expect(await plan()).toBeUndefined();
  });
});

describe('events out of order', () => {
  it('keep what a newer one said, whatever an older one says', async () => {
    await send('deleted', ownSubscription({ status: 'canceled' }), { second: 100 });
    const other = priced({ id: 'other' }, { current_period_end: 5 });
    await send('updated', ownSubscription(other), { second: 99 });
    expect(await plan()).toEqual({
      plan: 'pro_monthly',
      status: 'canceled',
      currentPeriodEnd: periodEnd,
    });
    expect((await planRow())?.event_created).toEqual(new Date(start + 100_000));
  });

  it('add what newer ones lack', async () => {
    const invoice = { customer: own('cus'), subscription: own('sub') };
    const metadata = { user_id: userId };
    await send('paymentFailed', { ...invoice, metadata }, { second: 100 });
    expect(await plan()).toEqual({ plan: null, status: 'past_due', currentPeriodEnd: null });
    await send('created', ownSubscription(), { second: 1 });
    expect(await plan()).toEqual({
      plan: 'pro_monthly',
      status: 'past_due',
      currentPeriodEnd: periodEnd,
    });
  });

  it('count in the order in which they arrive, if they are of the same second', async () => {
    await send('created', ownSubscription({ status: 'incomplete' }));
    await send('updated', ownSubscription());
    expect((await plan())?.status).toBe('active');
  });

  it('keep the status of the subscription when a checkout follows', async () => {
    await send('created', ownSubscription({ status: 'trialing' }));
    await send('checkedOut', checkout(), { second: 3 });
    expect(await plan()).toMatchObject({ plan: 'pro_monthly', status: 'trialing' });
  });

  it('keep a new subscription when an old one ends', async () => {
    const newer = { id: own('sub_b'), ...priced({ id: 'b' }) };
    await send('created', ownSubscription());
    await send('created', ownSubscription(newer), { second: 10 });
    await send('deleted', ownSubscription(), { second: 20 });
    expect(await plan()).toMatchObject({ plan: 'b', status: 'active' });
    await send('deleted', ownSubscription({ id: own('sub_b') }), { second: 30 });
    const third = { id: own('sub_c'), status: 'incomplete' };
    await send('created', ownSubscription(third), { second: 40 });
    expect(await planRow()).toMatchObject({ subscription_id: own('sub_c'), status: 'incomplete' });
  });

  it('leave the newest when many arrive at once for one user', async () => {
    await Promise.all(
      [5, 3, 9, 1, 7, 2, 8, 4, 6, 0].map((second) =>
        send('updated', ownSubscription(priced({ id: `p${second}` })), { second }),
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
    await send('checkedOut', checkout(fields()));
    expect(await plan()).toEqual({ plan: null, status: 'active', currentPeriodEnd: null });
  });

  it('is found by a known customer', async () => {
    await send('created', ownSubscription());
    const later = { status: 'past_due', customer: { id: own('cus') } };
    await send('updated', unknownSubscription(later), { second: 1 });
    expect((await plan())?.status).toBe('past_due');
  });

  it('is found by the most reliable hint if several disagree', async () => {
    const other = await addUser(provider.app, `other.${email}`);
    await send('created', ownSubscription());
    const mailed = { customer_email: `other.${email}`, ...priced({ id: 'second' }) };
    await send('created', unknownSubscription({ id: own('sub_2'), ...mailed }), { second: 1 });
    expect((await plan())?.plan).toBe('second');
    expect(await plan(other)).toBeUndefined();
    const named = { metadata: { user_id: other }, client_reference_id: userId };
    await send('created', unknownSubscription({ id: own('sub_3'), ...named }), { second: 2 });
    expect((await plan())?.plan).toBe('second');
    expect((await plan(other))?.plan).toBe('pro_monthly');
  });

  it('is not found by an unverified address', async () => {
    const key = `unverified.${email}`;
    await addUnverified(provider.app, userId, key);
    await send('created', unknownSubscription({ customer_email: key }), { status: 'failed' });
    expect(await plan()).toBeUndefined();
  });

  it('may be unknown: the event fails, and is stored but not retried', async () => {
    const stranger = unknownSubscription({ customer_email: 'nobody@example.net' });
    const id = await send('created', stranger, { status: 'failed' });
    expect(await event(id)).toMatchObject({
      error_code: 'user_unknown',
      attempts: 1,
      processed_at: new Date(provider.now()),
      payload: { data: { object: { customer: own('cus') } } },
    });
    provider.advance(120_000);
    await provider.app.services.payments.sweep();
    expect(await event(id)).toMatchObject({ status: 'failed', attempts: 1 });
  });

  it('is found later, when a checkout names the user of the customer', async () => {
    const early = await send('created', unknownSubscription(), { status: 'failed' });
    await send('checkedOut', checkout({ client_reference_id: userId }), { second: 1 });
    await waitForStatus(provider.app, early, 'done');
    expect(await plan()).toEqual({
      plan: 'pro_monthly',
      status: 'active',
      currentPeriodEnd: periodEnd,
    });
  });
});

it('the sweep retries events of unknown users once they are known, for 30 days', async () => {
  const { db } = provider.app.stores;
  const receivedAgo = async (ms: number) => {
    const id = await send('created', unknownSubscription(), { status: 'failed' });
    const receivedAt = new Date(provider.now() - ms);
    await db
      .updateTable('payment_events')
      .set({ received_at: receivedAt })
      .where('id', '=', id)
      .execute();
    return id;
  };
  const [recent, longAgo] = [await receivedAgo(120_000), await receivedAgo(31 * dayMs)];
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
  expect(await event(recent)).toMatchObject({ status: 'done' });
  expect(await event(longAgo)).toMatchObject({ status: 'failed' });
  expect((await plan())?.plan).toBe('pro_monthly');
});

/**
 * Makes writing a plan fail `times` times. A sequence counts, because rollbacks don't reset it.
 */
async function breakPlans(times: number, { db } = provider.app.stores) {
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

describe('a failing handler', () => {
  it('is retried, and succeeds at the third attempt', async () => {
    const repair = await breakPlans(2);
    const id = await send('created', ownSubscription());
    expect(await event(id)).toMatchObject({ attempts: 3, error_code: null });
    expect((await plan())?.status).toBe('active');
    expect(handlings(provider.app, id)).toBe(1);
    await repair();
  });
});

describe('an event whose job does not run', () => {
  let redis: TestRedis;
  /** Its queues do not run: its own sweep would count as an attempt. */
  let offline: Provider;
  beforeAll(async () => {
    redis = await startTestRedis();
    offline = await openProvider({ REDIS_URL: redis.url, RATE_LIMIT: 'on' });
  }, 120_000);
  afterAll(() => offline.app.close());

  it('fails for good after five attempts of the sweep, and is stored', async () => {
    const { app, now } = offline;
    const repair = await breakPlans(1000, app.stores);
    const id = 'evt_hopeless';
    const owner = await addUser(app, email);
    const payload = eventBody({ id, object: ownSubscription({ metadata: { user_id: owner } }) });
    await storePending(app, { id, payload, receivedAt: now() - 60_001 });
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      await app.services.payments.sweep();
      expect(await findEvent(app, id)).toMatchObject(
        attempt < 5
          ? { status: 'pending', attempts: attempt }
          : { status: 'failed', attempts: 5, error_code: 'handler_failed' },
      );
    }
    expect(await app.services.payments.planOf(owner)).toBeUndefined();
    await repair();
  });

  it('is handled by the sweep after a minute, even while Redis is unavailable', async () => {
    const id = await addUser(offline.app, 'away@example.com');
    await redis.stop();
    const body = eventBody({ id: 'evt_away', object: subscription({ metadata: { user_id: id } }) });
    for (let count = 0; count < 2; count += 1)
      expect(await sendSigned(offline, body)).toMatchObject({
        status: 200,
        body: { received: true },
      });
    const away = () => findEvent(offline.app, 'evt_away');
    expect(await away()).toMatchObject({ status: 'pending', attempts: 0 });
    offline.advance(60_000);
    await offline.app.services.payments.sweep();
    expect(await away()).toMatchObject({ status: 'pending' });
    offline.advance(1);
    await offline.app.services.payments.sweep();
    expect(await away()).toMatchObject({ status: 'done', attempts: 1 });
    expect((await offline.app.services.payments.planOf(id))?.status).toBe('active');
  });

  it('is found by a sweep that is scheduled every minute', async () => {
    const sweep = async () =>
      (await provider.app.services.queues.observe()).handlers.find(
        ({ name }) => name === 'payments-sweep',
      );
    await expect.poll(sweep).toMatchObject({ delayed: 1 });
  });
});
