import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createKnownDevices } from '../../../../src/areas/identity/sessions/known-devices.ts';
import { codeBudgetCheck } from '../../../../src/areas/identity/codes/budget.ts';
import { dayMs } from '../../../../src/lib/durations.ts';
import {
  ask,
  askCode,
  elapse,
  enter,
  inventory,
  notThe,
  parallel,
  storedCode,
  tally,
} from '../../../support/abuse.ts';
import { freshApp } from '../../../support/app.ts';
import { TestClient } from '../../../support/client.ts';
import { testRedisUrl } from '../../../support/redis.ts';
import { type Answer, codeFor } from '../../../support/sign-in.ts';
import { hiddenFieldsOf } from '../../../surfaces/pages/support.ts';

const env = {
  REDIS_URL: await testRedisUrl(),
  AUTH_SECRET: 'the-same-on-both-replicas-0123456789abcdef',
};
/** Limits codes per client address as well. */
const [app, replica, limited] = await Promise.all([
  freshApp({ env }),
  freshApp({ env }),
  freshApp({ env: { RATE_LIMIT: 'on', OTP_DAILY_LIMIT: '100' } }),
]);
// Both replicas share queued messages: only the one whose outbox is read runs the jobs.
await Promise.all([app.services.queues.start(), limited.services.queues.start()]);

const tooMany = { status: 429, body: { code: 'otp.too_many_attempts' } };
const ok = { status: 200 };
type Headers = Record<string, string>;
const auth = (headers: Headers = {}, at = app) => new TestClient(at).at('/api/auth').as(headers);
const known = (token: string) => ({ 'device-token': token });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
/** Requests a code as a device that presents a token. */
const send = (email: string, token: string, at = app) =>
  auth(known(token), at).post('/email/initiate', { email });
/** Enters a code as such a device. */
const enterAs = (token: string, email: string, code: string, id?: unknown) =>
  auth(known(token)).post('/otp/verify', { email, code, verification_id: id });
const refresh = async (token: string) =>
  (await auth().post('/token/refresh', { refresh_token: token })).body;

/** A response without what differs between any two. */
const plain = ({ status, headers, body }: Answer) => ({
  status,
  names: Object.keys(headers).sort(),
  body: { ...body, verification_id: '', to: '', expires_at: '', request_id: '' },
});

/** A user who has signed in once, with the token of the device. */
async function owner(name: string) {
  const email = `${name}@devices.example`;
  const { code, id } = await askCode(app, email);
  const { body } = await enter(app, email, code, id);
  return {
    email,
    token: String(body.device_token),
    refreshToken: String(body.refresh_token),
    accessToken: String(body.access_token),
    userId: (body.user as { id: string }).id,
  };
}

/** Requests a code as a known device. Returns it with its verification id. */
async function codeAs(token: string, email: string) {
  const after = app.services.outbox.list(email).length;
  const sent = await send(email, token);
  expect(sent).toMatchObject(ok);
  return { code: await codeFor(app, email, { after }), id: sent.body.verification_id };
}

/** Enters wrong codes as a stranger until the identifier is locked for strangers. */
async function lockByStrangers(email: string): Promise<void> {
  for (let at = 0; at < 20 && (await enter(app, email, '000000')).status !== 429; at += 1);
  expect(await ask(app, email)).toMatchObject(tooMany);
}

describe('while strangers have locked an identifier', () => {
  it('a known device gets a code and signs in; other devices do not', async () => {
    const { email, token } = await owner('locked');
    await lockByStrangers(email);
    const { code, id } = await codeAs(token, email);
    expect(await enter(app, email, code, String(id))).toMatchObject(tooMany);
    expect(await enterAs(token, email, code, id)).toMatchObject({
      status: 200,
      body: { user: { email }, device_token: expect.stringMatching(/^svcd_/) as string },
    });
    expect(await ask(app, email)).toMatchObject(tooMany);
  });

  it("a device is known after sign-out, by the page's cookie, and after a refresh", async () => {
    const { email, accessToken, refreshToken } = await owner('ways');
    const token = String((await refresh(refreshToken)).device_token);
    const browser = new TestClient(app);
    const first = await browser.form('/login', { identifier: email });
    const values = hiddenFieldsOf(first.text, '/login/code');
    const code = await codeFor(app, email, { after: 1 });
    const done = await browser.form('/login/code', { ...values, code });
    const cookies = [done.headers['set-cookie'] ?? []].flat();
    const device = cookies.find((line) => line.startsWith('svc_known=')) ?? '';
    expect(device).toMatch(
      /^svc_known=svcd_[\w-]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(await auth(bearer(accessToken)).post('/logout', {})).toMatchObject(ok);
    await lockByStrangers(email);
    const headers = { cookie: device.split(';')[0] ?? '' };
    expect(await browser.form('/login', { identifier: email }, { headers })).toMatchObject(ok);
    expect(await send(email, token)).toMatchObject(ok);
  });

  it('the session and the refresh token of a known device keep working', async () => {
    const { email, accessToken, refreshToken } = await owner('session');
    await lockByStrangers(email);
    expect(await auth(bearer(accessToken)).get('/me')).toMatchObject(ok);
    expect(await refresh(refreshToken)).toHaveProperty('access_token');
  });

  it('or closed it, a sign-in of a known device reopens codes for new devices', async () => {
    const { email, token } = await owner('closed');
    const { id } = await askCode(app, email);
    const { hash = '' } = (await storedCode(app, id)) ?? {};
    await app.stores.redis.set(`otp:${hash}:guesses`, '100');
    expect(await ask(app, email)).toMatchObject(tooMany);
    const own = await codeAs(token, email);
    expect(await enterAs(token, email, own.code, own.id)).toMatchObject(ok);
    expect(await ask(app, email)).toMatchObject(ok);
  });

  it('every replica counts to the same lock, and recognises the device', async () => {
    const { email, token } = await owner('replicas');
    for (let at = 0; at < 10; at += 1) await enter(at % 2 === 0 ? app : replica, email, '000000');
    for (const each of [app, replica]) {
      expect(await ask(each, email)).toMatchObject(tooMany);
      expect(await send(email, token, each)).toMatchObject(ok);
    }
  });
});

describe('codes requested by strangers', () => {
  it('do not use up the codes of a known device, nor invalidate its code', async () => {
    const { email, token } = await owner('sends');
    const own = await codeAs(token, email);
    for (let at = 0; at < 12; at += 1) {
      await ask(app, email);
      await elapse(app, 1000);
    }
    expect(await ask(app, email)).toMatchObject({
      status: 429,
      body: { code: 'otp.rate_limited' },
    });
    expect(await enterAs(token, email, own.code, own.id)).toMatchObject(ok);
    expect(await send(email, token)).toMatchObject(ok);
  });

  it('and codes for known devices are limited too, however often they sign in', async () => {
    const { email, token } = await owner('limited');
    await elapse(app, 120_000);
    const tokens = [token];
    for (let after = 1; after <= 3; after += 1) {
      const latest = tokens.at(-1) ?? '';
      const sent = await send(email, latest);
      expect(sent).toMatchObject(ok);
      const code = await codeFor(app, email, { after });
      const { body } = await enterAs(latest, email, code, sent.body.verification_id);
      tokens.push(String(body.device_token));
    }
    expect(await send(email, tokens.at(-1) ?? '')).toMatchObject({ status: 429 });
    expect(new Set(tokens).size).toBe(4);
  });
});

describe('a known device', () => {
  it('is locked by ten wrong codes, with any of its tokens, but locks no other', async () => {
    const { email, token, refreshToken } = await owner('stolen');
    for (let round = 0; round < 2; round += 1) {
      const { code, id } = await codeAs(token, email);
      for (let at = 0; at < 5; at += 1)
        expect(await enterAs(token, email, notThe(code), id)).toMatchObject({ status: 400 });
    }
    const { device_token: renewed } = await refresh(refreshToken);
    for (const each of [token, String(renewed)]) {
      expect(await send(email, each)).toMatchObject(tooMany);
      expect(await enterAs(each, email, '000000')).toMatchObject(tooMany);
    }
    const other = await askCode(app, email);
    expect(await enter(app, email, other.code, other.id)).toMatchObject(ok);
  });

  it('has exactly ten attempts: of fifty concurrent wrong codes ten are counted', async () => {
    const { email, token } = await owner('parallel');
    const { code, id } = await codeAs(token, email);
    const before = await inventory(app);
    const responses = await parallel(50, () => enterAs(token, email, notThe(code), id));
    expect(tally(responses)).toEqual({ 400: 10, 429: 40 });
    expect(await enterAs(token, email, code, id)).toMatchObject(tooMany);
    expect(await inventory(app)).toEqual(before);
  });

  it('counts as a stranger after thirty consecutive guesses', async () => {
    const { email, token } = await owner('guesser');
    for (let round = 0; round < 6; round += 1) {
      const { code, id } = await codeAs(token, email);
      for (let at = 0; at < 5; at += 1) await enterAs(token, email, notThe(code), id);
      await elapse(app, 2 * 3_600_000 + 1000);
    }
    await lockByStrangers(email);
    expect(await send(email, token)).toMatchObject(tooMany);
    await elapse(app, dayMs);
    const { code, id } = await codeAs(token, email);
    expect(await enterAs(token, email, code, id)).toMatchObject(ok);
  });

  it('can enter a code that was requested elsewhere', async () => {
    const { email, token } = await owner('elsewhere');
    for (const withId of [true, false]) {
      const { code, id } = await askCode(app, email);
      expect(await enterAs(token, email, code, withId ? id : undefined)).toMatchObject({
        status: 200,
      });
    }
  });
});

describe('a device token', () => {
  it('belongs to a user: with another identifier, or changed, it is invalid', async () => {
    const [one, other] = [await owner('token.one'), await owner('token.other')];
    await lockByStrangers(one.email);
    expect(await send(one.email, other.token)).toMatchObject(tooMany);
    // Changes in the time, in the device id, and in the mark of the address at the end.
    for (const at of [5, 9, 12, 20, 30, one.token.length - 18, one.token.length - 3]) {
      const changed =
        one.token.slice(0, at) + (one.token[at] === 'A' ? 'B' : 'A') + one.token.slice(at + 1);
      expect(await send(one.email, changed), String(at)).toMatchObject(tooMany);
    }
    for (const token of [
      '',
      'svcd_',
      `svcd_${'A'.repeat(48)}`,
      one.token.slice(0, -1),
      `${one.token}AAAA`,
      one.accessToken,
      '\u00ff'.repeat(80),
    ]) {
      expect(await send(one.email, token)).toMatchObject(tooMany);
    }
  });

  it('is revoked on every replica once its user has signed out everywhere', async () => {
    const { email, token, accessToken } = await owner('stolen');
    await lockByStrangers(email);
    expect(await send(email, token)).toMatchObject(ok);
    expect(await auth(bearer(accessToken)).delete('/sessions')).toMatchObject(ok);
    expect(await send(email, token)).toMatchObject(tooMany);
    expect(await send(email, token, replica)).toMatchObject(tooMany);
  });

  it('stays valid on the device that signs all others out', async () => {
    const { email, token, accessToken } = await owner('kept');
    const { code, id } = await askCode(app, email);
    const other = String((await enter(app, email, code, id)).body.device_token);
    const out = await auth(bearer(accessToken)).delete('/sessions?keep_current=true');
    expect(out.body).toMatchObject({ ended: 1 });
    await lockByStrangers(email);
    expect(await send(email, other)).toMatchObject(tooMany);
    expect(await send(email, token)).toMatchObject(ok);
  });

  it("reveals nothing: with another user's token, responses are those of strangers", async () => {
    const { token } = await owner('oracle');
    const { email } = await owner('oracle.known');
    await elapse(app, dayMs);
    const responses = [];
    for (const to of [email, 'oracle.nobody@devices.example'])
      responses.push([
        plain(await send(to, token)),
        plain(await auth().post('/email/initiate', { email: to })),
        plain(await enterAs(token, to, '000000')),
      ]);
    expect(responses[0]).toEqual(responses[1]);
    expect(responses[0]?.[0]).toMatchObject({ status: 200, body: { resend_after: 30 } });
  });

  describe('of the known devices', () => {
    let now = 0;
    let devices: ReturnType<typeof createKnownDevices>;
    beforeEach(() => {
      now = Date.parse('2026-05-04T09:30:00Z');
      const { redis } = app.stores;
      const keys = () => Buffer.alloc(32, 7);
      devices = createKnownDevices({ keys, clock: { now: () => now }, redis });
    });
    const email = { kind: 'email', key: 'ada@example.com', value: 'Ada@example.com' } as const;
    const idp = { kind: 'idp', key: 'https://id.example ada', value: 'ada' } as const;
    const newUser = () => ({ id: randomUUID(), identities: [email, idp] });

    it('contains neither user nor address, and lasts half a year per session', async () => {
      const user = newUser();
      const token = devices.issue(user, 'session-1');
      const content = Buffer.from(token.slice(5), 'base64url').toString('latin1');
      expect(content).not.toMatch(/ada|example/i);
      const id = await devices.deviceFor([token], email);
      expect(id).toMatch(/^[0-9a-f]{32}$/);
      expect(await devices.deviceFor([token], { kind: 'user', key: user.id })).toBe(id);
      expect(await devices.deviceFor([token], { kind: 'phone', key: email.key })).toBeUndefined();
      now += 60 * dayMs;
      expect(await devices.deviceFor([devices.issue(user, 'session-1')], email)).toBe(id);
      now += 121 * dayMs;
      expect(await devices.deviceFor([token], email)).toBeUndefined();
    });

    it("is revoked with the user's others, except that of the current session", async () => {
      const user = newUser();
      const isKnown = async (token: string) => {
        const byEmail = await devices.deviceFor([token], email);
        const byUser = await devices.deviceFor(['svcd_', token], { kind: 'user', key: user.id });
        return byEmail !== undefined && byUser !== undefined;
      };
      const before = devices.issue(user, 'first');
      expect(await isKnown(before)).toBe(true);
      await devices.forget(user);
      expect(await isKnown(before)).toBe(false);
      now += 1000;
      const kept = devices.issue(user, 'kept');
      const other = devices.issue(user, 'other');
      expect(await isKnown(kept)).toBe(true);
      await devices.forget(user, 'kept');
      expect(await isKnown(kept)).toBe(true);
      expect(await isKnown(other)).toBe(false);
      expect(await isKnown(before)).toBe(false);
    });

    it('is in an HttpOnly __Host- cookie, next to those of other users', () => {
      const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) =>
        devices.issue({ id, identities: [] }, `session-${id}`),
      ) as [string, string, string, string];
      const presented = [b, a, c, d, 'forged'];
      expect(devices.cookieWith({ token: a, userId: 'a', presented, isHttps: true })).toBe(
        `__Host-svc_known=${a}.${b}.${c}; ` +
          'Max-Age=15552000; Path=/; HttpOnly; Secure; SameSite=Lax',
      );
    });
  });
});

describe("the day's codes", () => {
  const setSent = (share: number) =>
    app.stores.redis.set('otp:day:email', String(10_000 * share), 'PX', 7_200_000);
  const checkBudget = () => codeBudgetCheck(app.services.codeBudget)(new AbortController().signal);
  const newEmail = 'budget.new@devices.example';
  /** Expects that a request succeeds, and sends a code or none. */
  async function expectSent(count: 0 | 1, request: () => Promise<Answer>): Promise<void> {
    const before = (await inventory(app)).messages;
    expect(await request()).toMatchObject(ok);
    expect((await inventory(app)).messages - before).toBe(count);
  }

  it('reserve a fifth for existing accounts; new users get the same response', async () => {
    const { email, token } = await owner('budget');
    const usedUp = { status: 503, body: { code: 'otp.budget' } };
    await elapse(app, dayMs);
    await setSent(0.8);
    expect(plain(await ask(app, newEmail))).toEqual(plain(await ask(app, email)));
    await elapse(app, 120_000);
    await expectSent(0, () => ask(app, newEmail));
    await expectSent(1, () => ask(app, email));
    await setSent(0.9);
    for (const to of [newEmail, email]) expect(await ask(app, to)).toMatchObject(usedUp);
    await expectSent(1, () => send(email, token));
    await setSent(1);
    expect(await send(email, token)).toMatchObject(usedUp);
  });

  it('are part of health, which warns below a fifth and when they are used up', async () => {
    await setSent(0.5);
    expect(await checkBudget()).toEqual({ observedValue: 50, observedUnit: 'percent left' });
    await setSent(0.85);
    expect(await checkBudget()).toMatchObject({
      status: 'warn',
      output: expect.stringContaining("fewer than a fifth of the day's codes by email") as string,
    });
    await setSent(1);
    expect(await checkBudget()).toMatchObject({
      status: 'warn',
      observedValue: 0,
      output: expect.stringContaining('used up') as string,
    });
    expect(app.services.health.checks().map(({ name }) => name)).toContain('otp:budget');
    const status = await new TestClient(app).get<{ components: { id: string }[] }>('/api/status');
    expect(status.body.components.map(({ id }) => id)).not.toContain('otp');
    await app.stores.redis.del('otp:day:email');
  });

  it("can't be used up from one address; a known device there still gets a code", async () => {
    const email = 'share@devices.example';
    const { code, id } = await askCode(limited, email);
    const signedIn = await enter(limited, email, code, id);
    const sendFrom = (address: string, at: number) =>
      auth({}, limited).from(address).post(`/otp/send?identifier=share.${at}@devices.example`);
    const responses = await parallel(12, (at) => sendFrom('203.0.113.50', at));
    expect(tally(responses)).toEqual({ 200: 10, 429: 2 });
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({
      code: 'otp.rate_limited',
      retry_after: Number(refused?.headers['retry-after']),
    });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(80_000);
    expect(await sendFrom('203.0.113.51', 100)).toMatchObject(ok);
    const own = await auth(known(String(signedIn.body.device_token)), limited)
      .from('203.0.113.50')
      .post('/email/initiate', { email });
    expect(own.status).toBe(200);
  });
});
