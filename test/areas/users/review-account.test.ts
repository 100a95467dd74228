import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseConfig } from '../../../src/config.ts';
import { ask, enter, inventory, me, ownersOf, parallel } from '../../support/abuse.ts';
import { asAdmin, freshApp, type FreshApp } from '../../support/app.ts';
import { post } from '../../support/sign-in.ts';

const day = 86_400_000;
const dateIn = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10);
const account = 'review@example.com';
const code = '48291357';
const settings = { REVIEW_ACCOUNT: account, REVIEW_CODE: code, REVIEW_UNTIL: dateIn(30) };

let app: FreshApp;
let offset = 0;
const clock = { now: () => Date.now() + offset };
beforeAll(async () => {
  app = await freshApp({
    clock,
    env: { ...settings, SIGN_UP: 'invitation', OTP_LIMITS: 'off' },
  });
  await app.services.queues.start();
}, 120_000);
afterAll(() => app.close());
beforeEach(() => {
  offset = 0;
});

async function signIn(entered = code) {
  const { body: sent } = await ask(app, account);
  return enter(app, account, entered, String(sent.verification_id));
}
const actions = async (action: string) => {
  await app.services.audit.settled();
  const { data } = await app.services.audit.list({ action, limit: 100 });
  return data.map(({ reason }) => reason);
};

describe('the review account', () => {
  it('signs in with its fixed code, gets no message, and is audited', async () => {
    const { status, body } = await signIn();
    expect({ status, bodyStatus: body.status }).toEqual({
      status: 200,
      bodyStatus: 'authenticated',
    });
    expect(body.user).toMatchObject({ email: account, roles: [] });
    await vi.waitFor(async () => expect(await actions('otp.refused')).toContain('review_account'));
    expect(app.services.outbox.list(account)).toEqual([]);
    expect((await actions('review_account.used')).length).toBe(1);
  });

  it('the answer to a request for its code is that of any other address', async () => {
    const [review, other] = [await ask(app, account), await ask(app, 'someone@example.com')];
    const shape = ({ status, body }: typeof review) => ({
      status,
      body: { ...body, verification_id: '', expires_at: '', to: '' },
    });
    expect(shape(review)).toEqual(shape(other));
    expect(review.body.code_length).toBe(6);
  });

  it('the fixed code opens no other account', async () => {
    const email = 'person@example.com';
    const identity = { kind: 'email', key: email, value: email } as const;
    await app.services.users.signInAs(identity, {}, [], 'vouched');
    const { body: sent } = await ask(app, email);
    const refused = await enter(app, email, code, String(sent.verification_id));
    expect({ status: refused.status, code: refused.body.code }).toEqual({
      status: 400,
      code: 'otp.invalid',
    });
  });

  it('guessing: wrong codes lock it like any other, and never sign in', async () => {
    const before = await inventory(app);
    const { body: sent } = await ask(app, account);
    const answers = await parallel(40, (at) =>
      enter(app, account, String(10_000_000 + at), String(sent.verification_id)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 429]));
    expect((await inventory(app)).sessions).toBe(before.sessions);
    for (const key of await app.stores.redis.keys('otp:*:lock')) await app.stores.redis.del(key);
    for (const key of await app.stores.redis.keys('otp:*:failures'))
      await app.stores.redis.del(key);
  });

  it('never gets a role: not by an admin, by an invitation, or by the settings', async () => {
    const [userId = ''] = await ownersOf(app, account);
    const refusal = { code: 'users.review_account' };
    await expect(app.services.users.setRoles(userId, ['viewer'])).rejects.toMatchObject(refusal);
    await expect(
      app.services.users.changeAccess(userId, undefined, () => ({ roles: ['admin'] })),
    ).rejects.toMatchObject(refusal);
    const invited = await post(
      app,
      '/api/v1/invitations',
      { email: account, role: 'admin' },
      asAdmin,
    );
    expect({ status: invited.status, code: invited.body.code }).toEqual({
      status: 403,
      code: 'users.review_account',
    });
    const created = await post(app, '/api/v1/users', { email: account, roles: ['admin'] }, asAdmin);
    expect({ status: created.status, code: created.body.code }).toEqual({
      status: 403,
      code: 'users.review_account',
    });
    expect((await app.services.users.get(userId)).roles).toEqual([]);
  });

  it('does not open the console', async () => {
    const { body } = await signIn();
    const headers = { authorization: `Bearer ${String(body.access_token)}` };
    const answer = await app.http.inject({ url: '/api/svc/console/', headers });
    expect(answer.statusCode).toBe(403);
    expect((await app.http.inject({ url: '/api/v1/invitations', headers })).statusCode).toBe(403);
  });

  it('hijacked setting: an owner with a role can’t be signed in by the fixed code', async () => {
    const [userId = ''] = await ownersOf(app, account);
    const users = app.stores.db.updateTable('users').where('id', '=', userId);
    await users.set({ roles: ['admin'] }).execute();
    const before = await inventory(app);
    const refused = await signIn();
    expect({ status: refused.status, code: refused.body.code }).toEqual({
      status: 403,
      code: 'users.review_account',
    });
    expect((await inventory(app)).sessions).toBe(before.sessions);
    await users.set({ roles: [] }).execute();
  });

  it('is shown to admins as a warning, without its code', () => {
    const warning = app.services.health.warnings.find(
      ({ variable }) => variable === 'REVIEW_ACCOUNT',
    );
    expect(warning?.message).toContain(settings.REVIEW_UNTIL);
    expect(JSON.stringify(app.services.health.warnings)).not.toContain(code);
    expect(app.log()).not.toContain(code);
  });

  it('stops working after REVIEW_UNTIL: no code signs in, no session lives on', async () => {
    const { body } = await signIn();
    const headers = { authorization: `Bearer ${String(body.access_token)}` };
    expect((await me(app, headers)).status).toBe(200);
    const { body: sent } = await ask(app, account);
    offset = 31 * day;
    const refused = await enter(app, account, code, String(sent.verification_id));
    expect({ status: refused.status, code: refused.body.code }).toEqual({
      status: 400,
      code: 'otp.invalid',
    });
    expect((await signIn()).status).toBe(400);
    const [userId = ''] = await ownersOf(app, account);
    await app.services.reviewSessions.endIfOver();
    expect(await app.services.sessions.list(userId)).toEqual([]);
    expect((await me(app, headers)).status).toBe(401);
    expect(app.services.outbox.list(account)).toEqual([]);
  });
});

describe('the settings of the review account', () => {
  it.each([
    [{ REVIEW_UNTIL: undefined }, 'REVIEW_UNTIL: is missing'],
    [{ REVIEW_CODE: undefined }, 'REVIEW_CODE: is missing'],
    [{ REVIEW_ACCOUNT: undefined }, 'REVIEW_ACCOUNT: is missing'],
    [{ REVIEW_UNTIL: dateIn(92) }, 'at most 90 days'],
    [{ REVIEW_UNTIL: 'soon' }, 'REVIEW_UNTIL'],
    [{ REVIEW_CODE: '12345' }, 'must have 6 to 12 digits'],
    [{ REVIEW_CODE: '123456' }, 'is guessable'],
    [{ REVIEW_CODE: '111111' }, 'is guessable'],
    [{ REVIEW_ACCOUNT: 'reviewer' }, 'must be an email address'],
    [{ ADMIN_EMAILS: 'Review@example.com' }, 'must not be in ADMIN_EMAILS'],
  ])('%j is refused at the start', (env, message) => {
    expect(() => parseConfig({ ...settings, ...env })).toThrow(message);
  });

  it.each([dateIn(90), dateIn(-400)])('may end on %s', (until) => {
    expect(parseConfig({ ...settings, REVIEW_UNTIL: until }).REVIEW_UNTIL).toBe(until);
  });
});
