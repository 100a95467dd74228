import { afterEach, describe, expect, vi } from 'vitest';
import { z } from 'zod';
import { sessionCookieHeaders } from '../../../../src/areas/identity/sessions/cookies.ts';
import { lifetimes } from '../../../../src/areas/identity/sessions/session-tokens.ts';
import { SessionUser } from '../../../../src/areas/identity/sign-in/schemas.ts';
import {
  newSecret,
  readToken,
  writeToken,
} from '../../../../src/areas/identity/sessions/tokens.ts';
import { dayMs, hourMs, minuteMs } from '../../../../src/lib/durations.ts';
import { askCode, enter, inventory, me } from '../../../support/abuse.ts';
import { TestClient, type TestResponse } from '../../../support/client.ts';
import { sharedApp } from '../../../support/shared-app.ts';
import { codeFor, openBearer, openCookie } from '../../../support/sign-in.ts';
import { it } from '../../../support/test.ts';

const base = 'https://svc.example';

let ahead = 0;
const now = () => Date.now() + ahead;
const app = await sharedApp('named', { clock: { now } });
const client = new TestClient(app);
afterEach(() => void (ahead = 0));

type Headers = Record<string, string>;
const logout = (headers: Headers = {}): Promise<TestResponse> =>
  client.as({ origin: base, ...headers }).post('/api/auth/logout');
const expectAlive = async (headers: Headers) => expect((await me(app, headers)).status).toBe(200);
const expectDead = async (headers: Headers) => expect((await me(app, headers)).status).toBe(401);
const sessionsOf = (userId: string) => app.services.sessions.list(userId);

/** Signs in by a code, with these headers. */
async function verify(email: string, headers: Headers): Promise<TestResponse> {
  const { code, id } = await askCode(app, email);
  const body = { identifier: email, code, verification_id: id };
  return client.post('/api/auth/otp/verify', body, { headers });
}

describe('fixation and cookies', () => {
  it('case 27 › a cookie value set before the sign-in never becomes a session', async () => {
    const preset = 'svc_session=attacker';
    const response = await verify('case27@example.com', { cookie: preset });
    expect(response.status).toBe(200);
    expect(response.text).not.toContain('attacker');
    await expectDead({ cookie: preset });
    const opened = await openCookie(app, 'case27@example.com');
    expect(opened.cookie).not.toBe('attacker');
    await expectAlive(opened.headers);
    await expectDead({ cookie: preset });
  });

  it("case 27 › a sign-in never continues an attacker's live session set before", async () => {
    const attacker = await openCookie(app, 'case27.attacker@example.com');
    const victim = 'case27.victim@example.com';
    const { body } = await verify(victim, attacker.headers);
    expect(body).toMatchObject({ user: { email: victim } });
    expect(body.session_id).not.toBe(attacker.sessionId);
    expect((await me(app, attacker.headers)).body.email).toBe('case27.attacker@example.com');
    const victims = await openCookie(app, victim);
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
    const cleared = 'svc_session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax';
    for (const response of [await logout(headers), await me(app, headers)])
      expect(response.headers['set-cookie']).toEqual([`__Host-${cleared}`, cleared]);
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

it('the examples of the API expire when sessions do', () => {
  const [example] = z.array(SessionUser).parse(SessionUser.meta()?.examples);
  const { session } = example ?? expect.fail('It has no example.');
  const after = (time: string) => Date.parse(time) - Date.parse(session.created_at);
  expect(after(session.expires_at)).toBe(lifetimes.cookie);
  expect(after(session.idle_expires_at)).toBe(lifetimes.cookieIdle);
});

describe('the address of the service', () => {
  it.each([
    { host: 'evil.example' },
    { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
    { forwarded: 'host=evil.example' },
  ] as Headers[])(
    'case 41 › is the configured one in messages, whatever the request headers are: %j',
    async (headers) => {
      const name = Object.keys(headers).join('').length;
      const email = `case41.${name}@example.com`;
      const phone = `+4474001234${String(name).padStart(2, '0')}`;
      const sender = client.at('/api/auth').as(headers);
      const sent = [
        await sender.post('/email/initiate', { email }),
        await sender.post('/mobile/initiate', { phone }),
      ];
      for (const { status, text } of sent) {
        expect(status).toBe(200);
        expect(text).not.toContain('evil');
      }
      const mailed = await codeFor(app, email);
      const texted = await codeFor(app, phone);
      const [mail] = client.outbox(email);
      const [message] = client.outbox(phone);
      expect(mail?.text).toContain('on svc.example.');
      expect(mail?.html?.()).toContain(mailed);
      expect(message?.text.split('\n').at(-1)).toBe(`@svc.example #${texted}`);
      expect(JSON.stringify({ mail, message })).not.toContain('evil');
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
    await expectDead(headers);
    await expectDead({ authorization: `Bearer ${cookie}` });
    for (const again of [headers, {}]) {
      const { status, body } = await logout(again);
      expect(status).toBe(200);
      expect(body.session_revoked).toBe(false);
      for (const value of Object.values(body)) expect(value).toBeTypeOf('boolean');
    }
    await expectAlive(other.headers);
    expect(await sessionsOf(userId)).toHaveLength(1);
  });

  it('case 29 › both tokens are invalid after signing out with one', async () => {
    const { bearer, refreshToken, userId } = await openBearer(app, 'case29.bearer@example.com');
    expect(await logout(bearer)).toMatchObject({
      status: 200,
      body: { session_revoked: true, cookie_cleared: false },
    });
    await expectDead(bearer);
    const refreshed = await client.post('/api/auth/token/refresh', { refresh_token: refreshToken });
    expect(refreshed.status).toBe(400);
    expect(await logout(bearer)).toMatchObject({ status: 200, body: { session_revoked: false } });
    expect(await sessionsOf(userId)).toEqual([]);
  });

  it("case 29 › no user sees or ends another user's session", async () => {
    const mine = await openCookie(app, 'case29.me@example.com');
    const theirs = await openCookie(app, 'case29.them@example.com');
    const sessions = client.at('/api/auth/sessions').as({ ...mine.headers, origin: base });
    const foreign = await sessions.delete(`/${theirs.sessionId}`);
    const unknown = await sessions.delete('/018f0000-0000-4000-8000-000000000009');
    expect(foreign.status).toBe(404);
    expect(unknown.status).toBe(404);
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
    const list = await sessions.get<{ data: { id: string }[] }>('');
    expect(list.body.data.map(({ id }) => id)).toEqual([mine.sessionId]);
    await expectAlive(theirs.headers);
  });

  it('case 30 › a session ends after an idle hour, and after a day in any case', async () => {
    const { headers, expiresAt, userId, sessionId } = await openCookie(app, 'case30@example.com');
    const usedAt = async () =>
      (await sessionsOf(userId)).find(({ id }) => id === sessionId)?.used_at ?? 0;
    const ends = new Set<unknown>();
    const began = now();
    while (ahead + 50 * minuteMs < dayMs) {
      ahead += 50 * minuteMs;
      const response = await me(app, headers);
      expect({ ahead, status: response.status }).toEqual({ ahead, status: 200 });
      const { session } = response.body as {
        session: { expires_at: string; idle_expires_at: string };
      };
      ends.add(session.expires_at);
      expect(Date.parse(session.idle_expires_at)).toBeLessThanOrEqual(
        Date.parse(session.expires_at),
      );
      await vi.waitFor(async () => expect(now() - (await usedAt())).toBeLessThan(minuteMs), {
        timeout: 10_000,
      });
    }
    expect([...ends]).toEqual([new Date(expiresAt).toISOString()]);
    expect(expiresAt - began).toBeLessThanOrEqual(dayMs);
    ahead = dayMs + 1;
    await expectDead(headers);
    expect(await sessionsOf(userId)).toEqual([]);
  });

  it('case 30 › a stored cookie is invalid an hour after the last request', async () => {
    const { headers, userId } = await openCookie(app, 'case30.idle@example.com');
    ahead = hourMs - minuteMs;
    await expectAlive(headers);
    await vi.waitFor(
      async () =>
        expect(now() - ((await sessionsOf(userId))[0]?.used_at ?? 0)).toBeLessThan(minuteMs),
      { timeout: 10_000 },
    );
    ahead += hourMs + 1000;
    for (let at = 0; at < 3; at += 1) await expectDead(headers);
    ahead += 2 * minuteMs;
    await expectDead(headers);
  });

  it('case 30 › a request with an ended session does not revive it', async () => {
    const { headers, userId, sessionId } = await openCookie(app, 'case30.ended@example.com');
    ahead = 10 * minuteMs;
    const racing = Promise.all(Array.from({ length: 20 }, () => me(app, headers)));
    await app.services.sessions.end(userId, sessionId);
    await racing;
    await expectDead(headers);
    expect(await sessionsOf(userId)).toEqual([]);
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
  }
  const as = (token: string) => client.as({ authorization: `Bearer ${token}` });
  const meStatus = async (token: string) => (await as(token).get('/api/auth/me')).status;
  const refreshWith = (token: string) =>
    client.post<ResponseBody>('/api/auth/token/refresh', { refresh_token: token });

  /** Refreshes up to `times` times and returns every response with tokens. */
  async function refreshing(first: string, times: number): Promise<ResponseBody[]> {
    const got: ResponseBody[] = [];
    let token: string | undefined = first;
    for (let at = 0; at < times && token !== undefined; at += 1) {
      const { body } = await refreshWith(token);
      token = body.refresh_token;
      if (token !== undefined) got.push(body);
    }
    return got;
  }

  async function round(at: number, query: string) {
    const email = `case36.${at}.${query.length}@example.com`;
    const current = await openBearer(app, email);
    const old = [current];
    while (old.length < 4) old.push(await openBearer(app, email));
    const cookie = await openCookie(app, email);
    const { code, id } = await askCode(app, email);
    const began: (Awaited<ReturnType<typeof openCookie>> & { begun: number })[] = [];
    const signIns = Array.from({ length: 4 }, async (_, turn) => {
      for (let wait = 0; wait < turn * 2; wait += 1)
        await new Promise((resolve) => setImmediate(resolve));
      const begun = now();
      const opened = await openCookie(app, email, begun).catch(() => undefined);
      if (opened !== undefined) began.push({ ...opened, begun });
    });
    const requestedAt = now();
    const [ended, verified, ...refreshed] = await Promise.all([
      as(current.accessToken).delete(`/api/auth/sessions${query}`),
      client.post<ResponseBody>('/auth/otp/verify', {
        identifier: email,
        code,
        verification_id: id,
      }),
      ...old.slice(1).map(({ refreshToken }) => refreshing(refreshToken, 4)),
      Promise.all(signIns).then(() => []),
    ]);
    const respondedAt = now();
    expect(ended.status).toBe(200);
    const notBefore = Number(await app.stores.redis.hget(`auth:{${current.userId}}`, 'not_before'));
    expect(notBefore).toBeGreaterThanOrEqual(requestedAt);
    expect(notBefore).toBeLessThanOrEqual(respondedAt);
    const alive = new Map(
      (await sessionsOf(current.userId)).map((session) => [session.id, session]),
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
      const dead = old.map(({ accessToken, refreshToken }) => [accessToken, refreshToken]);
      for (const { access_token: access, refresh_token: refresh } of refreshed)
        dead.push([access ?? '', refresh ?? '']);
      for (const [access = '', refresh = ''] of dead) {
        expect(await meStatus(access)).toBe(401);
        expect((await refreshWith(refresh)).status).toBe(400);
      }
      await expectDead(cookie.headers);
      expect([200, 401]).toContain(verified.status);
      const { access_token: access = '', session_id: id = '' } = verified.body;
      if (verified.status === 200) expect(await meStatus(access)).toBe(alive.has(id) ? 200 : 401);
      survivors += alive.size;
    }
    expect(survivors).toBeLessThanOrEqual(8 * 5);
  }, 30_000);

  it('case 36 › only the requesting session can be kept', async () => {
    for (let at = 0; at < 3; at += 1) {
      const { current, old, cookie, notBefore, alive } = await round(at, '?keep_current=true');
      expect(await meStatus(current.accessToken)).toBe(200);
      for (const { id, created_at: created } of alive.values())
        expect(id === current.sessionId || created >= notBefore).toBe(true);
      for (const { accessToken } of old.slice(1)) expect(await meStatus(accessToken)).toBe(401);
      await expectDead(cookie.headers);
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
    await expectDead(headers);
    expect(await inventory(app)).toEqual({ ...before, sessions: before.sessions - 1 });
    const { code, id } = await askCode(app, email);
    expect(await enter(app, email, code, id)).toMatchObject({ status: 200 });
  });
});
