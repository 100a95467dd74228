import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { Queue } from 'bullmq';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { consentVersion } from '../../../src/areas/waitlist/consent.ts';
import { dayMs, minuteMs } from '../../../src/lib/durations.ts';
import { sqlContent } from '../../support/abuse.ts';
import { atOnce, oneOf } from '../../support/abuse-tables.ts';
import { asAdmin, freshApp, webFolder } from '../../support/app.ts';
import { titleOf } from '../../surfaces/pages/support.ts';
import { redisContent } from '../comms/redis-content.ts';
import { linkIn, origin, type Own, People, tokenIn } from './people.ts';

let offset = 0;
const clock = { now: () => Date.now() + offset };

const app = await freshApp({
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
const people = new People(app);
beforeEach(() => {
  // A second a test, for the cache of the public figures.
  offset += 2000;
});

const allRows = () => app.stores.db.selectFrom('waitlist_entries').selectAll().execute();
const rowsOf = async (email: string) => (await allRows()).filter((row) => row.email === email);
/** Joins again with a known address, when the next mail is allowed. */
async function rejoin(body: object) {
  offset += 11 * minuteMs;
  await people.join(body);
  await people.settled();
}

describe('a person who joins the waitlist', () => {
  it('gets the same answer to an Idempotency-Key for an hour, from one client only', async () => {
    const email = people.newAddress();
    const key = { 'idempotency-key': 'join-1' };
    const first = await people.join({ email }, '10.200.0.1', key);
    const again = await people.join({ email }, '10.200.0.1', key);
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const another = { email: people.newAddress() };
    expect(await people.join(another, '10.200.0.1', key)).toMatchObject({ status: 422 });
    const elsewhere = await people.join(another, '10.201.0.1', key);
    expect(elsewhere.status).toBe(200);
    expect(elsewhere.headers).not.toHaveProperty('idempotency-replayed');
    await people.mailTo(email);
    const { redis } = app.stores;
    const keys = await redis.keys('idempotency:*');
    const kept = await Promise.all(keys.map((name) => redis.ttl(name)));
    expect(kept.length).toBeGreaterThan(1);
    expect(Math.max(...kept)).toBeLessThanOrEqual(3600);
  });

  it('gets a link, verifies it, and sees their own place', async () => {
    const email = people.newAddress();
    const given = { name: 'Ana', metadata: { campaign: 'launch', paid: false } };
    const answer = await people.join({ email: ` ${email.toUpperCase()} `, ...given });
    expect(answer).toMatchObject({ status: 200, body: { status: 'pending' } });
    const mail = await people.mailTo(email);
    const own = (await people.verify(tokenIn(mail))).body;
    expect(own).toMatchObject({ status: 'verified', amount_referred: 0 });
    expect(own.position).toBe(own.total);
    expect(own.ahead).toBe(own.total - 1);
    expect(own.referral_link).toBe(`${origin}/waitlist?ref=${own.referral_code}`);
    expect(await people.me(own.token)).toMatchObject({ id: own.id, position: own.position });
    expect(await people.row(own.id)).toMatchObject({
      email,
      ...given,
      consent_version: consentVersion,
      consent_at: expect.any(Date) as Date,
      network: expect.stringMatching(/^10\.\d+\.\d+\.0\/24$/) as string,
      confirm_hash: null,
    });
  });

  it('gets an email that names its sender, repeats no input, and leaves in one click', async () => {
    const email = people.newAddress();
    const spam = { name: 'Buy at spam.example', metadata: { a: 'spam.example' } };
    const mail = await people.asked(email, spam);
    expect(JSON.stringify(mail)).not.toContain('spam');
    expect(mail.text).toContain('Sent by Acme Ltd, 1 Main Street, Springfield.');
    expect(mail.unsubscribe).toMatch(/^https:\/\/svc\.example\/waitlist\/leave\?token=/);
    // As an email client sends it, which has no origin.
    const left = await people.post(
      String(mail.unsubscribe).replace(origin, ''),
      'List-Unsubscribe=One-Click',
      { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    );
    expect(left.status).toBe(200);
    expect(await rowsOf(email)).toEqual([]);
  });

  it('is neither verified nor deleted when an email client opens the links', async () => {
    const email = people.newAddress();
    const mail = await people.asked(email);
    const page = await people.page(`/waitlist/verify?token=${tokenIn(mail)}`);
    expect(page.text).toMatch(/<button [^>]*type="submit">Confirm and join<\/button>/);
    await people.get(String(mail.unsubscribe).replace(origin, ''));
    expect(await rowsOf(email)).toMatchObject([{ status: 'pending' }]);
  });

  it('again gets their own place by email, once in ten minutes', async () => {
    const email = people.newAddress();
    const own = await people.waiting({ email });
    await rejoin({ email });
    const mail = await people.mailTo(email, { after: 1 });
    expect(linkIn(mail, 'status#')).toBe(own.token);
    await people.join({ email });
    await people.settled();
    expect(people.outbox(email)).toHaveLength(2);
    expect(await rowsOf(email)).toHaveLength(1);
  });

  it('has a place by points, then by time', async () => {
    const [first, second, third] = await people.threeWaiting();
    const before = await people.me(third.token);
    expect(before.position).toBeGreaterThan((await people.me(second.token)).position ?? 0);
    await people.waiting({ referral_code: third.referral_code });
    const after = await people.me(third.token);
    expect(after).toMatchObject({ position: 1, amount_referred: 1 });
    expect((await people.me(first.token)).ahead).toBe((first.ahead ?? 0) + 1);
    const { rows } = await sql<{ id: string }>`select id from waitlist_entries
      where status = 'verified' order by score desc, verified_at, id`.execute(app.stores.db);
    const places = new Map(rows.map(({ id }, at) => [id, at + 1]));
    for (const { token, id } of [first, second, third])
      expect((await people.me(token)).position).toBe(places.get(id));
  });
});

describe('the pages of the waitlist', () => {
  it('work without scripts: join, confirm, see the place, leave', async () => {
    const friend = await people.waiting({ name: 'Friend' });
    const page = await people.page(`/waitlist?ref=${friend.referral_code}`);
    expect(page.status).toBe(200);
    expect(titleOf(page.text)).toBe('Join the waitlist – Acme');
    expect(page.text).not.toMatch(/<script|Top referrers/);
    expect(page.text).toContain(`name="referral_code" value="${friend.referral_code}"`);
    expect(page.text).toMatch(/\d+ people are waiting/);
    const email = people.newAddress();
    const asked = await people.form('/waitlist', { email, name: '', consent: 'true', website: '' });
    expect(asked.status).toBe(200);
    expect(titleOf(asked.text)).toBe('Check your inbox – Acme');
    const mail = await people.mailTo(email);
    const done = await people.form('/waitlist/verify', { token: tokenIn(mail) });
    expect(done).toMatchObject({ status: 303, headers: { location: '/waitlist/status' } });
    const cookie = String(done.headers['set-cookie']);
    expect(cookie).toMatch(/^__Host-svc_waitlist=.*HttpOnly; Secure; SameSite=Lax/);
    const place = await people.page('/waitlist/status', {
      headers: { cookie: cookie.split(';')[0] ?? '' },
    });
    expect(titleOf(place.text)).toBe('Your place on the waitlist – Acme');
    expect(place.text).toMatch(/https:\/\/svc\.example\/waitlist\?ref=\w+/);
    const token = new URL(String(mail.unsubscribe)).searchParams.get('token') ?? '';
    const left = await people.form('/waitlist/leave', { token });
    expect(titleOf(left.text)).toBe('You’ve left the waitlist – Acme');
    expect(await rowsOf(email)).toEqual([]);
  });

  it('open a place from a pasted link, and only from our own pages', async () => {
    const own = await people.waiting();
    const link = `${origin}/waitlist/status#${own.token}`;
    expect(await people.form('/waitlist/status', { token: link })).toMatchObject({
      status: 303,
      headers: { location: '/waitlist/status' },
    });
    const evil = { headers: { origin: 'https://evil.example' } };
    const foreign = await people.form('/waitlist/status', { token: own.token }, evil);
    const wrong = await people.form('/waitlist/status', { token: `${own.token}x` });
    expect(foreign.status).toBe(403);
    expect(wrong.status).toBe(422);
    for (const { headers } of [foreign, wrong]) expect(headers).not.toHaveProperty('set-cookie');
  });

  it('show what is wrong with a form, and queue nothing', async () => {
    const before = await allRows();
    const name = '"><script>alert(1)</script>';
    const { status, text } = await people.form('/waitlist', { email: 'nobody', name, consent: '' });
    expect(status).toBe(422);
    expect(titleOf(text)).toBe('Error: Join the waitlist – Acme');
    expect(text).toContain('like name@example.com.');
    expect(text).toContain('To join, agree to get emails');
    expect(text).not.toContain('<script>');
    await people.settled();
    expect(await allRows()).toEqual(before);
  });

  it('can be embedded by a script of at most 3 KB', async () => {
    const script = readFileSync(new URL('waitlist.js', webFolder));
    expect(gzipSync(script).length).toBeLessThanOrEqual(3 * 1024);
    expect(await people.get('/waitlist.js')).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': '*' },
      text: script.toString(),
    });
  });
});

const allowed = 'access-control-allow-origin';

describe('the embedded form', () => {
  it('may be sent by listed websites only', async () => {
    const preflight = (from: string) =>
      people.send('OPTIONS', '/api/v2/waitlist', undefined, {
        headers: { origin: from, 'access-control-request-method': 'POST' },
      });
    expect((await preflight('https://launch.example')).headers).toMatchObject({
      [allowed]: 'https://launch.example',
      'access-control-allow-headers': 'content-type, idempotency-key',
    });
    expect((await preflight('https://evil.example')).headers).not.toHaveProperty(allowed);
    const send = async (from: string) =>
      (await people.join({ email: people.newAddress() }, '10.9.9.9', { origin: from })).headers;
    expect(await send('https://launch.example')).toMatchObject({
      [allowed]: 'https://launch.example',
      vary: expect.stringContaining('origin') as string,
    });
    expect(await send('https://evil.example')).not.toHaveProperty(allowed);
  });

  it('never reads a place', async () => {
    const mine = await people.get('/api/v2/waitlist/me', {
      headers: { origin: 'https://launch.example', 'waitlist-token': 'x' },
    });
    expect(mine.headers).not.toHaveProperty(allowed);
  });
});

describe('the public figures', () => {
  it('are at most a second old', async () => {
    const total = async () => (await people.get('/api/v2/waitlist/stats')).body.total;
    const before = Number(await total());
    await people.waiting();
    offset += 1000;
    expect(await total()).toBe(before + 1);
  });

  it('mask the names of the leaders, and count people who wait', async () => {
    const leader = await people.waiting({ name: '<script>alert(1)</script>' });
    await people.waiting({ referral_code: leader.referral_code });
    offset += 2000;
    const board = await people.get('/api/v2/waitlist/leaderboard');
    expect(board.body.data).toContainEqual(expect.objectContaining({ name: '<•••' }));
    expect(board.text).not.toContain('script');
    expect((await people.page('/waitlist')).text).not.toContain('<script');
    const waiting = (await allRows()).filter(({ status }) => status === 'verified');
    expect((await people.get('/api/v2/waitlist/stats')).body.total).toBe(waiting.length);
  });
});

describe('the waitlist', () => {
  it('gives known, unknown, denied addresses and bots the same answer', async () => {
    const own = await people.waiting();
    const known = await people.row(own.id);
    const { text } = await people.join({ email: known?.email });
    for (const body of [
      {},
      { email: `throwaway${Date.now()}@mailinator.com` },
      { referral_code: 'unknown' },
      { website: 'x' },
    ]) {
      const answer = await people.join({ email: people.newAddress(), ...body });
      expect(answer).toMatchObject({ status: 200, text });
    }
    await people.settled();
  });

  it('looks nothing up before its answer, whose time tells nothing', async () => {
    await people.settled();
    const quiet = await freshApp();
    try {
      await sql`alter table waitlist_entries rename to waitlist_away`.execute(quiet.stores.db);
      const others = new People(quiet);
      for (const email of ['a@example.com', 'b@example.com', 'c@mailinator.com'])
        expect((await others.join({ email })).status).toBe(200);
      const { handlers } = await quiet.services.queues.observe();
      expect(handlers.find(({ name }) => name === 'waitlist')?.waiting).toBe(3);
    } finally {
      await quiet.close();
    }
  }, 300_000);

  const creditOf = async ({ id }: Own) => {
    const { status, credit, credit_reasons: reasons } = (await people.row(id)) ?? {};
    return { status, credit, reasons };
  };
  const granted = { status: 'verified', credit: 'granted', reasons: [] };
  const withheld = (why: string) => ({ status: 'verified', credit: 'withheld', reasons: [why] });

  it('gives no credit for a referral by the same browser or with their own code', async () => {
    const own = await people.waiting();
    const email = people.newAddress();
    const token = tokenIn(await people.asked(email, { referral_code: own.referral_code }));
    const headers = { cookie: `__Host-svc_waitlist=${own.token}` };
    await people.form('/waitlist/verify', { token }, { headers });
    const [second] = await rowsOf(email);
    expect(second).toMatchObject({ status: 'verified', credit: 'withheld' });
    expect(second?.credit_reasons).toContain('self_referral');
    const mine = await people.row(own.id);
    await rejoin({ email: mine?.email, referral_code: own.referral_code });
    expect(await people.row(own.id)).toMatchObject({ referred_by: null, score: 0 });
  });

  it('withholds credit in the same network for 30 days, and keeps the entry', async () => {
    const own = await people.waiting({}, '203.0.113.7');
    const creditFrom = async (network: string) =>
      creditOf(await people.waiting({ referral_code: own.referral_code }, network));
    expect(await creditFrom('203.0.113.200')).toEqual(withheld('same_network'));
    expect(await creditFrom('2001:db8:1:aa01::1')).toEqual(granted);
    expect(await creditFrom('2001:db8:1:aaff::2')).toEqual(withheld('same_network'));
    expect((await people.me(own.token)).amount_referred).toBe(1);
    offset += 31 * dayMs;
    expect(await creditFrom('203.0.113.201')).toEqual(granted);
  });

  it('takes disposable addresses, which get nobody credit', async () => {
    const own = await people.waiting();
    const email = `someone${Date.now()}@eu.mailinator.com`;
    const other = await people.waiting({ email, referral_code: own.referral_code });
    expect(await creditOf(other)).toEqual(withheld('disposable_address'));
    expect((await people.row(other.id))?.is_disposable).toBe(true);
    expect((await people.me(own.token)).amount_referred).toBe(0);
  });

  it('has one place for a mailbox, whatever its Gmail dots and sub-addresses', async () => {
    const name = `dot.person${Date.now()}`;
    const own = await people.waiting({ email: `${name}@gmail.com` });
    await rejoin({ email: `${name.replace('.', '')}+again@googlemail.com` });
    expect(await people.row(own.id)).toMatchObject({ email: `${name}@gmail.com` });
    const rows = (await allRows()).filter(({ mailbox }) => mailbox.startsWith('dotperson'));
    expect(rows).toHaveLength(1);
    expect(people.outbox(`${name}@gmail.com`)).toHaveLength(2);
  });

  it('takes the token of a link once, even in concurrent requests', async () => {
    const own = await people.waiting();
    const email = people.newAddress();
    const token = tokenIn(await people.asked(email, { referral_code: own.referral_code }));
    expect(await atOnce(6, () => people.verify(token))).toEqual(oneOf(6, 200, 410));
    expect((await people.me(own.token)).amount_referred).toBe(1);
  });

  it('shows nothing to forged tokens, and to tokens for other purposes', async () => {
    const [own, other] = [await people.waiting(), await people.waiting()];
    const email = (await people.row(own.id))?.email ?? '';
    const unsubscribe = String(people.outbox(email)[0]?.unsubscribe);
    const proof = own.token.split('.')[1] ?? '';
    for (const forged of [
      '',
      'x',
      `${other.id}.${proof}`,
      `${own.id}.${'a'.repeat(43)}`,
      new URL(unsubscribe).searchParams.get('token') ?? '',
    ]) {
      const headers = { 'waitlist-token': forged };
      const seen = await people.get('/api/v2/waitlist/me', { headers });
      expect(seen).toBeProblem(401, 'waitlist.token_invalid');
    }
    const left = await people.post('/api/v2/waitlist/leave', { token: own.token });
    expect(left.status).toBe(410);
    expect((await people.row(own.id))?.status).toBe('verified');
  });

  const members = (count: number, text = 'x') =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, text]));
  it.each([
    ['20 members', 200, members(20)],
    ['21 members', 422, members(21)],
    ['a text of 501 characters', 422, members(1, 'x'.repeat(501))],
    ['an object in it', 422, { deep: { er: 1 } }],
    ['a name of 65 characters', 422, { ['x'.repeat(65)]: 1 }],
    ['a text of two lines', 422, { __proto__x: 'a\nb' }],
    ['50 KB', 413, members(100, 'x'.repeat(500))],
  ])('answers metadata with %s with %i', async (_case, status, metadata) => {
    expect(await people.join({ email: people.newAddress(), metadata })).toMatchObject({ status });
  });

  it('refuses a name of more than 200 characters', async () => {
    const entry = { email: people.newAddress(), name: 'x'.repeat(201) };
    expect(await people.join(entry)).toBeInvalid('body.name');
  });

  it('gives credit for at most ten referrals in an hour', async () => {
    const own = await people.waiting();
    for (let at = 0; at < 11; at += 1) await people.waiting({ referral_code: own.referral_code });
    const referred = (await allRows()).filter((row) => row.referred_by === own.id);
    expect(referred.filter(({ credit }) => credit === 'granted')).toHaveLength(10);
    const eleventh = referred.find(({ credit }) => credit === 'withheld');
    expect(eleventh?.credit_reasons).toEqual(['velocity']);
    expect(await people.row(own.id)).toMatchObject({ score: 100, amount_referred: 10 });
  }, 120_000);

  it('is the only place with addresses, names and tokens', async () => {
    const email = people.newAddress();
    const own = await people.waiting({ email, name: 'Secretname' });
    await people.settled();
    expect(app.log()).toContain('waitlist.join');
    expect(app.log()).not.toMatch(/person-\d+|Secretname|[\da-f]{12}\.[\w-]{43}/);
    expect(app.log()).not.toContain(own.token);
    expect(await redisContent(app.stores.redis)).not.toMatch(/person-\d+|Secretname/);
    const tables = [...(await sqlContent(app))].filter(([, content]) => content.includes(email));
    expect(tables.map(([name]) => name)).toEqual(['waitlist_entries']);
  });

  it('is forgotten a week after the last link, unless one was opened', async () => {
    const email = people.newAddress();
    await people.asked(email);
    const { id } = await people.waiting();
    const jobs = new Queue('waitlist', { connection: app.stores.redis, prefix: 'jobs' });
    const cleanUp = async () => {
      await jobs.add('waitlist', { kind: 'clean' });
      await app.settled();
    };
    offset += 6.9 * dayMs;
    await cleanUp();
    expect(await rowsOf(email)).toHaveLength(1);
    offset += 0.2 * dayMs;
    await cleanUp();
    expect(await rowsOf(email)).toEqual([]);
    expect(await people.row(id)).toMatchObject({ status: 'verified' });
  });

  it('takes back the credit for a person who leaves', async () => {
    const own = await people.waiting();
    const email = people.newAddress();
    await people.waiting({ email, referral_code: own.referral_code });
    expect((await people.me(own.token)).amount_referred).toBe(1);
    const token = linkIn(await people.mailTo(email), 'leave\\?token=');
    await people.post('/api/v2/waitlist/leave', { token });
    expect((await people.me(own.token)).amount_referred).toBe(0);
    const entries = await people.as(asAdmin).get('/api/v1/audit?action=waitlist.left');
    expect(entries.text).not.toContain(email);
  });
});
