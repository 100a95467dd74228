import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { consentVersion } from '../../../src/areas/waitlist/consent.ts';
import { sqlContent } from '../../support/abuse.ts';
import { asAdmin, freshApp, type FreshApp, webFolder } from '../../support/app.ts';
import { titleOf } from '../../surfaces/pages/support.ts';
import { createPeople, type Own } from './people.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const asBrowser = { accept: 'text/html,application/xhtml+xml' };
const origin = 'https://svc.example';
let app: FreshApp;
let people: ReturnType<typeof createPeople>;
let offset = 0;
const clock = { now: () => Date.now() + offset };

beforeAll(async () => {
  app = await freshApp({
    clock,
    env: {
      BASE_URL: origin,
      APP_NAME: 'Acme',
      LEGAL_NAME: 'Acme Ltd',
      LEGAL_ADDRESS: '1 Main Street, Springfield',
      WAITLIST_ORIGINS: 'https://launch.example',
    },
  });
  await app.services.queues.start();
  people = createPeople(app);
}, 300_000);
afterAll(() => app.close());
beforeEach(() => {
  // A second a test, for the cache of the public figures.
  offset += 2000;
});

const allRows = () => app.stores.db.selectFrom('waitlist_entries').selectAll().execute();
const submit = (url: string, body: Record<string, string>, headers: Record<string, string> = {}) =>
  app.http.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams(body).toString(),
    headers: {
      ...asBrowser,
      origin,
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
  });

describe('joining', () => {
  it('with an Idempotency-Key is repeated for one hour, for the same client only', async () => {
    const email = people.newAddress();
    const key = { 'idempotency-key': 'join-1' };
    const first = await people.join({ email }, '10.200.0.1', key);
    const again = await people.join({ email }, '10.200.0.1', key);
    expect(again.body).toBe(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const other = await people.join({ email: people.newAddress() }, '10.200.0.1', key);
    expect(other.statusCode).toBe(422);
    const elsewhere = await people.join({ email: people.newAddress() }, '10.201.0.1', key);
    expect({
      status: elsewhere.statusCode,
      'idempotency-replayed': elsewhere.headers['idempotency-replayed'],
    }).toEqual({ status: 200, 'idempotency-replayed': undefined });
    await people.nextMessage(email);
    const { redis } = app.stores;
    const kept = await Promise.all(
      (await redis.keys('idempotency:*')).map((name) => redis.ttl(name)),
    );
    expect(kept.length).toBeGreaterThan(1);
    expect(Math.max(...kept)).toBeLessThanOrEqual(3600);
  });

  it('sends a link, verifies it, and shows the place', async () => {
    const email = people.newAddress();
    const answer = await people.join({
      email: ` ${email.toUpperCase()} `,
      name: 'Ana',
      metadata: { campaign: 'launch', paid: false },
    });
    expect({ first: answer.statusCode, second: answer.json<{ status: string }>().status }).toEqual({
      first: 200,
      second: 'pending',
    });
    const mail = await people.nextMessage(email);
    const own = (await people.verify(people.tokenIn(mail))).json<Own>();
    expect(own).toMatchObject({ status: 'verified', amount_referred: 0 });
    expect(own.position).toBe(own.total);
    expect(own.ahead).toBe(own.total - 1);
    expect(own.referral_link).toBe(`${origin}/waitlist?ref=${own.referral_code}`);
    expect(await people.me(own.token)).toMatchObject({ id: own.id, position: own.position });
    expect(await people.row(own.id)).toMatchObject({
      email,
      name: 'Ana',
      metadata: { campaign: 'launch', paid: false },
      consent_version: consentVersion,
      consent_at: expect.any(Date) as Date,
      network: expect.stringMatching(/^10\.\d+\.\d+\.0\/24$/) as string,
      confirm_hash: null,
    });
  });

  it('the mail names its sender, repeats no entered text, and has a one-click link', async () => {
    const email = people.newAddress();
    await people.join({ email, name: 'Buy at spam.example', metadata: { a: 'spam.example' } });
    const mail = await people.nextMessage(email);
    expect(JSON.stringify(mail)).not.toContain('spam');
    expect(mail.text).toContain('Sent by Acme Ltd, 1 Main Street, Springfield.');
    expect(mail.unsubscribe).toMatch(/^https:\/\/svc\.example\/waitlist\/leave\?token=/);
    const left = await app.http.inject({
      method: 'POST',
      url: String(mail.unsubscribe).replace(origin, ''),
      payload: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(left.statusCode).toBe(200);
    expect((await allRows()).filter((row) => row.email === email)).toEqual([]);
  });

  it('a GET of a link verifies and deletes nothing', async () => {
    const email = people.newAddress();
    await people.join({ email });
    const mail = await people.nextMessage(email);
    const page = await app.http.inject({
      url: `/waitlist/verify?token=${people.tokenIn(mail)}`,
      headers: asBrowser,
    });
    expect(page.body).toMatch(/<button [^>]*type="submit">Confirm and join<\/button>/);
    await app.http.inject(String(mail.unsubscribe).replace(origin, ''));
    expect((await allRows()).find((row) => row.email === email)?.status).toBe('pending');
  });

  it('again sends the place to a verified address, once in ten minutes', async () => {
    const email = people.newAddress();
    const own = await people.waiting({ email });
    offset += 11 * minute;
    await people.join({ email });
    const mail = await people.nextMessage(email, 1);
    expect(people.linkIn(mail, 'status#')).toBe(own.token);
    await people.join({ email });
    await people.settled();
    expect(people.messagesTo(email)).toHaveLength(2);
    expect((await allRows()).filter((row) => row.email === email)).toHaveLength(1);
  });

  it('lists people by points, then by time, and forgets unverified ones after a week', async () => {
    const [first, second, third] = [
      await people.waiting(),
      await people.waiting(),
      await people.waiting(),
    ];
    const before = await people.me(third.token);
    expect(before.position).toBeGreaterThan((await people.me(second.token)).position ?? 0);
    await people.waiting({ referral_code: third.referral_code });
    const after = await people.me(third.token);
    expect({ position: after.position, amount_referred: after.amount_referred }).toEqual({
      position: 1,
      amount_referred: 1,
    });
    expect((await people.me(first.token)).ahead).toBe((first.ahead ?? 0) + 1);
    const { rows } = await sql<{ id: string }>`select id from waitlist_entries
      where status = 'verified' order by score desc, verified_at, id`.execute(app.stores.db);
    const places = new Map(rows.map(({ id }, at) => [id, at + 1]));
    for (const { token, id } of [first, second, third])
      expect((await people.me(token)).position).toBe(places.get(id));
  });
});

describe('the pages', () => {
  it('work without scripts: join, confirm, see the place, leave', async () => {
    const friend = await people.waiting({ name: 'Friend' });
    const page = await app.http.inject({
      url: `/waitlist?ref=${friend.referral_code}`,
      headers: asBrowser,
    });
    expect({ status: page.statusCode, title: titleOf(page.body) }).toEqual({
      status: 200,
      title: 'Join the waitlist – Acme',
    });
    expect(page.body).not.toMatch(/<script/);
    expect(page.body).toContain(`name="referral_code" value="${friend.referral_code}"`);
    expect(page.body).toMatch(/\d+ people are waiting/);
    const email = people.newAddress();
    const asked = await submit('/waitlist', { email, name: '', consent: 'true', website: '' });
    expect({ status: asked.statusCode, title: titleOf(asked.body) }).toEqual({
      status: 200,
      title: 'Check your inbox – Acme',
    });
    const mail = await people.nextMessage(email);
    const done = await submit('/waitlist/verify', { token: people.tokenIn(mail) });
    expect({ status: done.statusCode, location: done.headers.location }).toEqual({
      status: 303,
      location: '/waitlist/status',
    });
    const cookie = String(done.headers['set-cookie']);
    expect(cookie).toMatch(/^__Host-svc_waitlist=.*HttpOnly; Secure; SameSite=Lax/);
    const place = await app.http.inject({
      url: '/waitlist/status',
      headers: { ...asBrowser, cookie: cookie.split(';')[0] ?? '' },
    });
    expect(titleOf(place.body)).toBe('Your place on the waitlist – Acme');
    expect(place.body).toMatch(/https:\/\/svc\.example\/waitlist\?ref=\w+/);
    const token = new URL(String(mail.unsubscribe)).searchParams.get('token') ?? '';
    expect(titleOf((await submit('/waitlist/leave', { token })).body)).toBe(
      'You’ve left the waitlist – Acme',
    );
    expect((await allRows()).filter((row) => row.email === email)).toEqual([]);
  });

  it('open a place from a pasted link, and only from our own pages', async () => {
    const own = await people.waiting();
    const link = `${origin}/waitlist/status#${own.token}`;
    const opened = await submit('/waitlist/status', { token: link });
    expect({ status: opened.statusCode, location: opened.headers.location }).toEqual({
      status: 303,
      location: '/waitlist/status',
    });
    const foreign = await submit(
      '/waitlist/status',
      { token: own.token },
      { origin: 'https://evil.example' },
    );
    expect({ status: foreign.statusCode, 'set-cookie': foreign.headers['set-cookie'] }).toEqual({
      status: 403,
      'set-cookie': undefined,
    });
    const wrong = await submit('/waitlist/status', { token: `${own.token}x` });
    expect({ status: wrong.statusCode, 'set-cookie': wrong.headers['set-cookie'] }).toEqual({
      status: 422,
      'set-cookie': undefined,
    });
  });

  it('422 › show what is wrong and queue nothing', async () => {
    const before = await allRows();
    const { statusCode, body } = await submit('/waitlist', {
      email: 'nobody',
      name: '"><script>alert(1)</script>',
      consent: '',
    });
    expect({ statusCode, title: titleOf(body) }).toEqual({
      statusCode: 422,
      title: 'Error: Join the waitlist – Acme',
    });
    expect(body).toContain('like name@example.com.');
    expect(body).toContain('Agree to get emails');
    expect(body).not.toContain('<script>');
    await people.settled();
    expect(await allRows()).toEqual(before);
  });

  it('the embedded script takes at most 3 KB', async () => {
    const script = readFileSync(new URL('waitlist.js', webFolder));
    expect(gzipSync(script).length).toBeLessThanOrEqual(3 * 1024);
    const served = await app.http.inject('/waitlist.js');
    expect({
      status: served.statusCode,
      'access-control-allow-origin': served.headers['access-control-allow-origin'],
    }).toEqual({ status: 200, 'access-control-allow-origin': '*' });
    expect(served.body).toBe(script.toString());
  });
});

it('only listed websites may send the embedded form', async () => {
  const preflight = (from: string) =>
    app.http.inject({
      method: 'OPTIONS',
      url: '/api/v2/waitlist',
      headers: { origin: from, 'access-control-request-method': 'POST' },
    });
  expect((await preflight('https://launch.example')).headers).toMatchObject({
    'access-control-allow-origin': 'https://launch.example',
    'access-control-allow-headers': 'content-type, idempotency-key',
  });
  expect(
    (await preflight('https://evil.example')).headers['access-control-allow-origin'],
  ).toBeUndefined();
  const send = async (from: string) =>
    (await people.join({ email: people.newAddress() }, '10.9.9.9', { origin: from })).headers;
  expect(await send('https://launch.example')).toMatchObject({
    'access-control-allow-origin': 'https://launch.example',
    vary: expect.stringContaining('origin') as string,
  });
  expect((await send('https://evil.example'))['access-control-allow-origin']).toBeUndefined();
  const mine = await app.http.inject({
    url: '/api/v2/waitlist/me',
    headers: { origin: 'https://launch.example', 'waitlist-token': 'x' },
  });
  expect(mine.headers['access-control-allow-origin']).toBeUndefined();
});

it('the leaderboard masks names, and the figures count people who wait', async () => {
  const leader = await people.waiting({ name: '<script>alert(1)</script>' });
  await people.waiting({ referral_code: leader.referral_code });
  offset += 2000;
  const board = await app.http.inject('/api/v2/waitlist/leaderboard');
  const { data } = board.json<{ data: { rank: number; name: string | null }[] }>();
  expect(data.map(({ name }) => name)).toContain('<•••');
  expect(board.body).not.toContain('script');
  const page = await app.http.inject({ url: '/waitlist', headers: asBrowser });
  expect(page.body).not.toContain('<script');
  const { total } = (await app.http.inject('/api/v2/waitlist/stats')).json<{ total: number }>();
  expect(total).toBe((await allRows()).filter(({ status }) => status === 'verified').length);
});

describe('abuse', () => {
  it('enumeration by body: known, unknown, denied and honeypot get the same answer', async () => {
    const own = await people.waiting();
    const known = await people.row(own.id);
    const answers = [
      await people.join({ email: known?.email }),
      await people.join({ email: people.newAddress() }),
      await people.join({ email: `throwaway${Date.now()}@mailinator.com` }),
      await people.join({ email: people.newAddress(), referral_code: 'unknown' }),
      await people.join({ email: people.newAddress(), website: 'x' }),
    ];
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    await people.settled();
  });

  it('enumeration by timing: nothing is looked up before the answer', async () => {
    await people.settled();
    const quiet = await freshApp();
    try {
      await sql`alter table waitlist_entries rename to waitlist_away`.execute(quiet.stores.db);
      const others = createPeople(quiet);
      for (const email of ['a@example.com', 'b@example.com', 'c@mailinator.com'])
        expect((await others.join({ email })).statusCode).toBe(200);
      expect(
        (await quiet.services.queues.observe()).handlers.find(({ name }) => name === 'waitlist')
          ?.waiting,
      ).toBe(3);
    } finally {
      await quiet.close();
    }
  }, 300_000);

  const creditOf = async ({ id }: Own) => {
    const row = await people.row(id);
    return [row?.status, row?.credit, row?.credit_reasons];
  };

  it('self-referral: the same browser, and the own code, give no credit', async () => {
    const own = await people.waiting();
    const email = people.newAddress();
    await people.join({ email, referral_code: own.referral_code });
    const token = people.tokenIn(await people.nextMessage(email));
    await submit('/waitlist/verify', { token }, { cookie: `__Host-svc_waitlist=${own.token}` });
    const second = (await allRows()).find((row) => row.email === email);
    expect({ status: second?.status, credit: second?.credit }).toEqual({
      status: 'verified',
      credit: 'withheld',
    });
    expect(second?.credit_reasons).toContain('self_referral');
    const mine = await people.row(own.id);
    offset += 11 * minute;
    await people.join({ email: mine?.email, referral_code: own.referral_code });
    await people.settled();
    expect(await people.row(own.id)).toMatchObject({ referred_by: null, score: 0 });
  });

  it('same network: credit is withheld for 30 days, the entry is kept', async () => {
    const own = await people.waiting({}, '203.0.113.7');
    const code = own.referral_code;
    const neighbour = await people.waiting({ referral_code: code }, '203.0.113.200');
    expect(await creditOf(neighbour)).toEqual(['verified', 'withheld', ['same_network']]);
    const six = await people.waiting({ referral_code: code }, '2001:db8:1:aa01::1');
    expect(await creditOf(six)).toEqual(['verified', 'granted', []]);
    const sixNeighbour = await people.waiting({ referral_code: code }, '2001:db8:1:aaff::2');
    expect(await creditOf(sixNeighbour)).toEqual(['verified', 'withheld', ['same_network']]);
    expect((await people.me(own.token)).amount_referred).toBe(1);
    offset += 31 * day;
    const later = await people.waiting({ referral_code: code }, '203.0.113.201');
    expect(await creditOf(later)).toEqual(['verified', 'granted', []]);
  });

  it('disposable: people may join, but get nobody credit', async () => {
    const own = await people.waiting();
    const email = `someone${Date.now()}@eu.mailinator.com`;
    const other = await people.waiting({ email, referral_code: own.referral_code });
    expect(await creditOf(other)).toEqual(['verified', 'withheld', ['disposable_address']]);
    expect((await people.row(other.id))?.is_disposable).toBe(true);
    expect((await people.me(own.token)).amount_referred).toBe(0);
  });

  it('Gmail dots and sub-addresses are one mailbox with one place', async () => {
    const name = `dot.person${Date.now()}`;
    const own = await people.waiting({ email: `${name}@gmail.com` });
    offset += 11 * minute;
    await people.join({ email: `${name.replace('.', '')}+again@googlemail.com` });
    await people.settled();
    expect(await people.row(own.id)).toMatchObject({ email: `${name}@gmail.com` });
    expect((await allRows()).filter(({ mailbox }) => mailbox.startsWith('dotperson'))).toHaveLength(
      1,
    );
    expect(people.messagesTo(`${name}@gmail.com`)).toHaveLength(2);
  });

  it('token reuse: a link works once, even in concurrent requests', async () => {
    const own = await people.waiting();
    const email = people.newAddress();
    await people.join({ email, referral_code: own.referral_code });
    const token = people.tokenIn(await people.nextMessage(email));
    const answers = await Promise.all(Array.from({ length: 6 }, () => people.verify(token)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([
      200,
      ...Array<number>(5).fill(410),
    ]);
    expect((await people.me(own.token)).amount_referred).toBe(1);
  });

  it('forged status tokens show nothing, nor do tokens for other purposes', async () => {
    const [own, other] = [await people.waiting(), await people.waiting()];
    const email = (await people.row(own.id))?.email ?? '';
    const unsubscribe = String(people.messagesTo(email)[0]?.unsubscribe);
    const proof = own.token.split('.')[1] ?? '';
    for (const forged of [
      '',
      'x',
      `${other.id}.${proof}`,
      `${own.id}.${'a'.repeat(43)}`,
      new URL(unsubscribe).searchParams.get('token') ?? '',
    ]) {
      const answer = await app.http.inject({
        url: '/api/v2/waitlist/me',
        headers: { 'waitlist-token': forged },
      });
      expect({
        forged,
        status: answer.statusCode,
        code: answer.json<{ code: string }>().code,
      }).toEqual({ forged, status: 401, code: 'waitlist.token_invalid' });
    }
    const leave = await app.http.inject({
      method: 'POST',
      url: '/api/v2/waitlist/leave',
      payload: { token: own.token },
    });
    expect({
      leaveStatus: leave.statusCode,
      peopleStatus: (await people.row(own.id))?.status,
    }).toEqual({ leaveStatus: 410, peopleStatus: 'verified' });
  });

  it('huge metadata is refused', async () => {
    const members = (count: number, text = 'x') =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, text]));
    for (const [metadata, status] of [
      [members(20), 200],
      [members(21), 422],
      [members(1, 'x'.repeat(501)), 422],
      [{ deep: { er: 1 } }, 422],
      [{ ['x'.repeat(65)]: 1 }, 422],
      [{ __proto__x: 'a\nb' }, 422],
      [members(100, 'x'.repeat(500)), 413],
    ] as const)
      expect({
        status,
        peopleStatus: (await people.join({ email: people.newAddress(), metadata })).statusCode,
      }).toEqual({ status, peopleStatus: status });
  });

  it('a script in the name is refused on several lines, and escaped on pages', async () => {
    for (const name of ['a\nb', 'a\r\nBcc: x@example.com', '\u202Eevil', 'x'.repeat(201)])
      expect((await people.join({ email: people.newAddress(), name })).statusCode).toBe(422);
  });

  it('velocity: more than ten referrals in an hour get no credit', async () => {
    const own = await people.waiting();
    for (let at = 0; at < 11; at += 1) await people.waiting({ referral_code: own.referral_code });
    const referred = (await allRows()).filter((row) => row.referred_by === own.id);
    expect(referred.filter(({ credit }) => credit === 'granted')).toHaveLength(10);
    expect(referred.find(({ credit }) => credit === 'withheld')?.credit_reasons).toEqual([
      'velocity',
    ]);
    expect(await people.row(own.id)).toMatchObject({ score: 100, amount_referred: 10 });
  }, 120_000);

  it('only the waitlist holds addresses, names and tokens', async () => {
    const email = people.newAddress();
    const own = await people.waiting({ email, name: 'Secretname' });
    await people.settled();
    expect(app.log()).toContain('waitlist.join');
    expect(app.log()).not.toMatch(/person-\d+|Secretname|[\da-f]{12}\.[\w-]{43}/);
    expect(app.log()).not.toContain(own.token);
    const keys = await app.stores.redis.keys('*waitlist*');
    const stored = await Promise.all(
      keys.map(async (key) =>
        (await app.stores.redis.type(key)) === 'hash'
          ? JSON.stringify(await app.stores.redis.hgetall(key))
          : '',
      ),
    );
    expect(stored.join()).not.toMatch(/person-\d+|Secretname/);
    expect(
      [...(await sqlContent(app))]
        .filter(([name, content]) => name !== 'waitlist_entries' && content.includes(email))
        .map(([name]) => name),
    ).toEqual([]);
  });

  it('leaving takes back the credit of a referral', async () => {
    const own = await people.waiting();
    const email = people.newAddress();
    await people.waiting({ email, referral_code: own.referral_code });
    expect((await people.me(own.token)).amount_referred).toBe(1);
    const token = people.linkIn(await people.nextMessage(email), 'leave\\?token=');
    await app.http.inject({ method: 'POST', url: '/api/v2/waitlist/leave', payload: { token } });
    expect((await people.me(own.token)).amount_referred).toBe(0);
    const entries = await app.http.inject({
      url: '/api/v1/audit?action=waitlist.left',
      headers: asAdmin,
    });
    expect(entries.body).not.toContain(email);
  });
});

it('flood: a client may ask ten times in ten minutes', async () => {
  const limited = await freshApp({ env: { RATE_LIMIT: 'on' } });
  try {
    const others = createPeople(limited);
    const statuses: number[] = [];
    for (let at = 0; at < 11; at += 1)
      statuses.push((await others.join({ email: others.newAddress() }, '192.0.2.1')).statusCode);
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
  } finally {
    await limited.close();
  }
}, 300_000);
