import { beforeEach, describe, expect, it, vi } from 'vitest';
import { parseConfig } from '../../../../src/config.ts';
import { dayMs } from '../../../../src/lib/durations.ts';
import { ask, enter, inventory, me, ownersOf, parallel } from '../../../support/abuse.ts';
import { asAdmin, freshApp } from '../../../support/app.ts';
import { TestClient } from '../../../support/client.ts';
import { ScimClient } from '../scim/client.ts';

const dateIn = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
const account = 'review@example.com';
const code = '48291357';
const settings = { REVIEW_ACCOUNT: account, REVIEW_CODE: code, REVIEW_UNTIL: dateIn(30) };

let offset = 0;
const clock = { now: () => Date.now() + offset };
const app = await freshApp({
  clock,
  env: { ...settings, SIGN_UP: 'invitation', OTP_LIMITS: 'off' },
});
await app.services.queues.start();
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
    await app.services.users.signInAs(identity, { isVouched: true });
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
      app.services.users.change(userId, {
        access: { by: undefined, next: () => ({ roles: ['admin'] }) },
      }),
    ).rejects.toMatchObject(refusal);
    const admin = new TestClient(app).as(asAdmin).at('/api/v1');
    for (const refused of [
      await admin.post('/invitations', { email: account, role: 'admin' }),
      await admin.post('/users', { email: account, roles: ['admin'] }),
    ])
      expect(refused).toBeProblem(403, 'users.review_account');
    expect((await app.services.users.get(userId)).roles).toEqual([]);
  });

  it('keeps its contacts, second factors and itself, whoever holds the code', async () => {
    const { body } = await signIn();
    const headers = { authorization: `Bearer ${String(body.access_token)}` };
    const holder = new TestClient(app).as(headers);
    const [userId = ''] = await ownersOf(app, account);
    const before = await inventory(app);
    for (const refused of [
      await holder.post('/api/v1/users/me/email', { email: 'mine@evil.example' }),
      await holder.post('/api/v1/users/me/phone', { phone: '+14155550171' }),
      await holder.post('/api/auth/2fa/totp'),
      await holder.delete('/api/auth/2fa/totp'),
      await holder.post('/api/auth/backup-codes'),
      await holder.post('/api/auth/2fa/passkeys/options'),
      await holder.post('/api/v1/users/me/deletion'),
    ])
      expect(refused).toBeProblem(403, 'users.review_account');
    expect(await inventory(app)).toEqual(before);
    expect(app.services.outbox.list('mine@evil.example')).toEqual([]);
    expect((await app.services.users.get(userId)).identities).toEqual([
      { kind: 'email', key: account, value: account },
    ]);
    expect(await app.services.secondFactor.statusOf(userId)).toMatchObject({
      isEnabled: false,
      totp: undefined,
      backupCodes: { left: 0 },
    });
  });

  it('gets no contact over SCIM, which may still lock it out', async () => {
    const [userId = ''] = await ownersOf(app, account);
    const scim = new ScimClient(app);
    const [email, phone] = [
      { op: 'replace', path: 'emails', value: [{ value: 'mine@evil.example' }] },
      { op: 'replace', path: 'phoneNumbers', value: [{ value: '+14155550171' }] },
    ];
    for (const refused of [email, phone])
      expect(await scim.patch(userId, refused)).toMatchObject({ status: 403 });
    const lockOut = { op: 'replace', path: 'active', value: false };
    expect(await scim.patch(userId, email, phone, lockOut)).toMatchObject({
      status: 200,
      body: { active: false, emails: [{ value: account }], phoneNumbers: [] },
    });
    expect(await scim.replace(userId, 'active', true)).toMatchObject({ status: 200 });
  });

  it('is not signed in by a provider that vouches for it, which makes no account', async () => {
    const [userId = ''] = await ownersOf(app, account);
    const elsewhere = { kind: 'idp', key: 'https://idp.example 1', value: '1' } as const;
    const own = { kind: 'email', key: account, value: account } as const;
    const refusal = { code: 'users.review_account' };
    const before = await inventory(app);
    const { users } = app.services;
    await expect(users.signInAs(elsewhere, { also: [own] })).rejects.toMatchObject(refusal);
    await expect(users.signInAs(elsewhere, { also: [own], isVouched: true })).rejects.toMatchObject(
      refusal,
    );
    await users.signInAs(own, { also: [elsewhere] });
    expect((await users.get(userId)).identities).toEqual([own]);
    expect(await inventory(app)).toEqual(before);
  });

  it('does not become the first admin, and the link stays', async () => {
    const own = { kind: 'email', key: account, value: account } as const;
    const from = { address: '192.0.2.1', requestId: 'x', client: 'x', begun: clock.now() };
    const accepted = app.services.firstAdmin.accept('x'.repeat(43), own, undefined, {
      ...from,
      deviceTokens: [],
    });
    await expect(accepted).rejects.toMatchObject({ code: 'users.review_account' });
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
    const other = { kind: 'phone', key: '+14155550172', value: '+14155550172' } as const;
    const [owner = ''] = await ownersOf(app, account);
    await app.services.users.link(owner, other);
    const own = { kind: 'email', key: account, value: account } as const;
    offset = 31 * dayMs;
    for (const identity of [own, other])
      await expect(
        app.services.users.signInAs(identity, { isVouched: true }),
      ).rejects.toMatchObject({
        code: 'users.review_account',
      });
    const refreshed = await new TestClient(app).post('/api/auth/token/refresh', {
      refresh_token: body.refresh_token,
    });
    expect(refreshed.body).toMatchObject({ code: 'auth.invalid_grant' });
    const refused = await enter(app, account, code, String(sent.verification_id));
    expect(refused).toMatchObject({ status: 400, body: { code: 'otp.invalid' } });
    expect((await signIn()).status).toBe(400);
    const [userId = ''] = await ownersOf(app, account);
    await app.services.reviewSessions.endIfOver();
    expect(await app.services.sessions.list(userId)).toEqual([]);
    expect((await me(app, headers)).status).toBe(401);
    expect(app.services.outbox.list(account)).toEqual([]);
  });

  it('gets no role before its first sign-in either', async () => {
    const [userId = ''] = await ownersOf(app, account);
    const admin = new TestClient(app).as(asAdmin).at('/api/v1/users');
    await admin.delete(`/${userId}`);
    const { body } = await admin.post<{ id: string }>('', { email: account });
    expect(await admin.patch(`/${body.id}`, { roles: ['viewer'] })).toBeProblem(
      403,
      'users.review_account',
    );
    expect((await app.services.users.get(body.id)).roles).toEqual([]);
    expect((await signIn()).body).toMatchObject({ user: { id: body.id, roles: [] } });
  });
});

describe('the address of the review account', () => {
  const own = { kind: 'email', key: account, value: account } as const;
  const refusal = { code: 'users.review_account' };
  const isProved = async () => {
    const query = app.stores.db.selectFrom('identities').select('verified_at');
    return (await query.where('key', '=', account).execute()).map(
      (row) => row.verified_at !== null,
    );
  };

  beforeEach(async () => {
    const admin = new TestClient(app).as(asAdmin).at('/api/v1/users');
    for (const id of await ownersOf(app, account)) await admin.delete(`/${id}`);
    expect(await ownersOf(app, account)).toEqual([]);
  });

  it('is given over SCIM to nobody who has a role', async () => {
    const scim = new ScimClient(app);
    const { id } = await scim.create({ userName: 'roled@example.com' });
    await app.services.users.setRoles(id, ['viewer']);
    const before = await scim.get(id);
    const emails = { op: 'replace', path: 'emails', value: [{ value: account }] };
    const body = { userName: account, active: true };
    for (const refused of [
      await scim.patch(id, emails),
      await scim.replace(id, 'userName', account),
      await scim.call('PUT', `/Users/${id}`, { body }),
    ])
      expect(refused.status, refused.text).toBe(403);
    expect(await scim.get(id)).toEqual(before);
    expect(await ownersOf(app, account)).toEqual([]);
    const off = { op: 'replace', path: 'active', value: false };
    expect(await scim.patch(id, emails, off)).toMatchObject({
      status: 200,
      body: { active: false, emails: [{ value: 'roled@example.com' }] },
    });
  });

  it('is given to nobody who has a role and comes back over SCIM', async () => {
    const scim = new ScimClient(app);
    const phoneNumbers = [{ type: 'mobile', value: '+14155550188' }];
    const { id } = await scim.create({ userName: 'back@example.com', phoneNumbers });
    await scim.call('DELETE', `/Users/${id}`);
    await app.services.users.setRoles(id, ['viewer']);
    const body = { userName: account, phoneNumbers };
    expect((await scim.call('POST', '/Users', { body })).status).toBe(403);
    expect(await ownersOf(app, account)).toEqual([]);
    expect((await scim.call('GET', `/Users/${id}`)).status).toBe(404);
  });

  it('is not verified by a sign-in that is refused for a role', async () => {
    const scim = new ScimClient(app);
    const { id } = await scim.create({ userName: account });
    const users = app.stores.db.updateTable('users').where('id', '=', id);
    await users.set({ roles: ['admin'] }).execute();
    expect((await signIn()).status).toBe(403);
    expect(await isProved()).toEqual([false]);
    await users.set({ roles: [] }).execute();
    expect((await signIn()).status).toBe(200);
    expect(await isProved()).toEqual([true]);
  });

  it('is not added to somebody with a role who verifies another identity with it', async () => {
    const other = { kind: 'phone', key: '+14155550189', value: '+14155550189' } as const;
    const { user } = await app.services.users.signInAs(other, { isVouched: true });
    await app.services.users.setRoles(user.id, ['admin']);
    await expect(app.services.users.signInAs(own, { also: [other] })).rejects.toMatchObject(
      refusal,
    );
    await expect(app.services.users.link(user.id, own)).rejects.toMatchObject(refusal);
    expect(await ownersOf(app, account)).toEqual([]);
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
