import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { ask, askCode, enter, inventory, me, parallel } from '../../support/abuse.ts';
import { openBearer, openCookie, post } from '../../support/sign-in.ts';

const [second, minute, day] = [1000, 60_000, 86_400_000];

let ahead = 0;
const now = () => Date.now() + ahead;
let app: FreshApp;
beforeAll(async () => {
  app = await freshApp({
    env: { ADMIN_EMAILS: 'case35.boss@example.com', DEVICE_BINDING: 'none' },
    clock: { now },
  });
  await app.services.queues.start();
}, 30_000);
afterEach(() => void (ahead = 0));
afterAll(() => app.close());

const refresh = (token: unknown) => post(app, '/api/auth/token/refresh', { refresh_token: token });
const bearer = (token: unknown) => ({ authorization: `Bearer ${String(token)}` });
const invalidGrant = { status: 400, body: { code: 'auth.invalid_grant' } };
const reuses = async (userId: string) =>
  (await app.services.audit.list({ action: 'token.reuse_detected', actor_id: userId, limit: 10 }))
    .data;

describe('refresh tokens', () => {
  it('case 33 › two tabs within 30 seconds get the same successors', async () => {
    const { refreshToken, userId } = await openBearer(app, 'case33.tabs@example.com');
    const responses = await parallel(20, () => refresh(refreshToken));
    expect(
      new Set(
        responses.map(
          ({ status, body }) =>
            `${status} ${String(body.access_token)} ${String(body.refresh_token)}`,
        ),
      ).size,
    ).toBe(1);
    ahead = 25 * second;
    const late = await refresh(refreshToken);
    expect(late.body.refresh_token).toBe(responses[0]?.body.refresh_token);
    expect((await me(app, bearer(late.body.access_token))).status).toBe(200);
    expect((await refresh(late.body.refresh_token)).status).toBe(200);
    expect(await reuses(userId)).toEqual([]);
    expect(await app.services.sessions.list(userId)).toHaveLength(1);
  });

  it('case 33 › reusing a refresh token later ends its whole family and is audited', async () => {
    const { refreshToken, accessToken, userId, sessionId } = await openBearer(
      app,
      'case33.reuse@example.com',
    );
    const other = await openBearer(app, 'case33.reuse@example.com');
    const { body: next } = await refresh(refreshToken);
    ahead = 31 * second;
    expect(await refresh(refreshToken)).toMatchObject(invalidGrant);
    for (const token of [accessToken, next.access_token])
      expect((await me(app, bearer(token))).status).toBe(401);
    for (const token of [refreshToken, next.refresh_token])
      expect(await refresh(token)).toMatchObject(invalidGrant);
    const noted = await reuses(userId);
    expect(noted).toHaveLength(1);
    expect(noted[0]).toMatchObject({
      outcome: 'denied',
      actor: { id: userId },
      target: { kind: 'session', id: sessionId },
    });
    expect((await me(app, other.bearer)).status).toBe(200);
    expect((await app.services.sessions.list(userId)).map(({ id }) => id)).toEqual([
      other.sessionId,
    ]);
  });

  it('case 33 › a token two generations old counts as stolen, also within 30 seconds', async () => {
    const { refreshToken, userId } = await openBearer(app, 'case33.steps@example.com');
    const { body: one } = await refresh(refreshToken);
    const { body: two } = await refresh(one.refresh_token);
    expect(await refresh(refreshToken)).toMatchObject(invalidGrant);
    for (const token of [one, two])
      expect((await me(app, bearer(token.access_token))).status).toBe(401);
    expect(await refresh(two.refresh_token)).toMatchObject(invalidGrant);
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
    ahead = 10 * minute;
    const { body } = await refresh(refreshToken);
    expect((await me(app, first)).status).toBe(200);
    ahead = 15 * minute + second;
    expect((await me(app, first)).status).toBe(401);
    expect((await me(app, bearer(body.access_token))).status).toBe(200);
    ahead = 26 * minute;
    expect((await me(app, bearer(body.access_token))).status).toBe(401);
    let latest = body;
    for (const days of [10, 20, 29.99]) {
      ahead = days * day;
      latest = (await refresh(latest.refresh_token)).body;
      expect((await me(app, bearer(latest.access_token))).status).toBe(200);
      expect(now() + Number(latest.refresh_expires_in) * second - began).toBeLessThanOrEqual(
        30 * day + 2 * second,
      );
    }
    ahead = 30 * day + second;
    expect((await me(app, bearer(latest.access_token))).status).toBe(401);
    expect(await refresh(latest.refresh_token)).toMatchObject(invalidGrant);
  });

  it('case 34 › each token works only for its own purpose', async () => {
    const { refreshToken, accessToken, userId } = await openBearer(app, 'case34@example.com');
    const { cookie } = await openCookie(app, 'case34@example.com');
    const before = await inventory(app);
    for (const token of [refreshToken, cookie])
      expect((await me(app, bearer(token))).status).toBe(401);
    for (const token of [refreshToken, accessToken])
      expect((await me(app, { cookie: `svc_session=${token}` })).status).toBe(401);
    for (const token of [accessToken, cookie])
      expect(await refresh(token)).toMatchObject(invalidGrant);
    const renamed = [refreshToken.replace('svcr_', 'svca_'), cookie.replace('svcs_', 'svca_')];
    for (const token of renamed) expect((await me(app, bearer(token))).status).toBe(401);
    for (const token of [
      accessToken.replace('svca_', 'svcs_'),
      refreshToken.replace('svcr_', 'svcs_'),
    ])
      expect((await me(app, { cookie: `svc_session=${token}` })).status).toBe(401);
    for (const token of [accessToken.replace('svca_', 'svcr_'), cookie.replace('svcs_', 'svcr_')])
      expect(await refresh(token)).toMatchObject(invalidGrant);
    expect(await inventory(app)).toEqual(before);
    expect(await reuses(userId)).toEqual([]);
    expect((await me(app, bearer(accessToken))).status).toBe(200);
  });

  it('case 34 › a token with another session, user or generation is invalid', async () => {
    const [mine, theirs] = [
      await openBearer(app, 'case34.mine@example.com'),
      await openBearer(app, 'case34.theirs@example.com'),
    ];
    const bytes = (token: string) => Buffer.from(token.slice(5), 'base64url');
    const mixed = (prefix: string, head: Buffer, tail: Buffer) =>
      `${prefix}${Buffer.concat([head.subarray(0, 36), tail.subarray(36)]).toString('base64url')}`;
    const next = Buffer.from(bytes(mine.refreshToken));
    next.writeUInt32BE(1, 32);
    const forged = [
      mixed('svcr_', bytes(theirs.refreshToken), bytes(mine.refreshToken)),
      `svcr_${next.toString('base64url')}`,
    ];
    for (const token of forged) expect(await refresh(token)).toMatchObject(invalidGrant);
    expect(
      (await me(app, bearer(mixed('svca_', bytes(theirs.accessToken), bytes(mine.accessToken)))))
        .status,
    ).toBe(401);
    for (const each of [mine, theirs]) {
      expect((await me(app, each.bearer)).status).toBe(200);
      expect((await refresh(each.refreshToken)).status).toBe(200);
    }
  });
});

describe('current rights', () => {
  it("case 35 › a disabled user is signed out at once and can't sign in again", async () => {
    const to = 'case35.disabled@example.com';
    const { bearer: token, refreshToken, userId } = await openBearer(app, to);
    const cookie = await openCookie(app, to);
    const { code, id } = await askCode(app, to);
    expect((await me(app, token)).status).toBe(200);
    await app.services.users.setDisabled(userId, true);
    expect((await me(app, token)).status).toBe(401);
    expect((await me(app, cookie.headers)).status).toBe(401);
    expect(await refresh(refreshToken)).toMatchObject(invalidGrant);
    const before = await inventory(app);
    expect(await enter(app, to, code, id)).toMatchObject({ status: 403 });
    await expect(openCookie(app, to)).rejects.toMatchObject({ status: 403 });
    expect(await inventory(app)).toEqual({ ...before, sessions: 0 + before.sessions });
    await app.services.users.setDisabled(userId, false);
    expect((await me(app, token)).status).toBe(401);
    await openBearer(app, to);
  });

  it('case 35 › a removed role is gone at the next request', async () => {
    const { bearer: token, userId } = await openBearer(app, 'case35.admin@example.com');
    const keys = (headers: Record<string, string>) =>
      app.http.inject({ url: '/api/v1/api-keys', headers }).then(({ statusCode }) => statusCode);
    expect(await keys(token)).toBe(403);
    await app.services.users.setRoles(userId, ['admin']);
    expect(await keys(token)).toBe(200);
    await app.services.users.setRoles(userId, []);
    expect(await keys(token)).toBe(403);
    expect((await me(app, token)).body.roles).toEqual([]);
  });

  it('case 35 › a role removed during a sign-in is not in the new session', async () => {
    const to = 'case35.while@example.com';
    const { user } = await app.services.users.signInAs({ kind: 'email', key: to, value: to });
    const admin = await app.services.users.setRoles(user.id, ['admin']);
    await app.services.users.setRoles(user.id, []);
    const tokens = await app.services.sessions.openBearer(admin, {
      amr: ['otp'],
      acr: 'aal1',
      begun: now(),
      client: 'test',
    });
    const response = await app.http.inject({
      url: '/api/v1/api-keys',
      headers: bearer(tokens.accessToken),
    });
    expect(response.statusCode).toBe(403);
    expect((await me(app, bearer(tokens.accessToken))).body.roles).toEqual([]);
  });

  it("case 35 › a user disabled during a sign-in can't use the session", async () => {
    const to = 'case35.meanwhile@example.com';
    const { user } = await app.services.users.signInAs({ kind: 'email', key: to, value: to });
    const begun = now();
    await app.services.users.setDisabled(user.id, true);
    const opened = await app.services.sessions
      .openBearer(user, { amr: ['otp'], acr: 'aal1', begun, client: 'test' })
      .catch(() => undefined);
    if (opened !== undefined) expect((await me(app, bearer(opened.accessToken))).status).toBe(401);
    await expect(
      app.services.sessions.openBearer(user, {
        amr: ['otp'],
        acr: 'aal1',
        begun: begun - 1,
        client: 'test',
      }),
    ).rejects.toMatchObject({ code: 'auth.revoked_meanwhile' });
  });

  it('case 35 › changes by another process apply within a minute', async () => {
    const { bearer: token, userId } = await openBearer(app, 'case35.replica@example.com');
    expect((await me(app, token)).status).toBe(200);
    await app.stores.db
      .updateTable('users')
      .set({ disabled_at: new Date() })
      .where('id', '=', userId)
      .execute();
    ahead = minute + second;
    expect((await me(app, token)).status).toBe(401);
  });

  it('case 35 › changes apply just as fast after the clock was set back', async () => {
    const { bearer: token, userId } = await openBearer(app, 'case35.clock@example.com');
    const roles = async () => (await me(app, token)).body.roles;
    ahead = 60 * minute;
    // The first access token has expired by then, so sign in with the clock ahead.
    const later = await openBearer(app, 'case35.clock@example.com');
    expect((await me(app, later.bearer)).body.roles).toEqual([]);
    ahead = 0;
    await app.services.users.setRoles(userId, ['admin']);
    expect(await roles()).toEqual(['admin']);
    await app.stores.db.updateTable('users').set({ roles: [] }).where('id', '=', userId).execute();
    ahead = minute + second;
    expect(await roles()).toEqual([]);
  });

  it('case 35 › configured admins are admins only by a proved address', async () => {
    const boss = await openBearer(app, 'Case35.Boss@example.com');
    expect((await me(app, boss.bearer)).body.roles).toEqual(['admin']);
    for (const email of [
      'case35.boss@example.com.evil.test',
      'xcase35.boss@example.com',
      'case35.boss+x@example.com',
    ]) {
      const { bearer: token } = await openBearer(app, email);
      expect((await me(app, token)).body.roles).toEqual([]);
    }
  });
});

describe('unproved addresses', () => {
  it('case 43 › claiming an address gives no access to the user who proves it', async () => {
    const victim = 'case43.victim@example.com';
    const attacker = await openBearer(app, 'case43.attacker@example.com');
    const cookie = await openCookie(app, 'case43.attacker@example.com');
    const claim = {
      id: randomUUID(),
      user_id: attacker.userId,
      kind: 'email',
      key: victim,
      value: victim,
      verified_at: null,
      created_at: new Date(),
    } as const;
    await app.stores.db.insertInto('identities').values(claim).execute();
    expect(await app.services.users.ownerOf(claim)).toBeUndefined();
    const person = await openBearer(app, victim);
    expect(person.userId).not.toBe(attacker.userId);
    expect((await app.services.users.ownerOf(claim))?.id).toBe(person.userId);
    expect((await me(app, person.bearer)).body).toMatchObject({
      email: victim,
      email_verified: true,
    });
    for (const headers of [attacker.bearer, cookie.headers])
      expect((await me(app, headers)).body.email).toBe('case43.attacker@example.com');
    expect((await refresh(attacker.refreshToken)).body.user).not.toMatchObject({ email: victim });
    expect((await app.services.sessions.list(person.userId)).map(({ id }) => id)).toEqual([
      person.sessionId,
    ]);
    expect(
      (await app.services.users.get(attacker.userId)).identities.map(({ key }) => key),
    ).toEqual(['case43.attacker@example.com']);
  });

  it('case 43 › a claimed address makes no user an admin', async () => {
    const { userId } = await openBearer(app, 'case43.climber@example.com');
    const boss = 'case35.boss@example.com';
    await app.stores.db
      .insertInto('identities')
      .values({
        id: randomUUID(),
        user_id: userId,
        kind: 'email',
        key: boss,
        value: boss,
        verified_at: null,
        created_at: new Date(),
      })
      .execute();
    const again = await openBearer(app, 'case43.climber@example.com');
    expect((await me(app, again.bearer)).body).toMatchObject({
      email: 'case43.climber@example.com',
      roles: [],
    });
  });
});

describe('caching', () => {
  it('case 37 › responses about users and tokens are never stored', async () => {
    const to = 'case37@example.com';
    const signedIn = await openBearer(app, to);
    const cookie = await openCookie(app, to);
    const { code, id } = await askCode(app, to);
    const sessions = (headers: Record<string, string>) =>
      app.http
        .inject({ url: '/auth/sessions', headers })
        .then(({ statusCode: status, headers: sent }) => ({ status, headers: sent }));
    const responses = {
      send: await ask(app, 'case37.other@example.com'),
      wrong: await enter(app, 'case37.other@example.com', '000000'),
      verified: await enter(app, to, code, id),
      me: await me(app, signedIn.bearer),
      cookie: await me(app, cookie.headers),
      nobody: await me(app),
      stranger: await me(app, bearer('svca_x')),
      stale: await me(app, { cookie: 'svc_session=x' }),
      sessions: await sessions(signedIn.bearer),
      noSessions: await sessions({}),
      refreshed: await refresh(signedIn.refreshToken),
      notRefreshed: await refresh('x'),
      invalid: await post(app, '/api/auth/otp/verify', {}),
      mobile: await post(app, '/api/cmyk/auth/otp/verify', {
        phone: '+14155550137',
        code: '000000',
      }),
    };
    for (const [name, { headers }] of Object.entries(responses)) {
      expect({
        name,
        cache: headers['cache-control'],
        vary: String(headers.vary).toLowerCase().split(/,\s*/).sort(),
      }).toEqual({ name, cache: 'no-store', vary: ['authorization', 'cookie'] });
    }
    const status = await app.http.inject({ url: '/api/auth/status', headers: cookie.headers });
    expect(status.headers['cache-control']).toBe('no-store');
    await vi.waitFor(
      () => expect(app.services.outbox.list('case37.other@example.com')).toHaveLength(1),
      { timeout: 10_000 },
    );
  });
});
