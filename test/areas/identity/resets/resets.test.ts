import { describe, expect } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../../../src/lib/durations.ts';
import { it } from '../../../support/test.ts';
import { useResets } from './support.ts';

const t = await useResets();
const { by, pass } = t;

describe('a 2FA reset', () => {
  it('lets an owner back in a day after the second admin, and not a minute before', async () => {
    const { userId, email } = await t.newOwner();
    expect(await t.request(by.ada, userId)).toMatchObject({
      status: 201,
      body: { status: 'requested', requested_by: by.ada.userId, takes_effect_at: null },
    });
    await t.textTo(email, '2FA reset requested');
    await t.textTo(by.bob.email, '2FA reset needs approval');
    const { status, body } = await t.approve(by.bob, userId);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'approved', approved_by: by.bob.userId });
    const dueAt = Date.parse(String(body.takes_effect_at));
    expect(dueAt).toBe(Date.parse(String(body.approved_at)) + dayMs);
    await t.textTo(email, '2FA reset approved');
    const before = await t.belongingsOf(userId);
    expect(before).toMatchObject({ app: true, codes: 10, sessions: 1 });

    pass(dayMs - minuteMs);
    await t.runDue();
    expect(await t.belongingsOf(userId)).toEqual(before);
    expect(await t.stateOf(userId)).toBe('approved');
    expect(await t.firstFactor(email)).toMatchObject({ status: 'mfa_required' });

    pass(2 * minuteMs);
    await t.runDue();
    const nothing = { app: false, passkeys: 0, codes: 0, sessions: 0, devices: 0 };
    expect(await t.belongingsOf(userId)).toEqual(nothing);
    expect(await t.stateOf(userId)).toBe('completed');
    const told = await t.textTo(email, 'Two-factor authentication removed');
    expect(told).toContain('help@example.com');
    await t.textTo(by.ada.email, '2FA reset completed');
    for (const step of ['requested', 'approved', 'completed'])
      expect(await t.count(userId, step)).toBe(1);
    const removals = { target_id: userId, action: 'second_factor.removed', limit: 100 };
    expect((await t.app.services.audit.list(removals)).data).toHaveLength(2);
    expect(await t.firstFactor(email)).toMatchObject({ status: 'authenticated' });
    expect(t.app.log()).not.toContain(email);
    await t.runDue();
    expect(await t.count(userId, 'completed')).toBe(1);
  });

  it('is announced at every address and number of the user, with the link as text', async () => {
    const owner = await t.newOwner();
    const second = `second-${owner.email}`;
    const phone = `+1415555${String(Math.floor(Math.random() * 9000) + 1000)}`;
    const { users } = t.app.services;
    await users.link(owner.userId, { kind: 'email', key: second, value: second });
    await users.link(owner.userId, { kind: 'phone', key: phone, value: phone });
    await t.request(by.ada, owner.userId);
    const token = await t.tokenTo(owner.email, '2FA reset requested');
    for (const to of [second, phone])
      expect(await t.tokenTo(to, '2FA reset requested')).toBe(token);
    for (const { email } of [by.bob, by.eve]) {
      const text = await t.textTo(email, '2FA reset needs approval');
      expect(text).toContain(`/api/svc/console/users/${owner.userId}`);
      expect(text).not.toContain(token);
    }
    const rows = await t.app.stores.db.selectFrom('factor_resets').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(t.app.log()).not.toContain(token);
  });

  it('is shown to admins, open or last, and 404 before there is one', async () => {
    const { userId } = await t.newOwner();
    expect(await t.show(by.ada, userId)).toBeProblem(404, 'factor_resets.not_found');
    await t.request(by.ada, userId);
    const open = await t.show(by.bob, userId);
    expect(open.body).toMatchObject({ status: 'requested', reason: 'Lost phone and codes.' });
    expect(open.text).not.toContain('token');
    expect(await t.cancel(by.bob, userId)).toMatchObject({ status: 204 });
    expect((await t.show(by.ada, userId)).body).toMatchObject({
      status: 'canceled',
      canceled_by: by.bob.userId,
      cancel_reason: 'admin',
    });
    expect(await t.cancel(by.ada, userId)).toMatchObject({ status: 204 });
  });

  it('expires after seven days without an approval, and everybody is notified', async () => {
    const { userId, email } = await t.requested();
    pass(7 * dayMs - minuteMs);
    await t.runDue();
    expect(await t.stateOf(userId)).toBe('requested');
    pass(2 * minuteMs);
    expect(await t.approve(await t.newAdmin(), userId)).toBeProblem(404, 'factor_resets.not_found');
    await t.runDue();
    expect(await t.stateOf(userId)).toBe('expired');
    await t.textTo(email, '2FA reset expired');
    expect(await t.count(userId, 'expired')).toBe(1);
    expect(await t.belongingsOf(userId)).toMatchObject({ app: true });
  });

  it('is canceled by the link of a message, without a sign-in', async () => {
    const { userId, email } = await t.approved();
    expect(await t.pressButton(await t.tokenTo(email))).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store', 'referrer-policy': 'same-origin' },
    });
    expect(await t.reasonOf(userId)).toBe('link');
    await t.textTo(email, '2FA reset canceled');
    await t.textTo(by.ada.email, '2FA reset canceled');
    pass(2 * dayMs);
    await t.runDue();
    expect(await t.belongingsOf(userId)).toMatchObject({ app: true });
  });

  it('is canceled by its user from a session with the second factor', async () => {
    const { userId, bearer } = await t.approved();
    const own = (headers: Record<string, string>) =>
      t.auth(headers).at('/api/v1/users/me/factor-reset');
    // The session that set the factor up has not used it.
    expect(await own(bearer).delete('')).toBeProblem(401, 'second_factor.aal2_required');
    expect(await t.stateOf(userId)).toBe('approved');
    const { users, sessions } = t.app.services;
    const { accessToken } = await sessions.openBearer(await users.get(userId), {
      amr: ['otp', 'mfa'],
      acr: 'aal2',
      begun: t.now(),
      client: 'Firefox on macOS',
    });
    const strong = own({ authorization: `Bearer ${accessToken}` });
    expect((await strong.get('')).body).toMatchObject({ status: 'approved' });
    expect(await strong.delete('')).toMatchObject({ status: 204 });
    expect(await t.reasonOf(userId)).toBe('user');
    expect(await strong.delete('')).toMatchObject({ status: 204 });
  });
});

describe('a 2FA reset of somebody who still uses a factor', () => {
  it('is canceled by a sign-in with the app', async () => {
    const { userId, email, secret } = await t.approved();
    pass(minuteMs);
    const due = await t.firstFactor(email);
    await t.enterCode(due, '000000');
    expect(await t.stateOf(userId)).toBe('approved');
    const done = await t.enterCode(due, await t.totp(secret));
    expect(done.body).toMatchObject({ status: 'authenticated' });
    expect(await t.reasonOf(userId)).toBe('factor_used');
    await t.textTo(email, '2FA reset canceled');
  });

  it('is canceled by a backup code', async () => {
    const { userId, codes } = await t.newOwner();
    pass(minuteMs);
    await t.request(await t.newAdmin(), userId);
    await t.approve(await t.newAdmin(), userId);
    const query = { user_id: userId, code: codes[0] ?? '' };
    const used = await t.auth().post('/backup-codes/verify', undefined, { query });
    expect(used).toMatchObject({ status: 200 });
    expect(await t.reasonOf(userId)).toBe('factor_used');
  });

  it('is stopped when it is due if a use was not noticed at once', async () => {
    const { userId } = await t.approved();
    pass(hourMs);
    await t.app.stores.db
      .updateTable('totp_factors')
      .set({ last_used_at: new Date(t.now()) })
      .where('user_id', '=', userId)
      .execute();
    pass(dayMs);
    await t.runDue();
    expect(await t.reasonOf(userId)).toBe('factor_used');
    expect(await t.belongingsOf(userId)).toMatchObject({ app: true });
  });
});
