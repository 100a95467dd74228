import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseConfig } from '../../../src/config.ts';
import { dayMs } from '../../../src/lib/durations.ts';
import { ask, enter, inventory, me, ownersOf, parallel } from '../../support/abuse.ts';
import { asAdmin, freshApp, type FreshApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';

const dateIn = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
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
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'authenticated',
      user: { email: account, roles: [] },
    });
    await vi.waitFor(async () => expect(await actions('otp.refused')).toContain('review_account'));
    expect(app.services.outbox.list(account)).toEqual([]);
    expect((await actions('review_account.used')).length).toBe(1);
  });

  it('gets the answer of any other address to a request for its code', async () => {
    const [review, other] = [await ask(app, account), await ask(app, 'someone@example.com')];
    const shape = ({ status, body }: typeof review) => ({
      status,
      body: { ...body, verification_id: '', expires_at: '', to: '' },
    });
    expect(shape(review)).toEqual(shape(other));
    expect(review.body.code_length).toBe(6);
  });

  it('has a code that opens no other account', async () => {
    const email = 'person@example.com';
    const identity = { kind: 'email', key: email, value: email } as const;
    await app.services.users.signInAs(identity, {}, [], 'vouched');
    const { body: sent } = await ask(app, email);
    const refused = await enter(app, email, code, String(sent.verification_id));
    expect(refused).toMatchObject({ status: 400, body: { code: 'otp.invalid' } });
  });

  it('is locked by wrong codes like any other, which never sign in', async () => {
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
    const admin = new TestClient(app).as(asAdmin).at('/api/v1');
    for (const refused of [
      await admin.post('/invitations', { email: account, role: 'admin' }),
      await admin.post('/users', { email: account, roles: ['admin'] }),
    ])
      expect(refused).toBeProblem(403, 'users.review_account');
    expect((await app.services.users.get(userId)).roles).toEqual([]);
  });

  it('does not open the console', async () => {
    const { body } = await signIn();
    const headers = { authorization: `Bearer ${String(body.access_token)}` };
    const review = new TestClient(app).as(headers);
    for (const url of ['/api/svc/console/', '/api/v1/invitations'])
      expect((await review.get(url)).status).toBe(403);
  });

  it('is not signed in by the fixed code once its owner has a role', async () => {
    const [userId = ''] = await ownersOf(app, account);
    const users = app.stores.db.updateTable('users').where('id', '=', userId);
    await users.set({ roles: ['admin'] }).execute();
    const before = await inventory(app);
    const refused = await signIn();
    expect(refused).toMatchObject({ status: 403, body: { code: 'users.review_account' } });
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
    offset = 31 * dayMs;
    const refused = await enter(app, account, code, String(sent.verification_id));
    expect(refused).toMatchObject({ status: 400, body: { code: 'otp.invalid' } });
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
