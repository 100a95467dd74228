import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createQueues } from '../../../../src/platform/queues/queues.ts';
import { freshApp, type FreshApp } from '../../../support/app.ts';
import {
  ask,
  askCode,
  elapse,
  enter,
  inventory,
  me,
  notThe,
  ownersOf,
} from '../../../support/abuse.ts';
import { TestClient, type TestResponse } from '../../../support/client.ts';
import { createTestHttp } from '../../../support/http.ts';
import { startTestRedis, type TestRedis } from '../../../support/redis-server.ts';
import { type Answer, openCookie, signInByEmail } from '../../../support/sign-in.ts';
import { startHttpReceiver } from '../../comms/receivers.ts';

// BullMQ itself remembers the failure of a queue's first command for ever, so every later request
// for a code would be 503. The same can happen on a busy machine.
it('case 23 › a queue opened while Redis hangs works once Redis responds', async () => {
  const redis = await startTestRedis();
  const { logger } = createTestHttp();
  const queues = createQueues({
    connection: { url: redis.url },
    prefix: 'jobs',
    logger,
    clock: { now: () => Date.now() },
  });
  const [first, second] = ['first', 'second'].map((name) =>
    queues.defineJob({ name, schema: z.object({}), process: async () => undefined }),
  );
  try {
    await first?.add({});
    redis.kill('SIGSTOP');
    await expect(second?.add({})).rejects.toMatchObject({ status: 503 });
    redis.kill('SIGCONT');
    await vi.waitFor(() => first?.add({}), { timeout: 5000, interval: 50 });
    await expect(second?.add({})).resolves.toEqual(expect.any(String));
  } finally {
    redis.kill('SIGCONT');
    await queues.close();
    await redis.stop();
  }
});

/** The response to a request, and how long it took. */
async function timed(call: Promise<{ status: number; body: Record<string, unknown> }>) {
  const began = performance.now();
  const { status, body } = await call;
  return {
    status,
    ms: performance.now() - began,
    isIn: 'access_token' in body || body.authenticated === true,
  };
}

describe('an outage of Redis', () => {
  let redis: TestRedis;
  let app: FreshApp;
  let client: TestClient;
  beforeAll(async () => {
    redis = await startTestRedis();
    app = await freshApp({ env: { REDIS_URL: redis.url, RATE_LIMIT: 'on' } });
    client = new TestClient(app);
    await app.services.queues.start();
  }, 30_000);
  afterAll(async () => {
    await app.close();
    await redis.stop();
  });

  const wrongBackupCode = (userId: string) => ({ code: '0000-0000-0000-0000', user_id: userId });
  const peopleOf = async () =>
    Number(
      (
        await app.stores.db
          .selectFrom('users')
          .select(({ fn }) => fn.countAll().as('count'))
          .executeTakeFirst()
      )?.count,
    );

  /** A page's response; a cookie that it sets counts as a sign-in. */
  const page = (response: Promise<TestResponse>) =>
    response.then(({ status, headers }) => ({
      status,
      body: { authenticated: 'set-cookie' in headers },
    }));

  /** Sends every request that signs a user in, or sends a message, at once. */
  async function sendAll(ready: Awaited<ReturnType<typeof prepare>>) {
    const { signedIn, cookie, code, id, to } = ready;
    const api = client.at('/api/auth');
    const browser = client.as(cookie.headers);
    const forged = { authorization: `Bearer ${signedIn.accessToken.slice(0, -3)}abc` };
    return Promise.all([
      timed(ask(app, `new.${to}`)),
      timed(api.post('/mobile/initiate', { phone: '+14155550123' })),
      timed(enter(app, to, code, id)),
      timed(enter(app, to, code)),
      timed(enter(app, to, notThe(code), id)),
      timed(me(app, signedIn.bearer)),
      timed(me(app, cookie.headers)),
      timed(me(app, forged)),
      timed(api.post('/token/refresh', { refresh_token: signedIn.refreshToken })),
      timed(browser.as({ origin: app.services.baseOrigin }).delete('/api/auth/sessions')),
      timed(api.post('/backup-codes/verify', {}, { query: wrongBackupCode(signedIn.userId) })),
      timed(page(client.form('/login', { identifier: `page.${to}` }))),
      timed(
        page(client.form('/login/code', { identifier: to, verification_id: id, code, next: '' })),
      ),
      timed(page(browser.get('/account'))),
      timed(page(browser.form('/account/totp', {}))),
    ]);
  }

  async function prepare(name: string) {
    const to = `case23.${name}.code@example.com`;
    const signedIn = await signInByEmail(app, `case23.${name}@example.com`);
    const cookie = await openCookie(app, `case23.${name}@example.com`);
    return { to, signedIn, cookie, ...(await askCode(app, to)) };
  }

  /**
   * Sends every request three times: none may succeed, and each must fail in time at least once
   * (the machine may be busy).
   */
  async function expectClosed(ready: Awaited<ReturnType<typeof prepare>>) {
    const rounds = [await sendAll(ready), await sendAll(ready), await sendAll(ready)];
    for (const [at] of rounds[0]?.entries() ?? []) {
      for (const responses of rounds)
        expect({ at, status: responses[at]?.status, isIn: responses[at]?.isIn }).toEqual({
          at,
          status: 503,
          isIn: false,
        });
      expect(
        Math.min(...rounds.map((responses) => responses[at]?.ms ?? Infinity)),
        `door ${at}`,
      ).toBeLessThan(2000);
    }
  }

  it('case 23 › while Redis hangs every route fails in two seconds, then recovers', async () => {
    const ready = await prepare('hangs');
    const people = await peopleOf();
    redis.kill('SIGSTOP');
    try {
      await expectClosed(ready);
      expect(await peopleOf()).toBe(people);
      expect(await ownersOf(app, ready.to)).toEqual([]);
    } finally {
      redis.kill('SIGCONT');
    }
    await vi.waitFor(async () => expect((await me(app, ready.signedIn.bearer)).status).toBe(200), {
      timeout: 10_000,
      interval: 50,
    });
    expect((await me(app, ready.cookie.headers)).status).toBe(200);
    expect((await enter(app, ready.to, ready.code, ready.id)).status).toBe(200);
    expect((await enter(app, ready.to, ready.code, ready.id)).status).toBe(400);
  });

  it('case 23 › while Redis is down every route fails; a new one serves at once', async () => {
    const ready = await prepare('dies');
    const people = await peopleOf();
    await redis.stop();
    await expectClosed(ready);
    expect(await peopleOf()).toBe(people);
    redis = await startTestRedis({ at: redis.port });
    await vi.waitFor(
      async () => expect((await ask(app, 'case23.again@example.com')).status).toBe(200),
      { timeout: 15_000, interval: 50 },
    );
    // The new Redis is empty: all sessions have ended, and earlier codes are wrong.
    expect((await me(app, ready.signedIn.bearer)).status).toBe(401);
    expect((await me(app, ready.cookie.headers)).status).toBe(401);
    expect((await enter(app, ready.to, ready.code, ready.id)).status).toBe(400);
    expect(await ownersOf(app, ready.to)).toEqual([]);
    expect(await inventory(app)).toMatchObject({ sessions: 0 });
    const back = await signInByEmail(app, 'case23.dies@example.com');
    expect((await me(app, back.bearer)).status).toBe(200);
  });
});

describe('a failing provider and a jumping clock', () => {
  let ahead = 0;
  let receiver: Awaited<ReturnType<typeof startHttpReceiver>>;
  let app: FreshApp;
  beforeAll(async () => {
    receiver = await startHttpReceiver();
    const env = {
      SMS_URL: `${receiver.url}/sms`,
      SMS_WEBHOOK_SECRET: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
    };
    app = await freshApp({ env, clock: { now: () => Date.now() + ahead } });
    await app.services.queues.start();
  }, 30_000);
  afterEach(() => void (ahead = 0));
  afterAll(() => app.close());

  const smsDeliveries = () =>
    app.stores.db
      .selectFrom('deliveries')
      .select(['status', 'attempts'])
      .where('channel', '=', 'sms')
      .orderBy('id')
      .execute();

  it('case 24 › a failing provider is invisible; the same code is sent again', async () => {
    receiver.answers.push({ status: 500 }, { status: 200 });
    const usual = await ask(app, 'case24@example.com');
    const sent = await ask(app, '+14155550124');
    const shapeOf = ({ status, headers, body }: Answer) => ({
      status,
      headers: Object.keys(headers).sort(),
      body: Object.keys(body),
    });
    expect(shapeOf(sent)).toEqual(shapeOf(usual));
    await vi.waitFor(
      async () => expect(await smsDeliveries()).toEqual([{ status: 'sent', attempts: 2 }]),
      { timeout: 15_000, interval: 20 },
    );
    expect(receiver.received).toHaveLength(2);
    const [first, second] = receiver.received;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    const code = /\b(\d{6})\b/.exec(second?.body ?? '')?.[1] ?? '';
    for (const status of [200, 400])
      expect(
        await enter(app, '+14155550124', code, String(sent.body.verification_id)),
      ).toMatchObject({ status });
    expect(app.log()).not.toContain('4155550124');
  });

  it('case 24 › an unreachable provider is not reported to the client either', async () => {
    await receiver.close();
    const before = await inventory(app);
    expect(await ask(app, '+14155550125')).toMatchObject({ status: 200, body: { success: true } });
    await vi.waitFor(async () => expect((await smsDeliveries())[1]?.attempts).toBeGreaterThan(0), {
      timeout: 10_000,
      interval: 20,
    });
    expect(await inventory(app)).toEqual({ ...before, messages: before.messages + 1 });
  });

  it.each([
    ['forward', 3_600_000],
    ['back', -3_600_000],
  ])('case 25 › an hour %s neither ends a code nor extends it', async (way, jump) => {
    const [live, dead] = [`case25.${way}.live@example.com`, `case25.${way}.dead@example.com`];
    const one = await askCode(app, live);
    const other = await askCode(app, dead);
    ahead = jump;
    await elapse(app, 280_000);
    expect(await enter(app, live, one.code, one.id)).toMatchObject({ status: 200 });
    await elapse(app, 21_000);
    const before = await inventory(app);
    expect(await enter(app, dead, other.code, other.id)).toMatchObject({
      status: 400,
      body: { code: 'otp.invalid' },
    });
    expect(await inventory(app)).toEqual(before);
  });

  it('case 25 › a jump neither shortens a lock nor allows more codes', async () => {
    const to = 'case25.lock@example.com';
    for (let at = 0; at < 10; at += 1) await enter(app, to, '000000');
    for (let at = 0; at < 3; at += 1) await ask(app, 'case25.sends@example.com');
    const before = await inventory(app);
    for (const jump of [3_600_000, -3_600_000, 86_400_000]) {
      ahead = jump;
      expect(await enter(app, to, '000000')).toMatchObject({ status: 429 });
      expect(await ask(app, 'case25.sends@example.com')).toMatchObject({ status: 429 });
    }
    expect(await inventory(app)).toEqual(before);
  });
});
