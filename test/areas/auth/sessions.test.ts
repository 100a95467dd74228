import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { sessionCookieHeaders } from '../../../src/areas/auth/cookies.ts';
import { newSecret, readToken, writeToken } from '../../../src/areas/auth/tokens.ts';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { askCode, enter, inventory, me } from '../../support/abuse.ts';
import { codeFor, openBearer, openCookie } from '../../support/sign-in.ts';

const base = 'https://svc.example';
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

let ahead = 0;
const now = () => Date.now() + ahead;
let app: FreshApp;
beforeAll(async () => {
  app = await freshApp({ env: { BASE_URL: base }, clock: { now } });
  await app.services.queues.start();
}, 30_000);
afterEach(() => void (ahead = 0));
afterAll(() => app.close());

async function logout(headers: Record<string, string> = {}) {
  const response = await app.http.inject({
    method: 'POST',
    url: '/api/auth/logout',
    headers: { origin: base, ...headers },
  });
  return {
    status: response.statusCode,
    body: response.json<Record<string, unknown>>(),
    cookie: response.headers['set-cookie'],
  };
}

describe('fixation and cookies', () => {
  it('case 27 › a cookie value set before the sign-in never becomes a session', async () => {
    const preset = 'svc_session=attacker';
    const { code, id } = await askCode(app, 'case27@example.com');
    const response = await app.http.inject({
      method: 'POST',
      url: '/api/auth/otp/verify',
      headers: { cookie: preset },
      payload: { identifier: 'case27@example.com', code, verification_id: id },
    });
    expect(response.statusCode).toBe(200);
    expect(response.body).not.toContain('attacker');
    expect((await me(app, { cookie: preset })).status).toBe(401);
    const opened = await openCookie(app, 'case27@example.com');
    expect(opened.cookie).not.toBe('attacker');
    expect((await me(app, opened.headers)).status).toBe(200);
    expect((await me(app, { cookie: preset })).status).toBe(401);
  });

  it("case 27 › a sign-in never continues an attacker's live session set before", async () => {
    const attacker = await openCookie(app, 'case27.attacker@example.com');
    const { code, id } = await askCode(app, 'case27.victim@example.com');
    const response = await app.http.inject({
      method: 'POST',
      url: '/api/auth/otp/verify',
      headers: attacker.headers,
      payload: { identifier: 'case27.victim@example.com', code, verification_id: id },
    });
    const token = response.json<{
      access_token: string;
      session_id: string;
      user: { email: string };
    }>();
    expect(token.user.email).toBe('case27.victim@example.com');
    expect(token.session_id).not.toBe(attacker.sessionId);
    expect((await me(app, attacker.headers)).body.email).toBe('case27.attacker@example.com');
    const victims = await openCookie(app, 'case27.victim@example.com');
    expect(victims.cookie).not.toBe(attacker.cookie);
    expect(victims.sessionId).not.toBe(attacker.sessionId);
  });

  it('case 28 › the cookie is for our host and requests only, not for scripts', async () => {
    const flags = (header: string) =>
      header
        .split('; ')
        .slice(1)
        .map((flag) => flag.replace(/=.*(?= GMT)| GMT/g, ''))
        .sort();
    const secure = sessionCookieHeaders('value', Date.now(), true);
    expect(secure.map((header) => header.split(';', 1)[0])).toEqual([
      '__Host-svc_session=value',
      'svc_session=value',
    ]);
    for (const header of secure)
      expect(flags(header)).toEqual(['Expires', 'HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure']);
    const plain = sessionCookieHeaders('value', Date.now(), false);
    expect(plain.map((header) => header.split(';', 1)[0])).toEqual(['svc_session=value']);
    for (const header of plain)
      expect(flags(header)).toEqual(['Expires', 'HttpOnly', 'Path=/', 'SameSite=Lax']);
    const { headers } = await openCookie(app, 'case28@example.com');
    const { cookie } = await logout(headers);
    const cleared = 'svc_session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax';
    expect(cookie).toEqual([`__Host-${cleared}`, cleared]);
    const stale = await app.http.inject({ url: '/api/auth/me', headers });
    expect(stale.headers['set-cookie']).toEqual(cookie);
  });

  it('case 28 › values are random and unique: ten thousand of 256 bits each', async () => {
    const [userId, sessionId] = [
      '018f0000-0000-7000-8000-000000000001',
      '018f0000-0000-4000-8000-000000000002',
    ];
    const values = Array.from({ length: 10_000 }, () =>
      writeToken({ kind: 'session', userId, sessionId, generation: 0, secret: newSecret() }),
    );
    expect(new Set(values).size).toBe(10_000);
    const secrets = values.map((value) => readToken(value)?.secret ?? Buffer.alloc(0));
    expect(secrets.every(({ length }) => length === 32)).toBe(true);
    // Each bit is set in about half of the secrets.
    for (let bit = 0; bit < 256; bit += 1) {
      const set = secrets.filter((secret) => ((secret[bit >> 3] ?? 0) >> (bit & 7)) & 1).length;
      expect(Math.abs(set - 5000)).toBeLessThan(400);
    }
    const opened = [
      await openCookie(app, 'case28.one@example.com'),
      await openCookie(app, 'case28.one@example.com'),
    ];
    expect(
      new Set(opened.map(({ cookie }) => readToken(cookie)?.secret.toString('hex'))).size,
    ).toBe(2);
  });
});

describe('the address of the service', () => {
  it.each([
    { host: 'evil.example' },
    { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
    { forwarded: 'host=evil.example' },
  ] as Record<string, string>[])(
    'case 41 › is the configured one in messages, whatever the request headers are: %j',
    async (headers) => {
      const name = Object.keys(headers).join('').length;
      const [email, phone] = [
        `case41.${name}@example.com`,
        `+4474001234${String(name).padStart(2, '0')}`,
      ];
      const sent = [
        await app.http.inject({
          method: 'POST',
          url: '/api/auth/email/initiate',
          payload: { email },
          headers,
        }),
        await app.http.inject({
          method: 'POST',
          url: '/api/auth/mobile/initiate',
          payload: { phone },
          headers,
        }),
      ];
      expect(sent.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
      const [mailed, texted] = [await codeFor(app, email), await codeFor(app, phone)];
      const [mail, text] = [app.services.outbox.list(email)[0], app.services.outbox.list(phone)[0]];
      expect(mail?.text).toContain('on svc.example.');
      expect(text?.text.split('\n').at(-1)).toBe(`@svc.example #${texted}`);
      expect(mail?.html).toContain(mailed);
      expect(
        `${JSON.stringify([mail, text])}${sent.map(({ body }) => body).join('')}`,
      ).not.toContain('evil');
    },
  );
});

describe('ended sessions', () => {
  it('case 29 › the cookie is invalid after sign-out, and a second sign-out succeeds', async () => {
    const { headers, cookie, userId } = await openCookie(app, 'case29@example.com');
    const other = await openCookie(app, 'case29@example.com');
    expect(await logout(headers)).toMatchObject({
      status: 200,
      body: { ok: true, logged_out: true, session_revoked: true, cookie_cleared: true },
    });
    expect((await me(app, headers)).status).toBe(401);
    expect((await me(app, { authorization: `Bearer ${cookie}` })).status).toBe(401);
    for (const again of [headers, {}]) {
      const { status, body } = await logout(again);
      expect({
        status,
        revoked: body.session_revoked,
        types: [...new Set(Object.values(body).map((value) => typeof value))],
      }).toEqual({ status: 200, revoked: false, types: ['boolean'] });
    }
    expect((await me(app, other.headers)).status).toBe(200);
    expect(await app.services.sessions.list(userId)).toHaveLength(1);
  });

  it('case 29 › both tokens are invalid after signing out with one', async () => {
    const { bearer, refreshToken, userId } = await openBearer(app, 'case29.bearer@example.com');
    expect(await logout(bearer)).toMatchObject({
      status: 200,
      body: { session_revoked: true, cookie_cleared: false },
    });
    expect((await me(app, bearer)).status).toBe(401);
    const refreshed = await app.http.inject({
      method: 'POST',
      url: '/api/auth/token/refresh',
      payload: { refresh_token: refreshToken },
    });
    expect(refreshed.statusCode).toBe(400);
    expect(await logout(bearer)).toMatchObject({ status: 200, body: { session_revoked: false } });
    expect(await app.services.sessions.list(userId)).toEqual([]);
  });

  it("case 29 › no user sees or ends another user's session", async () => {
    const [mine, theirs] = [
      await openCookie(app, 'case29.me@example.com'),
      await openCookie(app, 'case29.them@example.com'),
    ];
    const headers = { ...mine.headers, origin: base };
    const foreign = await app.http.inject({
      method: 'DELETE',
      url: `/api/auth/sessions/${theirs.sessionId}`,
      headers,
    });
    const unknown = await app.http.inject({
      method: 'DELETE',
      url: '/api/auth/sessions/018f0000-0000-4000-8000-000000000009',
      headers,
    });
    expect({ foreignStatus: foreign.statusCode, unknownStatus: unknown.statusCode }).toEqual({
      foreignStatus: 404,
      unknownStatus: 404,
    });
    expect({ ...foreign.json<object>(), request_id: '' }).toEqual({
      ...unknown.json<object>(),
      request_id: '',
    });
    const list = await app.http.inject({ url: '/api/auth/sessions', headers });
    expect(list.json<{ data: { id: string }[] }>().data.map(({ id }) => id)).toEqual([
      mine.sessionId,
    ]);
    expect((await me(app, theirs.headers)).status).toBe(200);
  });

  it('case 30 › a session ends after an idle hour, and after a day in any case', async () => {
    const { headers, expiresAt, userId, sessionId } = await openCookie(app, 'case30@example.com');
    const usedAt = async () =>
      (await app.services.sessions.list(userId)).find(({ id }) => id === sessionId)?.used_at ?? 0;
    const ends = new Set<unknown>();
    const began = now();
    while (ahead + 50 * minute < day) {
      ahead += 50 * minute;
      const response = await me(app, headers);
      expect({ ahead, status: response.status }).toEqual({ ahead, status: 200 });
      const { session } = response.body as {
        session: { expires_at: string; idle_expires_at: string };
      };
      ends.add(session.expires_at);
      expect(Date.parse(session.idle_expires_at)).toBeLessThanOrEqual(
        Date.parse(session.expires_at),
      );
      await vi.waitFor(async () => expect(now() - (await usedAt())).toBeLessThan(minute), {
        timeout: 10_000,
      });
    }
    expect([...ends]).toEqual([new Date(expiresAt).toISOString()]);
    expect(expiresAt - began).toBeLessThanOrEqual(day);
    ahead = day + 1;
    expect((await me(app, headers)).status).toBe(401);
    expect(await app.services.sessions.list(userId)).toEqual([]);
  });

  it('case 30 › a stored cookie is invalid an hour after the last request', async () => {
    const { headers, userId } = await openCookie(app, 'case30.idle@example.com');
    ahead = hour - minute;
    expect((await me(app, headers)).status).toBe(200);
    await vi.waitFor(
      async () =>
        expect(now() - ((await app.services.sessions.list(userId))[0]?.used_at ?? 0)).toBeLessThan(
          minute,
        ),
      { timeout: 10_000 },
    );
    ahead += hour + 1000;
    for (let at = 0; at < 3; at += 1) expect((await me(app, headers)).status).toBe(401);
    ahead += 2 * minute;
    expect((await me(app, headers)).status).toBe(401);
  });

  it('case 30 › a request with an ended session does not revive it', async () => {
    const { headers, userId, sessionId } = await openCookie(app, 'case30.ended@example.com');
    ahead = 10 * minute;
    const racing = Promise.all(Array.from({ length: 20 }, () => me(app, headers)));
    await app.services.sessions.end(userId, sessionId);
    await racing;
    expect((await me(app, headers)).status).toBe(401);
    expect(await app.services.sessions.list(userId)).toEqual([]);
  });

  it('case 30 › the oldest of more than ten sessions ends', async () => {
    const opened = [];
    for (let at = 0; at < 12; at += 1) {
      ahead += 1000;
      opened.push(await openCookie(app, 'case30.many@example.com'));
    }
    const statuses = [];
    for (const { headers } of opened) statuses.push((await me(app, headers)).status);
    expect(statuses).toEqual([401, 401, ...new Array<number>(10).fill(200)]);
  });
});

describe('ending all sessions during sign-ins', () => {
  interface ResponseBody {
    access_token?: string;
    refresh_token?: string;
    session_id?: string;
    ended?: number;
  }
  let url: string;
  beforeAll(async () => {
    await app.http.listen({ port: 0, host: '127.0.0.1' });
    url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  });

  async function send(
    method: string,
    path: string,
    { token, body }: { token?: string; body?: unknown },
  ) {
    const headers = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as ResponseBody };
  }

  async function bearer(email: string) {
    const outcome = await app.services.signIn.asBearer({
      identity: { kind: 'email', key: email, value: email },
      amr: ['otp'],
      begun: now(),
      client: 'test',
      address: '203.0.113.1',
      requestId: 'request-of-a-test',
    });
    if (outcome.status !== 'authenticated') throw new Error(outcome.status);
    return {
      accessToken: outcome.access_token ?? '',
      refreshToken: outcome.refresh_token ?? '',
      sessionId: outcome.session_id ?? '',
      userId: outcome.user?.id ?? '',
    };
  }

  /** Refreshes up to `times` times and returns every response with tokens. */
  async function refreshing(first: string, times: number): Promise<ResponseBody[]> {
    const got: ResponseBody[] = [];
    let token: string | undefined = first;
    for (let at = 0; at < times && token !== undefined; at += 1) {
      const { body } = await send('POST', '/api/auth/token/refresh', {
        body: { refresh_token: token },
      });
      token = body.refresh_token;
      if (token !== undefined) got.push(body);
    }
    return got;
  }

  async function round(at: number, query: string) {
    const email = `case36.${at}.${query.length}@example.com`;
    const old = [
      await bearer(email),
      await bearer(email),
      await bearer(email),
      await bearer(email),
    ];
    const [current] = old;
    if (current === undefined) throw new Error('no session');
    const cookie = await openCookie(app, email);
    const { code, id } = await askCode(app, email);
    const began: { begun: number; sessionId: string; headers: { cookie: string } }[] = [];
    const signIns = Array.from({ length: 4 }, async (_, turn) => {
      for (let wait = 0; wait < turn * 2; wait += 1)
        await new Promise((resolve) => setImmediate(resolve));
      const begun = now();
      const opened = await openCookie(app, email, begun).catch(() => undefined);
      if (opened !== undefined)
        began.push({ begun, sessionId: opened.sessionId, headers: opened.headers });
    });
    const requestedAt = now();
    const [ended, verified, ...refreshed] = await Promise.all([
      send('DELETE', `/api/auth/sessions${query}`, { token: current.accessToken }),
      send('POST', '/auth/otp/verify', { body: { identifier: email, code, verification_id: id } }),
      ...old.slice(1).map(({ refreshToken }) => refreshing(refreshToken, 4)),
      Promise.all(signIns).then(() => []),
    ]);
    const respondedAt = now();
    expect(ended.status).toBe(200);
    const notBefore = Number(await app.stores.redis.hget(`auth:{${current.userId}}`, 'not_before'));
    expect(notBefore).toBeGreaterThanOrEqual(requestedAt);
    expect(notBefore).toBeLessThanOrEqual(respondedAt);
    const alive = new Map(
      (await app.services.sessions.list(current.userId)).map((session) => [session.id, session]),
    );
    return { current, old, cookie, began, verified, refreshed: refreshed.flat(), notBefore, alive };
  }

  it('case 36 › ends every earlier session and its new tokens', async () => {
    let survivors = 0;
    for (let at = 0; at < 8; at += 1) {
      const { old, cookie, began, verified, refreshed, notBefore, alive } = await round(at, '');
      for (const session of alive.values())
        expect(session.created_at).toBeGreaterThanOrEqual(notBefore);
      for (const { sessionId } of [...old, cookie]) expect(alive.has(sessionId)).toBe(false);
      for (const { begun, sessionId, headers } of began) {
        if (begun < notBefore) expect(alive.has(sessionId)).toBe(false);
        expect((await me(app, headers)).status).toBe(alive.has(sessionId) ? 200 : 401);
      }
      for (const { access_token: token, refresh_token: refresh } of refreshed) {
        expect((await send('GET', '/api/auth/me', { token: token ?? '' })).status).toBe(401);
        expect(
          (await send('POST', '/api/auth/token/refresh', { body: { refresh_token: refresh } }))
            .status,
        ).toBe(400);
      }
      for (const { accessToken, refreshToken } of old) {
        expect((await send('GET', '/api/auth/me', { token: accessToken })).status).toBe(401);
        expect(
          (await send('POST', '/api/auth/token/refresh', { body: { refresh_token: refreshToken } }))
            .status,
        ).toBe(400);
      }
      expect((await me(app, cookie.headers)).status).toBe(401);
      expect([200, 401]).toContain(verified.status);
      if (verified.status === 200) {
        expect(
          (await send('GET', '/api/auth/me', { token: verified.body.access_token ?? '' })).status,
        ).toBe(alive.has(verified.body.session_id ?? '') ? 200 : 401);
      }
      survivors += alive.size;
    }
    expect(survivors).toBeLessThanOrEqual(8 * 5);
  }, 30_000);

  it('case 36 › only the requesting session can be kept', async () => {
    for (let at = 0; at < 3; at += 1) {
      const { current, old, cookie, notBefore, alive } = await round(at, '?keep_current=true');
      expect((await send('GET', '/api/auth/me', { token: current.accessToken })).status).toBe(200);
      for (const { id, created_at: created } of alive.values())
        expect(id === current.sessionId || created >= notBefore).toBe(true);
      for (const { accessToken } of old.slice(1))
        expect((await send('GET', '/api/auth/me', { token: accessToken })).status).toBe(401);
      expect((await me(app, cookie.headers)).status).toBe(401);
    }
  });

  it('case 36 › a sign-in begun before the end opens no session, however late', async () => {
    const email = 'case36.late@example.com';
    const { userId, headers } = await openCookie(app, email);
    const begun = now() - 1;
    const before = await inventory(app);
    await app.services.sessions.endAll(userId);
    await expect(openCookie(app, email, begun)).rejects.toMatchObject({
      code: 'auth.revoked_meanwhile',
      status: 401,
    });
    expect((await me(app, headers)).status).toBe(401);
    expect(await inventory(app)).toEqual({ ...before, sessions: before.sessions - 1 });
    const { code, id } = await askCode(app, email);
    expect(await enter(app, email, code, id)).toMatchObject({ status: 200 });
  });
});
