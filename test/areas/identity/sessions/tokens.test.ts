import { afterEach, describe, expect, it } from 'vitest';
import { dayMs, minuteMs } from '../../../../src/lib/durations.ts';
import { freshApp } from '../../../support/app.ts';
import { ask, askCode, enter, inventory, me, parallel } from '../../../support/abuse.ts';
import { TestClient } from '../../../support/client.ts';
import { addUnverified, openBearer, openCookie } from '../../../support/sign-in.ts';

const secondMs = 1000;
const bossEmail = 'case35.boss@example.com';

let ahead = 0;
const now = () => Date.now() + ahead;
const app = await freshApp({
  env: { ADMIN_EMAILS: bossEmail, DEVICE_BINDING: 'none' },
  clock: { now },
});
const client = new TestClient(app);
await app.services.queues.start();
afterEach(() => void (ahead = 0));

type Headers = Record<string, string>;
const bearer = (token: unknown): Headers => ({ authorization: `Bearer ${String(token)}` });
const refresh = (token: unknown) =>
  client.post('/api/auth/token/refresh', { refresh_token: token });
const expectAlive = async (headers: Headers) => expect((await me(app, headers)).status).toBe(200);
const expectDead = async (headers: Headers) => expect((await me(app, headers)).status).toBe(401);
const expectNoGrant = async (token: unknown) =>
  expect(await refresh(token)).toBeProblem(400, 'auth.invalid_grant');
const rolesOf = async (headers: Headers) => (await me(app, headers)).body.roles;
const sessionIds = async (userId: string) =>
  (await app.services.sessions.list(userId)).map(({ id }) => id);
const reuses = async (userId: string) =>
  (await app.services.audit.list({ action: 'token.reuse_detected', actor_id: userId, limit: 10 }))
    .data;

describe('refresh tokens', () => {
  it('case 33 › two tabs within 30 seconds get the same successors', async () => {
    const { refreshToken, userId } = await openBearer(app, 'case33.tabs@example.com');
    const responses = await parallel(20, () => refresh(refreshToken));
    const { access_token, refresh_token } = responses[0]?.body ?? {};
    for (const response of responses)
      expect(response).toMatchObject({ status: 200, body: { access_token, refresh_token } });
    ahead = 25 * secondMs;
    const late = await refresh(refreshToken);
    expect(late.body.refresh_token).toBe(refresh_token);
    await expectAlive(bearer(late.body.access_token));
    expect(await refresh(late.body.refresh_token)).toMatchObject({ status: 200 });
    expect(await reuses(userId)).toEqual([]);
    expect(await sessionIds(userId)).toHaveLength(1);
  });

  it('case 33 › reusing a refresh token later ends its whole family and is audited', async () => {
    const email = 'case33.reuse@example.com';
    const { refreshToken, accessToken, userId, sessionId } = await openBearer(app, email);
    const other = await openBearer(app, email);
    const { body: next } = await refresh(refreshToken);
    ahead = 31 * secondMs;
    await expectNoGrant(refreshToken);
    for (const token of [accessToken, next.access_token]) await expectDead(bearer(token));
    for (const token of [refreshToken, next.refresh_token]) await expectNoGrant(token);
    const noted = await reuses(userId);
    expect(noted).toHaveLength(1);
    expect(noted[0]).toMatchObject({
      outcome: 'denied',
      actor: { id: userId },
      target: { kind: 'session', id: sessionId },
    });
    await expectAlive(other.bearer);
    expect(await sessionIds(userId)).toEqual([other.sessionId]);
  });

  it('case 33 › a token two generations old counts as stolen, also within 30 seconds', async () => {
    const { refreshToken, userId } = await openBearer(app, 'case33.steps@example.com');
    const { body: one } = await refresh(refreshToken);
    const { body: two } = await refresh(one.refresh_token);
    await expectNoGrant(refreshToken);
    for (const token of [one, two]) await expectDead(bearer(token.access_token));
    await expectNoGrant(two.refresh_token);
    expect(await reuses(userId)).toHaveLength(1);
  });

  it('case 33 › within 30 seconds concurrent requests add only one generation', async () => {
    const { refreshToken, userId } = await openBearer(app, 'case33.chain@example.com');
    await parallel(30, () => refresh(refreshToken));
    expect((await app.services.sessions.list(userId))[0]?.generation).toBe(1);
  });

  it('case 30 › access tokens live 15 minutes, and the session 30 days', async () => {
    const { refreshToken, bearer: first } = await openBearer(app, 'case30.tokens@example.com');
    const began = now();
    ahead = 10 * minuteMs;
    let { body: latest } = await refresh(refreshToken);
    await expectAlive(first);
    ahead = 15 * minuteMs + secondMs;
    await expectDead(first);
    await expectAlive(bearer(latest.access_token));
    ahead = 26 * minuteMs;
    await expectDead(bearer(latest.access_token));
    for (const days of [10, 20, 29.99]) {
      ahead = days * dayMs;
      latest = (await refresh(latest.refresh_token)).body;
      await expectAlive(bearer(latest.access_token));
      const end = now() + Number(latest.refresh_expires_in) * secondMs;
      expect(end - began).toBeLessThanOrEqual(30 * dayMs + 2 * secondMs);
    }
    ahead = 30 * dayMs + secondMs;
    await expectDead(bearer(latest.access_token));
    await expectNoGrant(latest.refresh_token);
  });

  it('case 34 › each token works only for its own purpose', async () => {
    const { refreshToken, accessToken, userId } = await openBearer(app, 'case34@example.com');
    const { cookie } = await openCookie(app, 'case34@example.com');
    const before = await inventory(app);
    const renamed = (token: string, prefix: string) => token.replace(/^svc._/, prefix);
    for (const token of [refreshToken, cookie]) {
      await expectDead(bearer(token));
      await expectDead(bearer(renamed(token, 'svca_')));
    }
    for (const token of [refreshToken, accessToken]) {
      await expectDead({ cookie: `svc_session=${token}` });
      await expectDead({ cookie: `svc_session=${renamed(token, 'svcs_')}` });
    }
    for (const token of [accessToken, cookie]) {
      await expectNoGrant(token);
      await expectNoGrant(renamed(token, 'svcr_'));
    }
    expect(await inventory(app)).toEqual(before);
    expect(await reuses(userId)).toEqual([]);
    await expectAlive(bearer(accessToken));
  });

  it('case 34 › a token with another session, user or generation is invalid', async () => {
    const mine = await openBearer(app, 'case34.mine@example.com');
    const theirs = await openBearer(app, 'case34.theirs@example.com');
    const bytes = (token: string) => Buffer.from(token.slice(5), 'base64url');
    const mixed = (prefix: string, head: string, tail: string) => {
      const parts = [bytes(head).subarray(0, 36), bytes(tail).subarray(36)];
      return prefix + Buffer.concat(parts).toString('base64url');
    };
    const next = Buffer.from(bytes(mine.refreshToken));
    next.writeUInt32BE(1, 32);
    await expectNoGrant(mixed('svcr_', theirs.refreshToken, mine.refreshToken));
    await expectNoGrant(`svcr_${next.toString('base64url')}`);
    await expectDead(bearer(mixed('svca_', theirs.accessToken, mine.accessToken)));
    for (const each of [mine, theirs]) {
      await expectAlive(each.bearer);
      expect(await refresh(each.refreshToken)).toMatchObject({ status: 200 });
    }
  });
});

describe('current rights', () => {
  const keysStatus = async (headers: Headers) =>
    (await client.get('/api/v1/api-keys', { headers })).status;
  const session = (begun: number) =>
    ({ amr: ['otp'], acr: 'aal1', begun, client: 'test' }) as const;
  const newUser = async (email: string) =>
    (await app.services.users.signInAs({ kind: 'email', key: email, value: email })).user;
  const change = (userId: string, values: { disabled_at?: Date; roles?: [] }) =>
    app.stores.db.updateTable('users').set(values).where('id', '=', userId).execute();

  it("case 35 › a disabled user is signed out at once and can't sign in again", async () => {
    const to = 'case35.disabled@example.com';
    const { bearer: token, refreshToken, userId } = await openBearer(app, to);
    const cookie = await openCookie(app, to);
    const { code, id } = await askCode(app, to);
    await expectAlive(token);
    await app.services.users.setDisabled(userId, true);
    await expectDead(token);
    await expectDead(cookie.headers);
    await expectNoGrant(refreshToken);
    const before = await inventory(app);
    expect(await enter(app, to, code, id)).toMatchObject({ status: 403 });
    await expect(openCookie(app, to)).rejects.toMatchObject({ status: 403 });
    expect(await inventory(app)).toEqual(before);
    await app.services.users.setDisabled(userId, false);
    await expectDead(token);
    await openBearer(app, to);
  });

  it('case 35 › a removed role is gone at the next request', async () => {
    const { bearer: token, userId } = await openBearer(app, 'case35.admin@example.com');
    expect(await keysStatus(token)).toBe(403);
    await app.services.users.setRoles(userId, ['admin']);
    expect(await keysStatus(token)).toBe(200);
    await app.services.users.setRoles(userId, []);
    expect(await keysStatus(token)).toBe(403);
    expect(await rolesOf(token)).toEqual([]);
  });

  it('case 35 › a role removed during a sign-in is not in the new session', async () => {
    const user = await newUser('case35.while@example.com');
    const admin = await app.services.users.setRoles(user.id, ['admin']);
    await app.services.users.setRoles(user.id, []);
    const { accessToken } = await app.services.sessions.openBearer(admin, session(now()));
    expect(await keysStatus(bearer(accessToken))).toBe(403);
    expect(await rolesOf(bearer(accessToken))).toEqual([]);
  });

  it("case 35 › a user disabled during a sign-in can't use the session", async () => {
    const user = await newUser('case35.meanwhile@example.com');
    const { sessions, users } = app.services;
    const begun = now();
    await users.setDisabled(user.id, true);
    const opened = await sessions.openBearer(user, session(begun)).catch(() => undefined);
    if (opened !== undefined) await expectDead(bearer(opened.accessToken));
    await expect(sessions.openBearer(user, session(begun - 1))).rejects.toMatchObject({
      code: 'auth.revoked_meanwhile',
    });
  });

  it('case 35 › changes by another process apply within a minute', async () => {
    const { bearer: token, userId } = await openBearer(app, 'case35.replica@example.com');
    await expectAlive(token);
    await change(userId, { disabled_at: new Date() });
    ahead = minuteMs + secondMs;
    await expectDead(token);
  });

  it('case 35 › changes apply just as fast after the clock was set back', async () => {
    const email = 'case35.clock@example.com';
    const { bearer: token, userId } = await openBearer(app, email);
    ahead = 60 * minuteMs;
    // The first access token has expired by then, so sign in with the clock ahead.
    const later = await openBearer(app, email);
    expect(await rolesOf(later.bearer)).toEqual([]);
    ahead = 0;
    await app.services.users.setRoles(userId, ['admin']);
    expect(await rolesOf(token)).toEqual(['admin']);
    await change(userId, { roles: [] });
    ahead = minuteMs + secondMs;
    expect(await rolesOf(token)).toEqual([]);
  });

  it('case 35 › configured admins are admins only by a verified address', async () => {
    const boss = await openBearer(app, 'Case35.Boss@example.com');
    expect(await rolesOf(boss.bearer)).toEqual(['admin']);
    for (const email of [`${bossEmail}.evil.test`, `x${bossEmail}`, 'case35.boss+x@example.com']) {
      const { bearer: token } = await openBearer(app, email);
      expect(await rolesOf(token)).toEqual([]);
    }
  });
});

describe('unverified addresses', () => {
  it('case 43 › claiming an address gives no access to the user who verifies it', async () => {
    const { users } = app.services;
    const [email, victim] = ['case43.attacker@example.com', 'case43.victim@example.com'];
    const attacker = await openBearer(app, email);
    const cookie = await openCookie(app, email);
    const claimed = await addUnverified(app, attacker.userId, victim);
    expect(await users.ownerOf(claimed)).toBeUndefined();
    const person = await openBearer(app, victim);
    expect(person.userId).not.toBe(attacker.userId);
    expect((await users.ownerOf(claimed))?.id).toBe(person.userId);
    expect((await me(app, person.bearer)).body).toMatchObject({
      email: victim,
      email_verified: true,
    });
    for (const headers of [attacker.bearer, cookie.headers])
      expect((await me(app, headers)).body.email).toBe(email);
    expect((await refresh(attacker.refreshToken)).body.user).not.toMatchObject({ email: victim });
    expect(await sessionIds(person.userId)).toEqual([person.sessionId]);
    const { identities } = await users.get(attacker.userId);
    expect(identities.map(({ key }) => key)).toEqual([email]);
  });

  it('case 43 › a claimed address makes no user an admin', async () => {
    const email = 'case43.climber@example.com';
    const { userId } = await openBearer(app, email);
    await addUnverified(app, userId, bossEmail);
    const again = await openBearer(app, email);
    expect((await me(app, again.bearer)).body).toMatchObject({ email, roles: [] });
  });
});

describe('caching', () => {
  it('case 37 › responses about users and tokens are never stored', async () => {
    const [to, other] = ['case37@example.com', 'case37.other@example.com'];
    const signedIn = await openBearer(app, to);
    const cookie = await openCookie(app, to);
    const { code, id } = await askCode(app, to);
    const responses = {
      send: await ask(app, other),
      wrong: await enter(app, other, '000000'),
      verified: await enter(app, to, code, id),
      me: await me(app, signedIn.bearer),
      cookie: await me(app, cookie.headers),
      nobody: await me(app),
      stranger: await me(app, bearer('svca_x')),
      stale: await me(app, { cookie: 'svc_session=x' }),
      sessions: await client.get('/auth/sessions', { headers: signedIn.bearer }),
      noSessions: await client.get('/auth/sessions'),
      refreshed: await refresh(signedIn.refreshToken),
      notRefreshed: await refresh('x'),
      invalid: await client.post('/api/auth/otp/verify', {}),
      mobile: await client.post('/api/cmyk/auth/otp/verify', {
        phone: '+14155550137',
        code: '000000',
      }),
    };
    for (const [name, { headers }] of Object.entries(responses)) {
      expect(headers['cache-control'], name).toBe('no-store');
      const vary = String(headers.vary).toLowerCase().split(/,\s*/).sort();
      expect(vary, name).toEqual(['authorization', 'cookie']);
    }
    const status = await client.get('/api/auth/status', { headers: cookie.headers });
    expect(status.headers['cache-control']).toBe('no-store');
    await client.mailTo(other);
    expect(client.outbox(other)).toHaveLength(1);
  });
});
