import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKnownDevices } from '../../../src/areas/auth/known-devices.ts';
import { codeBudgetCheck } from '../../../src/areas/otp/budget.ts';
import {
  answerOf,
  ask,
  askCode,
  elapse,
  enter,
  inventory,
  notThe,
  parallel,
  storedCode,
  tally,
} from '../../support/abuse.ts';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { testRedisUrl } from '../../support/redis.ts';
import { codeFor, post, signInByEmail } from '../../support/sign-in.ts';
import { carriedBy, submit } from '../../surfaces/pages/support.ts';

let app: FreshApp;
let replica: FreshApp;
/** Limits codes per client address as well. */
let limited: FreshApp;
beforeAll(async () => {
  const env = {
    REDIS_URL: await testRedisUrl(),
    AUTH_SECRET: 'the-same-on-both-replicas-0123456789abcdef',
  };
  [app, replica, limited] = await Promise.all([
    freshApp({ env }),
    freshApp({ env }),
    freshApp({ env: { RATE_LIMIT: 'on', OTP_DAILY_LIMIT: '100' } }),
  ]);
  // Both replicas share queued messages: only the one whose outbox is read runs the jobs.
  await Promise.all([app.services.queues.start(), limited.services.queues.start()]);
}, 60_000);
afterAll(() => Promise.all([app.close(), replica.close(), limited.close()]));

const dayMs = 86_400_000;
const tooMany = { status: 429, body: { code: 'otp.too_many_attempts' } };
const known = (token: string) => ({ 'device-token': token });
const send = (email: string, token: string, at = app) =>
  post(at, '/api/auth/email/initiate', { email }, known(token));

/** Enters a code as a device that presents a token. */
const enterAs = (token: string, email: string, code: string, id?: unknown) =>
  post(app, '/api/auth/otp/verify', { email, code, verification_id: id }, known(token));

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
  expect(sent).toMatchObject({ status: 200 });
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
    const refreshed = await post(app, '/api/auth/token/refresh', { refresh_token: refreshToken });
    const token = String(refreshed.body.device_token);
    const first = await submit(app, '/login', { identifier: email });
    const done = await submit(app, '/login/code', {
      ...carriedBy(first.body, '/login/code'),
      code: await codeFor(app, email, { after: 1 }),
    });
    const cookies = [done.headers['set-cookie'] ?? []].flat();
    const device = cookies.find((each) => each.startsWith('svc_known=')) ?? '';
    expect(device).toMatch(
      /^svc_known=svcd_[\w-]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(
      await post(app, '/api/auth/logout', {}, { authorization: `Bearer ${accessToken}` }),
    ).toMatchObject({ status: 200 });
    await lockByStrangers(email);
    const cookie = device.split(';')[0] ?? '';
    const page = await app.http.inject({
      method: 'POST',
      url: '/login',
      headers: {
        cookie,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams({ identifier: email }).toString(),
    });
    expect(page.statusCode).toBe(200);
    expect(await send(email, token)).toMatchObject({ status: 200 });
  });

  it('the session and the refresh token of a known device keep working', async () => {
    const { email, accessToken, refreshToken } = await owner('session');
    await lockByStrangers(email);
    expect(
      (
        await app.http.inject({
          url: '/api/auth/me',
          headers: { authorization: `Bearer ${accessToken}` },
        })
      ).statusCode,
    ).toBe(200);
    expect(
      await post(app, '/api/auth/token/refresh', { refresh_token: refreshToken }),
    ).toMatchObject({ status: 200 });
  });

  it('or closed it, a sign-in of a known device reopens codes for new devices', async () => {
    const { email, token } = await owner('closed');
    const { id } = await askCode(app, email);
    const { hash = '' } = (await storedCode(app, id)) ?? {};
    await app.stores.redis.set(`otp:${hash}:guesses`, '100');
    expect(await ask(app, email)).toMatchObject(tooMany);
    const own = await codeAs(token, email);
    expect(await enterAs(token, email, own.code, own.id)).toMatchObject({ status: 200 });
    expect(await ask(app, email)).toMatchObject({ status: 200 });
  });

  it('every replica counts to the same lock, and recognises the device', async () => {
    const { email, token } = await owner('replicas');
    for (let at = 0; at < 10; at += 1) await enter(at % 2 === 0 ? app : replica, email, '000000');
    for (const each of [app, replica]) {
      expect(await ask(each, email)).toMatchObject(tooMany);
      expect(await send(email, token, each)).toMatchObject({ status: 200 });
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
    expect(await enterAs(token, email, own.code, own.id)).toMatchObject({ status: 200 });
    expect(await send(email, token)).toMatchObject({ status: 200 });
  });

  it('and codes for known devices are limited too, however often they sign in', async () => {
    const { email, token } = await owner('limited');
    await elapse(app, 120_000);
    const tokens = [token];
    const statuses: number[] = [];
    for (let at = 0; at < 4; at += 1) {
      const sent = await send(email, tokens.at(-1) ?? '');
      statuses.push(sent.status);
      if (sent.status !== 200) break;
      const after = at + 1;
      const { body } = await enterAs(
        tokens.at(-1) ?? '',
        email,
        await codeFor(app, email, { after }),
        sent.body.verification_id,
      );
      tokens.push(String(body.device_token));
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
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
    const { body } = await post(app, '/api/auth/token/refresh', { refresh_token: refreshToken });
    for (const each of [token, String(body.device_token)]) {
      expect(await send(email, each)).toMatchObject(tooMany);
      expect(await enterAs(each, email, '000000')).toMatchObject(tooMany);
    }
    const other = await askCode(app, email);
    expect(await enter(app, email, other.code, other.id)).toMatchObject({ status: 200 });
  });

  it('has exactly ten attempts: of fifty concurrent wrong codes ten are counted', async () => {
    const { email, token } = await owner('parallel');
    const { code, id } = await codeAs(token, email);
    const before = await inventory(app);
    expect(tally(await parallel(50, () => enterAs(token, email, notThe(code), id)))).toEqual({
      400: 10,
      429: 40,
    });
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
    expect(await enterAs(token, email, code, id)).toMatchObject({ status: 200 });
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
    expect(await send(email, token)).toMatchObject({ status: 200 });
    const out = await app.http.inject({
      method: 'DELETE',
      url: '/api/auth/sessions',
      headers: { authorization: `Bearer ${accessToken}` },
    });
    expect(out.statusCode).toBe(200);
    expect(await send(email, token)).toMatchObject(tooMany);
    expect(await send(email, token, replica)).toMatchObject(tooMany);
  });

  it('stays valid on the device that signs all others out', async () => {
    const { email, token, accessToken } = await owner('kept');
    const { code, id } = await askCode(app, email);
    const other = String((await enter(app, email, code, id)).body.device_token);
    const out = await app.http.inject({
      method: 'DELETE',
      url: '/api/auth/sessions?keep_current=true',
      headers: { authorization: `Bearer ${accessToken}` },
    });
    expect(out.json()).toMatchObject({ ended: 1 });
    await lockByStrangers(email);
    expect(await send(email, other)).toMatchObject(tooMany);
    expect(await send(email, token)).toMatchObject({ status: 200 });
  });

  it("reveals nothing: with another user's token, responses are those of strangers", async () => {
    const { token } = await owner('oracle');
    const { email } = await owner('oracle.known');
    await elapse(app, dayMs);
    const plain = ({ status, headers, body }: Awaited<ReturnType<typeof ask>>) => ({
      status,
      names: Object.keys(headers).sort(),
      body: { ...body, verification_id: '', to: '', expires_at: '', request_id: '' },
    });
    const responses = [];
    for (const to of [email, 'oracle.nobody@devices.example']) {
      responses.push([
        plain(await send(to, token)),
        plain(await post(app, '/api/auth/email/initiate', { email: to })),
        plain(await enterAs(token, to, '000000')),
      ]);
    }
    expect(responses[0]).toEqual(responses[1]);
    expect(responses[0]?.[0]).toMatchObject({ status: 200, body: { resend_after: 30 } });
  });

  it('contains neither user nor address, and lasts half a year per session', async () => {
    let now = Date.parse('2026-05-04T09:30:00Z');
    const devices = createKnownDevices({
      key: Buffer.alloc(32, 7),
      clock: { now: () => now },
      redis: app.stores.redis,
    });
    const user = {
      id: '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04',
      identities: [
        { kind: 'email', key: 'ada@example.com', value: 'Ada@example.com' },
        { kind: 'idp', key: 'https://id.example ada', value: 'ada' },
      ],
    } as const;
    const subject = { kind: 'email', key: 'ada@example.com' } as const;
    const token = devices.issue({ ...user, identities: [...user.identities] }, 'session-1');
    expect(Buffer.from(token.slice(5), 'base64url').toString('latin1')).not.toMatch(/ada|example/i);
    const id = await devices.deviceFor([token], subject);
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(await devices.deviceFor([token], { kind: 'user', key: user.id })).toBe(id);
    expect(
      await devices.deviceFor([token], { kind: 'phone', key: 'ada@example.com' }),
    ).toBeUndefined();
    now += 60 * dayMs;
    expect(
      await devices.deviceFor(
        [devices.issue({ ...user, identities: [...user.identities] }, 'session-1')],
        subject,
      ),
    ).toBe(id);
    now += 121 * dayMs;
    expect(await devices.deviceFor([token], subject)).toBeUndefined();
  });

  it("is revoked with the user's others, except that of the current session", async () => {
    let now = Date.parse('2026-05-04T09:30:00Z');
    const devices = createKnownDevices({
      key: Buffer.alloc(32, 7),
      clock: { now: () => now },
      redis: app.stores.redis,
    });
    const user = {
      id: '01985f6e-3a10-7c41-9d52-5b8e2f7a1c05',
      identities: [{ kind: 'email', key: 'eve@example.com', value: 'eve@example.com' }],
    } as const;
    const isKnown = async (token: string) =>
      [
        await devices.deviceFor([token], { kind: 'email', key: 'eve@example.com' }),
        await devices.deviceFor(['svcd_', token], { kind: 'user', key: user.id }),
      ].every((id) => id !== undefined);
    const issue = (session: string) =>
      devices.issue({ ...user, identities: [...user.identities] }, session);
    const before = issue('first');
    expect(await isKnown(before)).toBe(true);
    await devices.forget({ ...user, identities: [...user.identities] });
    expect(await isKnown(before)).toBe(false);
    now += 1000;
    const [kept, other] = [issue('kept'), issue('other')];
    expect(await isKnown(kept)).toBe(true);
    await devices.forget({ ...user, identities: [...user.identities] }, 'kept');
    expect({
      keptIsKnown: await isKnown(kept),
      otherIsKnown: await isKnown(other),
      beforeIsKnown: await isKnown(before),
    }).toEqual({ keptIsKnown: true, otherIsKnown: false, beforeIsKnown: false });
  });

  it('is in an HttpOnly __Host- cookie, next to those of other users', () => {
    const devices = createKnownDevices({
      key: Buffer.alloc(32, 7),
      clock: { now: Date.now },
      redis: app.stores.redis,
    });
    const tokenOf = (id: string) => devices.issue({ id, identities: [] }, `session-${id}`);
    const presented = [tokenOf('b'), tokenOf('a'), tokenOf('c'), tokenOf('d'), 'forged'];
    const header = devices.cookieWith({
      token: tokenOf('a'),
      userId: 'a',
      presented,
      isHttps: true,
    });
    expect(header).toBe(
      `__Host-svc_known=${[tokenOf('a'), tokenOf('b'), tokenOf('c')].join('.')}; ` +
        'Max-Age=15552000; Path=/; HttpOnly; Secure; SameSite=Lax',
    );
  });
});

describe("the day's codes", () => {
  const setSent = (share: number) =>
    app.stores.redis.set('otp:day:email', String(10_000 * share), 'PX', 7_200_000);
  const checkBudget = () => codeBudgetCheck(app.services.codeBudget)(new AbortController().signal);
  const sentTo = async (email: string, at: () => Promise<{ status: number }>) => {
    const before = (await inventory(app)).messages;
    const { status } = await at();
    return { email, status, messages: (await inventory(app)).messages - before };
  };

  it('reserve a fifth for existing accounts; new users get the same response', async () => {
    const { email, token } = await owner('budget');
    await elapse(app, dayMs);
    await setSent(0.8);
    const responses = [await ask(app, 'budget.new@devices.example'), await ask(app, email)];
    const plain = responses.map(({ status, headers, body }) => ({
      status,
      names: Object.keys(headers).sort(),
      body: { ...body, verification_id: '', to: '', expires_at: '' },
    }));
    expect(plain[0]).toEqual(plain[1]);
    await elapse(app, 120_000);
    expect(await sentTo('new', () => ask(app, 'budget.new@devices.example'))).toMatchObject({
      status: 200,
      messages: 0,
    });
    expect(await sentTo(email, () => ask(app, email))).toMatchObject({ status: 200, messages: 1 });
    await setSent(0.9);
    for (const to of ['budget.new@devices.example', email])
      expect(await ask(app, to)).toMatchObject({ status: 503, body: { code: 'otp.budget' } });
    expect(await sentTo(email, () => send(email, token))).toMatchObject({
      status: 200,
      messages: 1,
    });
    await setSent(1);
    expect(await send(email, token)).toMatchObject({ status: 503, body: { code: 'otp.budget' } });
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
    const components = (await app.http.inject('/api/status')).json<{
      components: { id: string }[];
    }>().components;
    expect(components.map(({ id }) => id)).not.toContain('otp');
    await app.stores.redis.del('otp:day:email');
  });

  it("can't be used up from one address; a known device there still gets a code", async () => {
    const email = 'share@devices.example';
    await signInByEmail(limited, email);
    const { body } = await post(limited, '/api/auth/email/initiate', { email });
    const signedIn = await post(limited, '/api/auth/otp/verify', {
      email,
      code: await codeFor(limited, email, { after: 1 }),
      verification_id: body.verification_id,
    });
    const from = async (remoteAddress: string, at: number) =>
      answerOf(
        await limited.http.inject({
          method: 'POST',
          url: '/api/auth/otp/send',
          query: { identifier: `share.${at}@devices.example` },
          remoteAddress,
        }),
      );
    const responses = await parallel(12, (at) => from('203.0.113.50', at));
    expect(tally(responses)).toEqual({ 200: 10, 429: 2 });
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({
      code: 'otp.rate_limited',
      retry_after: Number(refused?.headers['retry-after']),
    });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(80_000);
    expect((await from('203.0.113.51', 100)).status).toBe(200);
    const headers = {
      'device-token': String(signedIn.body.device_token),
      'content-type': 'application/json',
    };
    const own = await limited.http.inject({
      method: 'POST',
      url: '/api/auth/email/initiate',
      remoteAddress: '203.0.113.50',
      headers,
      payload: { email },
    });
    expect(own.statusCode).toBe(200);
  });
});
