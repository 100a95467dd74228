import { describe, expect, it } from 'vitest';
import { freshApp } from '../../../support/app.ts';
import {
  ask,
  askCode,
  elapse,
  enter,
  inventory,
  notThe,
  ownersOf,
  parallel,
  tally,
} from '../../../support/abuse.ts';
import { TestClient } from '../../../support/client.ts';

// `app` has no limits by client address, only those of identifiers, numbers and countries.
// `limited` has all limits.
const [app, limited] = await Promise.all([
  freshApp({ env: { OTP_COUNTRIES: 'US,CA,GB,DE,FR,NL', OTP_DAILY_LIMIT: '400' } }),
  freshApp({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '10.9.9.9' } }),
]);
const client = new TestClient(app).at('/api/auth');
await Promise.all([app.services.queues.start(), limited.services.queues.start()]);

const shapeOf = (body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, typeof value]));

/** Requests a code from a client address, through the app with limits by address. */
const askFrom = (address: string, identifier: string, headers = {}, url = '/api/auth/otp/send') =>
  new TestClient(limited).from(address).post(url, undefined, { query: { identifier }, headers });

const enterFrom = (
  address: string,
  identifier: string,
  headers = {},
  url = '/api/auth/otp/verify',
) => new TestClient(limited).from(address).post(url, { identifier, code: '000000' }, { headers });

describe('one identifier', () => {
  it('case 15 › the fourth code in a minute is refused; Retry-After is accurate', async () => {
    const to = 'case15@example.com';
    for (let at = 0; at < 3; at += 1)
      expect((await ask(app, to)).body.resend_after).toBe(at === 0 ? 30 : 60);
    const before = await inventory(app);
    const refused = await ask(app, to);
    expect(refused).toMatchObject({ status: 429, body: { code: 'otp.rate_limited' } });
    expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(refused.body.retry_after).toBe(Number(refused.headers['retry-after']));
    expect(await inventory(app)).toEqual(before);
    await elapse(app, Number(refused.headers['retry-after']) * 1000 - 3000);
    expect(await ask(app, to)).toMatchObject({ status: 429 });
    await elapse(app, 3000);
    expect(await ask(app, to)).toMatchObject({ status: 200 });
  });

  it('case 15 › Retry-After is that of the longest limit in force', async () => {
    const to = 'case15.two@example.com';
    await ask(app, to);
    await ask(app, to);
    await elapse(app, 70_000);
    for (let at = 0; at < 3; at += 1) expect((await ask(app, to)).status).toBe(200);
    const refused = await ask(app, to);
    const wait = Number(refused.headers['retry-after']);
    expect(wait).toBeGreaterThan(500);
    await elapse(app, wait * 1000);
    expect(await ask(app, to)).toMatchObject({ status: 200 });
  });

  it('case 15 › five in ten minutes and ten in a day are sent', async () => {
    const to = 'case15.day@example.com';
    const statuses: number[] = [];
    for (let at = 0; at < 14; at += 1) {
      statuses.push((await ask(app, to)).status);
      await elapse(app, 121_000);
    }
    expect(statuses).toEqual([...new Array<number>(10).fill(200), 429, 429, 429, 429]);
    const refused = await ask(app, to);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000);
    await elapse(app, Number(refused.headers['retry-after']) * 1000);
    expect(await ask(app, to)).toMatchObject({ status: 200 });
  });

  it('case 15 › a refused request extends no limit and invalidates no code', async () => {
    const to = 'case15.alive@example.com';
    await askCode(app, to);
    await askCode(app, to);
    const { code, id } = await askCode(app, to);
    const first = Number((await ask(app, to)).headers['retry-after']);
    for (let at = 0; at < 10; at += 1) await ask(app, to);
    expect(Number((await ask(app, to)).headers['retry-after'])).toBeLessThanOrEqual(first);
    expect(await enter(app, to, code, id)).toMatchObject({ status: 200 });
  });

  it('case 16 › all notations of a number share one limit, code and user', async () => {
    const spellings = [
      '+1 415 555 0160',
      '+1-415-555-0160',
      '+1415 555-0160',
      '+1 (415) 555.0160',
      ' +14155550160 ',
    ];
    const responses = [];
    for (const phone of spellings) responses.push(await client.post('/mobile/initiate', { phone }));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    for (const { body } of responses.slice(0, 3)) expect(body.to).toBe('+1•••••0160');
    await elapse(app, 61_000);
    for (const spelling of spellings.slice(0, 2)) {
      const { code } = await askCode(app, '+14155550160');
      expect(await enter(app, spelling, code)).toMatchObject({
        status: 200,
        body: { user: { phone_number: '+14155550160' } },
      });
    }
    expect(await ownersOf(app, '+14155550160')).toHaveLength(1);
  });

  it('case 16 › all notations of an address are one address', async () => {
    const statuses = [];
    for (const email of [
      'Case16@Example.com',
      'case16@example.com',
      ' CASE16@EXAMPLE.COM ',
      'case16@example.COM',
    ])
      statuses.push((await client.post('/email/initiate', { email })).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    await elapse(app, 61_000);
    for (const [requested, entered, isNew] of [
      ['Case16@Example.com', 'cASE16@example.com', true],
      ['case16@example.com', 'case16@EXAMPLE.com ', false],
    ] as const) {
      const { code } = await askCode(app, requested);
      const signedIn = await enter(app, entered, code);
      expect(signedIn).toMatchObject({ status: 200, body: { is_new_user: isNew } });
    }
    expect(await ownersOf(app, 'case16@example.com')).toHaveLength(1);
  });

  it('case 18 › many client addresses share the limit of one number', async () => {
    const statuses = [];
    for (let at = 0; at < 6; at += 1)
      statuses.push((await askFrom(`198.51.100.${at}`, 'case18@example.com')).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429]);
    for (let at = 0; at < 10; at += 1) await enterFrom(`198.51.101.${at}`, 'case18@example.com');
    const refused = await enterFrom('198.51.101.200', 'case18@example.com');
    expect(refused).toBeProblem(429, 'otp.too_many_attempts');
  });

  it('case 26 › locks and limits look the same for known and unknown users', async () => {
    const [known, unknown] = ['case26.known@example.com', 'case26.unknown@example.com'];
    const signedIn = await askCode(app, known);
    expect(await enter(app, known, signedIn.code)).toMatchObject({ status: 200 });
    await elapse(app, 3_600_000);
    const compare = async (call: (to: string) => ReturnType<typeof ask>) => {
      const [one, other] = [await call(known), await call(unknown)];
      const plain = ({ status, headers, body }: typeof one) => ({
        status,
        names: Object.keys(headers).sort(),
        wait: Math.round(Number(headers['retry-after'] ?? 0) / 10),
        body: {
          ...body,
          request_id: '',
          verification_id: '',
          to: '',
          expires_at: '',
          retry_after: Math.round(Number(body.retry_after ?? 0) / 10),
        },
      });
      expect(plain(other)).toEqual(plain(one));
      return one.status;
    };
    for (const expected of [200, 200, 200, 429])
      expect(await compare((to) => ask(app, to))).toBe(expected);
    for (let at = 0; at < 10; at += 1)
      expect(await compare((to) => enter(app, to, '000000'))).toBe(400);
    expect(await compare((to) => enter(app, to, '000000'))).toBe(429);
    expect(await compare((to) => ask(app, to))).toBe(429);
    expect(await ownersOf(app, unknown)).toEqual([]);
  });
});

describe('many numbers', () => {
  it('case 17 › of a hundred similar numbers twenty get a code, indistinguishably', async () => {
    const numbers = Array.from(
      { length: 100 },
      (_, at) => `+4915123450${String(at).padStart(3, '0')}`,
    );
    const before = await inventory(app);
    const responses = await parallel(100, (at) => ask(app, numbers[at] ?? ''));
    expect(tally(responses)).toEqual({ 200: 100 });
    const [first, last] = [responses[0]?.body ?? {}, responses[99]?.body ?? {}];
    expect(shapeOf(last)).toEqual(shapeOf(first));
    const own = { verification_id: '', to: '', expires_at: '' };
    expect({ ...last, ...own }).toEqual({ ...first, ...own });
    expect(await inventory(app)).toEqual({ ...before, messages: before.messages + 20 });
    const { verification_id: id } = last;
    const guess = { phone: numbers[99], code: '000000', verification_id: id };
    expect(await client.post('/mobile/verify', guess)).toBeProblem(400, 'otp.invalid');
  });

  it('case 17 › premium, toll-free, impossible and foreign numbers get no code', async () => {
    const usual = await ask(app, '+33612345678');
    const before = await inventory(app);
    const refused = {
      'US premium rate': '+19002345678',
      'US toll-free': '+18002345678',
      'GB premium': '+449098790000',
      'GB shared cost': '+448431234567',
      'GB pager': '+447640123456',
      'GB personal number at premium rates': '+447012345678',
      'US, no such area': '+11115550123',
      'Latvia, not listed': '+37121234567',
      'a satellite phone': '+881612345678',
    };
    const sent: string[] = [];
    for (const [name, phone] of Object.entries(refused)) {
      const response = await ask(app, phone);
      expect({ name, status: response.status, shape: shapeOf(response.body) }).toEqual({
        name,
        status: 200,
        shape: shapeOf(usual.body),
      });
      if ((await inventory(app)).messages > before.messages + sent.length) sent.push(name);
    }
    expect(sent).toEqual([]);
    for (let at = 0; at < 2; at += 1) await ask(app, '+37121234567');
    const limit = { status: 429, body: { code: 'otp.rate_limited' } };
    expect(await ask(app, '+37121234567')).toMatchObject(limit);
  });

  it('case 17 › a country whose codes are rarely entered gets no more that day', async () => {
    await elapse(app, 86_400_000);
    const numberOf = (at: number) =>
      `+3161${String(at % 4)}${String(2_345_00 + at).slice(-6)}`.padEnd(12, '7');
    const before = (await inventory(app)).messages;
    expect(tally(await parallel(50, (at) => ask(app, numberOf(at * 1009))))).toEqual({ 200: 50 });
    expect((await inventory(app)).messages - before).toBe(40);
    expect((await ask(app, 'case17.mail@example.com')).status).toBe(200);
    expect((await inventory(app)).messages - before).toBe(41);
    await elapse(app, 86_400_000);
    await ask(app, '+31612999888');
    expect((await inventory(app)).messages - before).toBe(42);
  });

  it('case 17 › above the daily budget nothing is sent; the response says until when', async () => {
    await elapse(app, 86_400_000);
    // The last tenth of the 400 is for known devices.
    await app.stores.redis.set('otp:day:email', '360', 'PX', 7_200_000);
    const before = await inventory(app);
    const refused = await ask(app, 'case17.over@example.com');
    expect(refused).toMatchObject({ status: 503, body: { code: 'otp.budget' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(7100);
    expect(await inventory(app)).toEqual(before);
    await elapse(app, 7_200_000);
    expect((await ask(app, 'case17.over@example.com')).status).toBe(200);
    expect(client.outbox('nobody@example.com')).toEqual([]);
  });

  it('case 18 › many numbers from one address share its limit: thirty in ten minutes', async () => {
    const responses = await parallel(32, (at) => askFrom('192.0.2.18', `case18.${at}@example.com`));
    expect(tally(responses)).toEqual({ 200: 30, 429: 2 });
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({
      code: 'request.rate_limited',
      retry_after: Number(refused?.headers['retry-after']),
    });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(500);
    const guesses = await parallel(61, (at) => enterFrom('192.0.2.18', `case18.${at}@example.com`));
    expect(tally(guesses)).toEqual({ 400: 60, 429: 1 });
  });

  it('case 18 › another path does not bypass the limits of an address', async () => {
    const prefixes = ['/api/auth', '/auth'];
    const sends = prefixes.flatMap((prefix) => [`${prefix}/otp/send`, `${prefix}/otp/resend`]);
    const requests = await parallel(31, (at) =>
      askFrom('192.0.2.19', `case18.path.${at}@example.com`, {}, sends[at % 4]),
    );
    expect(tally(requests)).toEqual({ 200: 30, 429: 1 });
    const checks = prefixes.flatMap((prefix) => [
      `${prefix}/otp/verify`,
      `${prefix}/mobile/verify`,
    ]);
    const guesses = await parallel(61, (at) =>
      enterFrom('192.0.2.20', `case18.guess.${at}@example.com`, {}, checks[at % 4]),
    );
    expect(tally(guesses)).toEqual({ 400: 60, 429: 1 });
  });

  it('case 19 › forged headers from an untrusted proxy change nothing', async () => {
    const responses = await parallel(32, (at) => {
      const forged = `203.0.113.${at}`;
      return askFrom('192.0.2.21', `case19.${at}@example.com`, {
        'x-forwarded-for': forged,
        'x-real-ip': forged,
        forwarded: `for=${forged}`,
        'cf-connecting-ip': forged,
        'x-client-ip': forged,
      });
    });
    expect(tally(responses)).toEqual({ 200: 30, 429: 2 });
    const events = limited.stores.db.selectFrom('audit_events').select('address');
    expect(await events.where('address', 'like', '203.0.113.%').execute()).toEqual([]);
  });

  it('case 19 › behind a trusted proxy only the address before it counts', async () => {
    const responses = await parallel(32, (at) =>
      askFrom('10.9.9.9', `case19.proxy.${at}@example.com`, {
        'x-forwarded-for': `203.0.113.${at}, 198.51.100.77`,
      }),
    );
    expect(tally(responses)).toEqual({ 200: 30, 429: 2 });
  });

  it('case 19 › an IPv6 /64 is one client, and IPv4 in IPv6 is IPv4', async () => {
    const responses = await parallel(32, (at) =>
      askFrom(
        `2001:db8:19:1:${at.toString(16)}::${at.toString(16)}`,
        `case19.six.${at}@example.com`,
      ),
    );
    expect(tally(responses)).toEqual({ 200: 30, 429: 2 });
    expect((await askFrom('2001:db8:19:2::1', 'case19.six.next@example.com')).status).toBe(200);
    const mapped = await parallel(31, (at) =>
      askFrom(at % 2 === 0 ? '192.0.2.64' : '::ffff:192.0.2.64', `case19.mapped.${at}@example.com`),
    );
    expect(tally(mapped)).toEqual({ 200: 30, 429: 1 });
  });

  it('case 5 › above the limit of an address even a right code opens nothing', async () => {
    const to = 'case5.address@example.com';
    const { code, id } = await askCode(limited, to);
    await parallel(60, (at) => enterFrom('192.0.2.22', `case5.burn.${at}@example.com`));
    const before = await inventory(limited);
    const refused = await new TestClient(limited)
      .from('192.0.2.22')
      .post('/api/auth/otp/verify', { identifier: to, code, verification_id: id });
    expect(refused).toMatchObject({ status: 429 });
    expect(await inventory(limited)).toEqual(before);
    expect(await enter(limited, to, notThe(code), id)).toMatchObject({ status: 400 });
    expect(await enter(limited, to, code, id)).toMatchObject({ status: 200 });
  });
});
