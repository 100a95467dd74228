import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { faultsOf, look, origin, personOf, submit } from './pages.ts';

type Person = Awaited<ReturnType<typeof personOf>>;

let app: FreshApp;
let ada: Person;
let bob: Person;
let grace: Person;
const address = 'grace@example.com';

beforeAll(async () => {
  app = await freshApp({
    env: { DEVICE_BINDING: 'none', BASE_URL: origin, CONTACT_EMAIL: 'help@example.com' },
  });
  ada = await personOf(app, 'ada@example.com', ['admin']);
  bob = await personOf(app, 'bob@example.com', ['admin']);
  grace = await personOf(app, address);
  await app.stores.db
    .insertInto('totp_factors')
    .values({
      id: '01985f6e-0000-7000-8000-000000000001',
      user_id: grace.userId,
      sealed_secret: 'sealed',
      created_at: new Date(),
      verified_at: new Date(),
      last_used_at: null,
    })
    .execute();
}, 120_000);
afterAll(() => app.close());

const page = async (by: Person, path = `users/${grace.userId}`) =>
  (await look(app, path, by.headers)).body;
const send = (by: Person, action: string, values: Record<string, string> = {}) =>
  submit(app, `users/${grace.userId}/factor-reset/${action}`, values, by.headers);
const latest = () => app.services.factorResets.latest(grace.userId);
const card = (body: string) =>
  /<section class="tile" id="factor-reset".*?<\/section>/s.exec(body)?.[0] ?? '';

describe('the card of a 2FA reset on the page of a user', () => {
  it('asks for a reason and the address before it requests anything', async () => {
    const before = card(await page(ada));
    expect(before).toContain('Request 2FA reset');
    expect(before).not.toContain('Approve 2FA reset');
    for (const values of [
      {},
      { reason: 'Lost phone.' },
      { reason: 'Lost phone.', confirm: 'wrong' },
      { reason: ' ', confirm: address },
    ])
      expect((await send(ada, 'request', values)).statusCode).toBe(422);
    expect(await latest()).toBeUndefined();
    const reason = 'Lost phone. <b>Seen</b> on a call.';
    const done = await send(ada, 'request', { reason, confirm: address });
    expect({ status: done.statusCode, location: done.headers.location }).toEqual({
      status: 303,
      location: `/api/svc/console/users/${grace.userId}?done=reset_requested`,
    });
    expect(await latest()).toMatchObject({ state: 'requested', reason, requested_by: ada.userId });
  });

  it('lets only another admin approve, and shows who, and when it takes effect', async () => {
    const [own, other] = [card(await page(ada)), card(await page(bob))];
    expect(own).toContain('Another admin has to approve it.');
    expect(own).not.toContain('Approve 2FA reset');
    expect(other).toContain('Approve 2FA reset');
    expect(other).toContain('ada@example.com');
    expect(other).toContain('&lt;b&gt;Seen&lt;/b&gt;');
    expect(await faultsOf(await page(bob))).toEqual([]);
    const reset = (await latest())?.id ?? '';
    expect((await send(ada, 'approve', { reset, confirm: address })).statusCode).toBe(403);
    const stale = { reset: '01985f6e-0000-7000-8000-000000000009', confirm: address };
    expect((await send(bob, 'approve', stale)).statusCode).toBe(409);
    expect((await send(bob, 'approve', { reset })).statusCode).toBe(422);
    expect((await send(bob, 'approve', { confirm: address })).statusCode).toBe(422);
    expect((await latest())?.state).toBe('requested');
    expect((await send(bob, 'approve', { reset, confirm: address })).statusCode).toBe(303);
    const approved = card(await page(ada));
    expect(approved).toContain('Takes effect');
    expect(approved).toContain('bob@example.com');
    expect(approved).toContain(`datetime="${(await latest())?.due_at?.toISOString() ?? 'none'}"`);
    expect(await page(ada, 'users')).toContain(`users/${grace.userId}#factor-reset`);
  });

  it('lets any admin cancel, and nobody else do anything', async () => {
    for (const action of ['request', 'approve', 'cancel'])
      expect((await send(grace, action, { confirm: address })).statusCode).toBe(403);
    expect((await latest())?.state).toBe('approved');
    expect((await send(ada, 'cancel')).statusCode).toBe(303);
    const canceled = await page(bob);
    expect(card(canceled)).toContain('By an admin');
    expect(card(canceled)).toContain('Request 2FA reset');
    expect(await faultsOf(canceled)).toEqual([]);
    expect(await page(ada, 'users')).not.toContain('#factor-reset');
  });

  it('offers nothing on the own page, and nothing to reset without a factor', async () => {
    const own = card(await page(ada, `users/${ada.userId}`));
    expect(own).toContain('Two other admins can reset its 2FA.');
    expect(own).not.toContain('<form');
    const bobs = card(await page(ada, `users/${bob.userId}`));
    expect(bobs).toContain('nothing to reset');
    expect(bobs).not.toContain('<form');
  });
});

describe('the pages of people without a role', () => {
  it('the account page shows an open reset, and its button needs the second factor', async () => {
    await app.services.factorResets.request(grace.userId, 'Lost phone.', {
      actor: { kind: 'user', id: ada.userId },
    });
    const account = await look(app, '/account', grace.headers);
    expect(account.body).toContain('An admin asked to remove two-factor authentication');
    const answer = await app.http.inject({
      method: 'POST',
      url: '/account/factor-reset/cancel',
      headers: {
        ...grace.headers,
        origin,
        host: '127.0.0.1:3000',
        'sec-fetch-site': 'same-origin',
      },
    });
    expect({ status: answer.statusCode, location: answer.headers.location }).toEqual({
      status: 303,
      location: '/login?next=/account&reason=second_factor',
    });
    expect((await latest())?.state).toBe('requested');
  });

  it('the page for the second factor says whom to ask', () => {
    const body = app.services.secondFactorPage(
      { mfaToken: 'token', methods: ['totp', 'backup_code'], expiresIn: 600 },
      '/account',
    );
    expect(body).toContain('Lost every factor?');
    expect(body).toContain('href="mailto:help@example.com"');
  });
});
