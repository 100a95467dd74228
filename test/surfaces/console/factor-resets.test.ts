import { describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { redirectTo } from '../../support/responses.ts';
import { faultsOf, home, type Person, personOf } from './pages.ts';

const address = 'grace@example.com';

const app = await sharedApp('people');
const ada = await personOf(app, 'ada@example.com', ['admin']);
const bob = await personOf(app, 'bob@example.com', ['admin']);
const grace = await personOf(app, address);
const addFactor = (id: string, { userId }: Person) =>
  app.stores.db
    .insertInto('totp_factors')
    .values({
      id,
      user_id: userId,
      sealed_secret: 'sealed',
      created_at: new Date(),
      verified_at: new Date(),
      last_used_at: null,
    })
    .execute();
await addFactor('01985f6e-0000-7000-8000-000000000001', grace);

const send = (by: Person, action: string, values: Record<string, string> = {}) =>
  by.form(`users/${grace.userId}/factor-reset/${action}`, values);
const latest = () => app.services.factorResets.latest(grace.userId);

/** The card on the page of a user. */
async function card(by: Person, { userId } = grace): Promise<string> {
  const { text } = await by.page(`users/${userId}`);
  return /<section class="tile" id="factor-reset".*?<\/section>/s.exec(text)?.[0] ?? '';
}

describe('the card of a 2FA reset on the page of a user', () => {
  it('asks for a reason and the address before it requests anything', async () => {
    const before = await card(ada);
    expect(before).toContain('Request 2FA reset');
    expect(before).not.toContain('Approve 2FA reset');
    const form = await ada.page(`users/${grace.userId}/factor-reset/request`);
    expect(form.text).toContain('Request a 2FA reset for');
    expect(await faultsOf(form.text)).toEqual([]);
    expect((await ada.page(`users/${grace.userId}/factor-reset/approve`)).status).toBe(404);
    for (const values of [
      {},
      { reason: 'Lost phone.' },
      { reason: 'Lost phone.', confirm: 'wrong' },
      { reason: ' ', confirm: address },
    ])
      expect((await send(ada, 'request', values)).status).toBe(422);
    expect(await latest()).toBeUndefined();
    const reason = 'Lost phone. <b>Seen</b> on a call.';
    expect(await send(ada, 'request', { reason, confirm: address })).toMatchObject(
      redirectTo(`${home}users/${grace.userId}?done=reset_requested`),
    );
    expect(await latest()).toMatchObject({ state: 'requested', reason, requested_by: ada.userId });
  });

  it('lets only another admin approve, and shows who, and when it takes effect', async () => {
    const [own, other] = [await card(ada), await card(bob)];
    expect(own).toContain('Another admin needs to approve it.');
    expect(own).not.toContain('Approve 2FA reset');
    expect(other).toContain('Approve 2FA reset');
    expect(other).toContain('ada@example.com');
    expect(other).toContain('&lt;b&gt;Seen&lt;/b&gt;');
    expect(await faultsOf((await bob.page(`users/${grace.userId}`)).text)).toEqual([]);
    const reset = (await latest())?.id ?? '';
    const form = await bob.page(`users/${grace.userId}/factor-reset/approve`);
    expect(form.text).toContain(`name="reset" value="${reset}"`);
    expect(await faultsOf(form.text)).toEqual([]);
    const stale = '01985f6e-0000-7000-8000-000000000009';
    for (const [by, values, status] of [
      [ada, { reset, confirm: address }, 403],
      [bob, { reset: stale, confirm: address }, 409],
      [bob, { reset }, 422],
      [bob, { confirm: address }, 422],
    ] as const)
      expect((await send(by, 'approve', values)).status).toBe(status);
    expect((await latest())?.state).toBe('requested');
    expect((await send(bob, 'approve', { reset, confirm: address })).status).toBe(303);
    const approved = await card(ada);
    expect(approved).toContain('Takes effect');
    expect(approved).toContain('bob@example.com');
    expect(approved).toContain(`datetime="${(await latest())?.due_at?.toISOString() ?? 'none'}"`);
    const users = (await ada.page('users')).text;
    expect(users).toContain(`users/${grace.userId}#factor-reset`);
  });

  it('lets any admin cancel, and nobody else do anything', async () => {
    for (const action of ['request', 'approve', 'cancel'])
      expect((await send(grace, action, { confirm: address })).status, action).toBe(403);
    expect((await latest())?.state).toBe('approved');
    expect((await send(ada, 'cancel')).status).toBe(303);
    const canceled = await card(bob);
    expect(canceled).toContain('By an admin');
    expect(canceled).toContain('Request 2FA reset');
    expect(await faultsOf((await bob.page(`users/${grace.userId}`)).text)).toEqual([]);
    expect((await ada.page('users')).text).not.toContain('#factor-reset');
  });

  it('offers nothing on your own page, and is left out where there is no factor', async () => {
    expect(await card(ada, ada)).toBe('');
    expect(await card(ada, bob)).toBe('');
    await addFactor('01985f6e-0000-7000-8000-000000000002', ada);
    const own = await card(ada, ada);
    expect(own).toContain('Two other admins can reset its 2FA.');
    expect(own).not.toContain('<form');
  });
});

describe('the pages of people without a role', () => {
  it('show an open reset in the account, where canceling needs the second factor', async () => {
    await app.services.factorResets.request(grace.userId, 'Lost phone.', {
      actor: { kind: 'user', id: ada.userId },
      authTime: app.clock.now(),
    });
    const account = await grace.page('/account');
    expect(account.text).toContain('An admin asked to remove two-factor authentication');
    expect(await grace.form('/account/factor-reset/cancel')).toMatchObject(
      redirectTo('/login?next=/account/security&reason=second_factor'),
    );
    expect((await latest())?.state).toBe('requested');
  });

  it('say whom to ask where the second factor is entered', () => {
    const body = app.services.secondFactorPage(
      { mfaToken: 'token', methods: ['totp', 'backup_code'], expiresIn: 600 },
      '/account',
    );
    expect(body).toContain('Lost all your second factors?');
    expect(body).toContain('href="mailto:help@example.com"');
  });
});
