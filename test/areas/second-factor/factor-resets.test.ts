import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import type { TestApp } from '../../support/app.ts';
import { clockFromNoon } from '../../support/clock.ts';
import { post } from '../../support/sign-in.ts';
import { createResetTests, follow, type Person, tokenIn } from './resets-support.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
let app: TestApp;
let offset = 0;
const noon = clockFromNoon();
const clock = { now: () => noon.now() + offset };
const t = createResetTests(() => app, clock.now);
let ada: Person;
let bob: Person;

beforeAll(async () => {
  app = await sharedApp('people', { clock });
}, 60_000);

// Fresh sign-ins: the clock moves by days.
beforeEach(async () => {
  await app.stores.db.updateTable('users').set({ roles: [] }).execute();
  [ada, bob] = [await t.admin(), await t.admin()];
});

async function approved() {
  const owner = await t.owner();
  expect((await t.request(ada, owner.userId)).status).toBe(201);
  expect((await t.approve(bob, owner.userId)).status).toBe(200);
  return owner;
}

describe('a 2FA reset', () => {
  it('lets an owner back in a day after the second admin, and not a minute before', async () => {
    const owner = await t.owner();
    const { userId, email } = owner;
    const requested = await t.request(ada, userId);
    expect(requested).toMatchObject({
      status: 201,
      body: { status: 'requested', requested_by: ada.userId, takes_effect_at: null },
    });
    await t.textTo(email, '2FA reset requested');
    await t.textTo(bob.email, '2FA reset needs approval');
    const { body } = await t.approve(bob, userId);
    expect(body).toMatchObject({ status: 'approved', approved_by: bob.userId });
    const dueAt = Date.parse(String(body.takes_effect_at));
    expect(dueAt).toBe(Date.parse(String(body.approved_at)) + dayMs);
    await t.textTo(email, '2FA reset approved');
    const before = await t.belongingsOf(userId);
    expect(before).toMatchObject({ app: true, codes: 10, sessions: 1 });

    offset += dayMs - minuteMs;
    await t.runDue();
    expect(await t.belongingsOf(userId)).toEqual(before);
    expect(await t.stateOf(userId)).toBe('approved');
    expect(await t.firstFactor(email)).toMatchObject({ status: 'mfa_required' });

    offset += 2 * minuteMs;
    await t.runDue();
    expect(await t.belongingsOf(userId)).toEqual({
      app: false,
      passkeys: 0,
      codes: 0,
      sessions: 0,
      devices: 0,
    });
    expect(await t.stateOf(userId)).toBe('completed');
    const told = await t.textTo(email, 'Two-factor authentication removed');
    expect(told).toContain('help@example.com');
    await t.textTo(ada.email, '2FA reset completed');
    const actions = await t.actionsOf(userId);
    for (const step of ['requested', 'approved', 'completed'])
      expect(actions.filter((action) => action === `factor_reset.${step}`)).toHaveLength(1);
    expect(actions.filter((action) => action === 'second_factor.removed')).toHaveLength(2);
    expect(await t.firstFactor(email)).toMatchObject({ status: 'authenticated' });
    expect(app.log()).not.toContain(email);
    await t.runDue();
    expect((await t.actionsOf(userId)).filter((each) => each.endsWith('.completed'))).toHaveLength(
      1,
    );
  });

  it('is told to every address and number of the user, with the link in the text too', async () => {
    const owner = await t.owner();
    const second = `second-${owner.email}`;
    const phone = `+1415555${String(Math.floor(Math.random() * 9000) + 1000)}`;
    const { users } = app.services;
    await users.link(owner.userId, { kind: 'email', key: second, value: second });
    await users.link(owner.userId, { kind: 'phone', key: phone, value: phone });
    await t.request(ada, owner.userId);
    const tokens = await Promise.all(
      [owner.email, second, phone].map(async (to) =>
        tokenIn(await t.textTo(to, '2FA reset requested')),
      ),
    );
    expect(new Set(tokens).size).toBe(1);
    for (const admin of [ada, bob]) {
      const text = await t.textTo(admin.email, '2FA reset needs approval');
      expect(text).toContain(`/api/svc/console/users/${owner.userId}`);
      expect(text).not.toContain(String(tokens[0]));
    }
    const rows = await app.stores.db.selectFrom('factor_resets').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(String(tokens[0]));
    expect(app.log()).not.toContain(String(tokens[0]));
  });

  it('is shown to admins, open or last, and 404 before there is one', async () => {
    const owner = await t.owner();
    expect(await t.show(ada, owner.userId)).toMatchObject({
      status: 404,
      body: { code: 'factor_resets.not_found' },
    });
    await t.request(ada, owner.userId);
    expect((await t.show(bob, owner.userId)).body).toMatchObject({
      status: 'requested',
      reason: 'Lost phone and codes.',
    });
    expect(JSON.stringify((await t.show(bob, owner.userId)).body)).not.toContain('token');
    expect((await t.cancel(bob, owner.userId)).status).toBe(204);
    expect((await t.show(ada, owner.userId)).body).toMatchObject({
      status: 'canceled',
      canceled_by: bob.userId,
      cancel_reason: 'admin',
    });
    expect((await t.cancel(ada, owner.userId)).status).toBe(204);
  });

  it('expires after seven days without an approval, and everybody is told', async () => {
    const owner = await t.owner();
    await t.request(ada, owner.userId);
    offset += 7 * dayMs - minuteMs;
    await t.runDue();
    expect(await t.stateOf(owner.userId)).toBe('requested');
    offset += 2 * minuteMs;
    const late = await t.admin();
    expect((await t.approve(late, owner.userId)).body.code).toBe('factor_resets.not_found');
    await t.runDue();
    expect(await t.stateOf(owner.userId)).toBe('expired');
    await t.textTo(owner.email, '2FA reset expired');
    expect(await t.actionsOf(owner.userId)).toContain('factor_reset.expired');
    expect((await t.belongingsOf(owner.userId)).app).toBe(true);
  });

  it('is canceled by the link of a message, without a sign-in', async () => {
    const owner = await approved();
    const token = tokenIn(await t.textTo(owner.email, '2FA reset approved'));
    const answer = await follow(app, 'POST', token);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
    });
    expect(await t.reasonOf(owner.userId)).toBe('link');
    await t.textTo(owner.email, '2FA reset canceled');
    await t.textTo(ada.email, '2FA reset canceled');
    offset += 2 * dayMs;
    await t.runDue();
    expect((await t.belongingsOf(owner.userId)).app).toBe(true);
  });

  it('is canceled by its user from a session with the second factor', async () => {
    const owner = await approved();
    const own = async (bearer: Person['bearer'], method: 'GET' | 'DELETE') =>
      app.http.inject({ method, url: '/api/v1/users/me/factor-reset', headers: bearer });
    // The session that set the factor up has not used it.
    const refused = await own(owner.bearer, 'DELETE');
    expect({ status: refused.statusCode, code: refused.json<{ code: string }>().code }).toEqual({
      status: 401,
      code: 'second_factor.aal2_required',
    });
    expect(await t.stateOf(owner.userId)).toBe('approved');
    const user = await app.services.users.get(owner.userId);
    const { tokens } = {
      tokens: await app.services.sessions.openBearer(user, {
        amr: ['otp', 'mfa'],
        acr: 'aal2',
        begun: clock.now(),
        client: 'Firefox on macOS',
      }),
    };
    const bearer = { authorization: `Bearer ${tokens.accessToken}` };
    expect((await own(bearer, 'GET')).json()).toMatchObject({ status: 'approved' });
    expect((await own(bearer, 'DELETE')).statusCode).toBe(204);
    expect(await t.reasonOf(owner.userId)).toBe('user');
    expect((await own(bearer, 'DELETE')).statusCode).toBe(204);
  });
});

describe('whoever uses a factor has not lost every one', () => {
  it('so a sign-in with the app cancels the reset', async () => {
    const owner = await approved();
    offset += minuteMs;
    const { mfa_token: token } = await t.firstFactor(owner.email);
    const code = await t.totp(owner.secret);
    await post(app, '/api/auth/otp/verify', { mfa_token: token, code: '000000' });
    expect(await t.stateOf(owner.userId)).toBe('approved');
    const done = await post(app, '/api/auth/otp/verify', { mfa_token: token, code });
    expect(done.body.status).toBe('authenticated');
    expect(await t.reasonOf(owner.userId)).toBe('factor_used');
    await t.textTo(owner.email, '2FA reset canceled');
  });

  it('so a backup code cancels it, too', async () => {
    const owner = await t.owner();
    const from = { address: '203.0.113.9', requestId: 'request-of-a-test' };
    const { codes } = await app.services.secondFactor.newBackupCodes(owner.userId, from);
    offset += minuteMs;
    [ada, bob] = [await t.admin(), await t.admin()];
    await t.request(ada, owner.userId);
    await t.approve(bob, owner.userId);
    const query = { user_id: owner.userId, code: codes[0] ?? '' };
    const url = '/api/auth/backup-codes/verify';
    expect((await app.http.inject({ method: 'POST', url, query })).statusCode).toBe(200);
    expect(await t.reasonOf(owner.userId)).toBe('factor_used');
  });

  it('so a use that was not noticed at once stops the reset when it is due', async () => {
    const owner = await approved();
    offset += hourMs;
    await app.stores.db
      .updateTable('totp_factors')
      .set({ last_used_at: new Date(clock.now()) })
      .where('user_id', '=', owner.userId)
      .execute();
    offset += dayMs;
    await t.runDue();
    expect(await t.reasonOf(owner.userId)).toBe('factor_used');
    expect((await t.belongingsOf(owner.userId)).app).toBe(true);
  });
});
