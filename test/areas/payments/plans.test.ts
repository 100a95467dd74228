import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { composePlans } from '../../../src/areas/payments/plan-catalog.ts';
import { parseConfig } from '../../../src/config.ts';
import { TestClient } from '../../support/client.ts';
import { addUser, findEvent, openProvider, sendAndSettle, subscription } from './provider.ts';

const plan = (id: string, more: object = {}) => ({
  id,
  name: `The ${id}`,
  price: 29,
  interval: 'month',
  ...more,
});
const list = {
  currency: 'USD',
  plans: [
    plan('starter', { price: 0, features: ['One site'], limits: { sites: 1 } }),
    plan('pro', { provider_prices: ['pro_monthly', 'price_9'] }),
    plan('classic', { provider_prices: ['classic_monthly'], retired: true }),
  ],
};

const folder = await mkdtemp(join(tmpdir(), 'plans-'));
const file = join(folder, 'plans.json');
await writeFile(file, JSON.stringify(list));
const provider = await openProvider({ PLANS: file }, { isEmbedded: true });
await provider.app.services.queues.start();
afterAll(async () => {
  await provider.app.close();
  await rm(folder, { recursive: true });
});

const client = () => new TestClient(provider.app);
const signUp = (plan: string) => client().post('/signup', { email: 'ada@example.com', plan });

describe('the plans of the operator', () => {
  it('are the price list, without what concerns only payments, and can be cached', async () => {
    const { headers, body } = await client().get('/pricing');
    expect(body).toEqual({
      currency: 'USD',
      plans: [
        { ...plan('starter'), price: 0, features: ['One site'], limits: { sites: 1 } },
        { ...plan('pro'), features: [], limits: {} },
      ],
    });
    const cached = { 'if-none-match': String(headers.etag) };
    expect(await client().get('/pricing/', { headers: cached })).toMatchObject({
      status: 304,
      text: '',
    });
  });

  it('are a page for browsers, and JSON for all others', async () => {
    const { headers } = await client().page('/pricing');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect((await client().get('/pricing')).headers['content-type']).toBe(
      'application/json; charset=utf-8',
    );
  });

  it('are the only ones that sign-up accepts', async () => {
    expect((await signUp('pro')).status).toBe(200);
    expect((await signUp('')).status).toBe(200);
  });

  it.each(['enterprise', 'self-hosted', 'classic', 'PRO', 'pro_monthly', '__proto__'])(
    'do not include %s, which sign-up refuses without repeating it',
    async (id) => {
      const response = await signUp(id);
      expect(response).toBeInvalid('body.plan');
      const msg = 'Value error, must be the id of a plan: starter, pro';
      expect(response.body).toMatchObject({ detail: [{ type: 'value_error', msg, input: null }] });
    },
  );

  it('are named in the form; an unknown one is left out before it is sent', async () => {
    expect((await client().page('/signup?plan=pro')).text).toContain('Plan: The pro');
    const { text } = await client().page('/signup?plan=%3Cb%3Enope');
    expect(text).toContain('You can still sign up without it.');
    expect(text).not.toContain('nope');
    expect(text).not.toContain('name="plan"');
  });
});

describe('a payment', () => {
  const priced = (price: object, userId: string) =>
    subscription({ metadata: { user_id: userId }, items: { data: [{ price }] } });
  const newUser = (name: string) => addUser(provider.app, `${name}@example.com`);
  const planOf = (userId: string) => provider.app.services.payments.planOf(userId);

  it.each([
    ['lookup key', { lookup_key: 'pro_monthly', id: 'price_x' }, 'pro'],
    ['id', { lookup_key: 'other', id: 'price_9' }, 'pro'],
    ['own name', { lookup_key: 'starter' }, 'starter'],
    ['retired plan', { lookup_key: 'classic_monthly' }, 'classic'],
  ])('leads to the plan of its price: by %s', async (name, price, id) => {
    const userId = await newUser(name.replace(' ', '-'));
    const event = `evt_${name.replace(' ', '_')}`;
    await sendAndSettle(provider, { id: event, object: priced(price, userId) });
    expect(await planOf(userId)).toMatchObject({ plan: id, status: 'active' });
  });

  const pro = { price: { lookup_key: 'pro_monthly' }, current_period_end: 1_893_456_000 };
  const seats = { price: { id: 'price_seats' }, current_period_end: 1_861_920_000 };
  const metered = { price: { id: 'price_calls', recurring: { usage_type: 'metered' } } };
  it.each([
    ['seats first', { items: { data: [seats, pro] } }],
    ['a metered price first', { items: { data: [metered, seats, pro] } }],
    ['seats last', { items: { data: [pro, seats] } }],
    ['a price that is only an id', { items: { data: [seats, { ...pro, price: 'price_9' }] } }],
    ['an item with a plan', { items: { data: [seats, { ...pro, price: null, plan: pro.price }] } }],
    ['its plan on itself', { items: { data: [seats] }, plan: { id: 'price_9' } }],
  ])('leads to the plan of the first item that has one: %s', async (name, fields) => {
    const userId = await newUser(`items-${name.replaceAll(' ', '-')}`);
    const object = { ...subscription({ metadata: { user_id: userId } }), ...fields };
    await sendAndSettle(provider, { id: `evt_items_${name.replaceAll(' ', '_')}`, object });
    expect(await planOf(userId)).toMatchObject({ plan: 'pro', status: 'active' });
  });

  it('that names no plan in any of its items changes nothing', async () => {
    const userId = await newUser('addons');
    const object = subscription({
      metadata: { user_id: userId },
      items: { data: [seats, metered] },
    });
    await sendAndSettle(provider, { id: 'evt_addons', object }, 'failed');
    expect((await findEvent(provider.app, 'evt_addons'))?.error_code).toBe('plan_unknown');
    expect(await planOf(userId)).toBeUndefined();
  });

  it('hostile: a price that no plan has changes nothing, and can be retried', async () => {
    const userId = await newUser('unknown');
    const first = priced({ lookup_key: 'pro_monthly' }, userId);
    await sendAndSettle(provider, { id: 'evt_first', object: first });
    const second = {
      id: 'evt_second',
      type: 'customer.subscription.updated',
      created: provider.seconds() + 1,
      object: priced({ lookup_key: 'constructor', id: '__proto__' }, userId),
    };
    await sendAndSettle(provider, second, 'failed');
    expect((await findEvent(provider.app, 'evt_second'))?.error_code).toBe('plan_unknown');
    expect(await planOf(userId)).toMatchObject({ plan: 'pro', status: 'active' });
  });

  it('that ends, ends the plan whatever its price is', async () => {
    const userId = await newUser('ended');
    const begun = priced({ lookup_key: 'pro_monthly' }, userId);
    await sendAndSettle(provider, { id: 'evt_begun', object: begun });
    await sendAndSettle(provider, {
      id: 'evt_over',
      type: 'customer.subscription.deleted',
      created: provider.seconds() + 1,
      object: priced({ lookup_key: 'gone' }, userId),
    });
    expect(await planOf(userId)).toMatchObject({ plan: 'pro', status: 'canceled' });
  });
});

describe('PLANS', () => {
  const withPlans = (...plans: object[]) => JSON.stringify({ ...list, plans });
  const shared = { provider_prices: ['x'] };
  const read = (setting: string) =>
    composePlans(parseConfig({ NODE_ENV: 'test', PLANS: setting })).catch((error: unknown) =>
      String(error),
    );

  it('can be the JSON itself', async () => {
    expect(await read(` ${withPlans(...list.plans)}`)).toMatchObject({
      plans: { ids: ['starter', 'pro'] },
    });
  });

  it.each([
    ['a file that does not exist', '/nowhere/plans.json', 'cannot be read (ENOENT)'],
    ['a folder', '/', 'cannot be read (EISDIR)'],
    ['broken JSON', '{"currency":', 'is not valid JSON'],
    ['no plans', '{"currency":"EUR","plans":[]}', 'plans'],
    ['a misspelled member', JSON.stringify({ ...list, plan: [] }), 'plan'],
    ['a negative price', withPlans(plan('a', { price: -1 })), 'price'],
    ['an id with a space', withPlans(plan('a b')), 'plans.0.id'],
    ['an id twice', withPlans(plan('a'), plan('a')), '"a" in two'],
    ['a price in two plans', withPlans(plan('a', shared), plan('b', shared)), '"x" in two plans'],
    [
      'retired plans only',
      withPlans(plan('a', { retired: true })),
      'must have one that is offered',
    ],
  ])('hostile: %s ends the start, and the error names the setting', async (_, text, reason) => {
    const error = await read(text);
    expect(error).toMatch(/^Error: PLANS: /);
    expect(error).toContain(reason);
  });
});
