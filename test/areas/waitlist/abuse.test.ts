import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import {
  expectLikeUnknown,
  expectMemberRefused,
  importTwentyTimes,
  unknownId,
} from '../../support/abuse-steps.ts';
import {
  acceptedLines,
  atOnce,
  comparable,
  formulaCells,
  formulas,
  oneOf,
} from '../../support/abuse-tables.ts';
import { tableContent } from '../../support/abuse.ts';
import { asAdmin } from '../../support/app.ts';
import { TestClient, type TestResponse } from '../../support/client.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { linkIn, People, tokenIn } from './people.ts';

const app = await sharedApp('named');
const people = new People(app);
const visitor = new TestClient(app).at('/api/v2/waitlist');
const admin = new TestClient(app).as(asAdmin).at('/api/v2/waitlist/entries');

const newEmail = () => `${randomUUID()}@example.com`;
const because = { verified_because: 'A customer' };
const entries = () => tableContent(app, 'waitlist_entries');

async function addEntry(body: object = {}): Promise<string> {
  const added = await admin.post('', { email: newEmail(), ...because, ...body });
  if (added.status !== 200) throw new Error(added.text);
  return String(added.body.id);
}

/** An entry that is not verified, with the tokens of its mail. */
async function asked() {
  const email = newEmail();
  await people.join({ email });
  const mail = await people.mailTo(email);
  return { email, verify: tokenIn(mail), leave: linkIn(mail, 'leave\\?token=') };
}

const join = (body: object) => visitor.post('', { email: newEmail(), consent: true, ...body });

describe('hostile text', () => {
  const fields: readonly [
    name: string,
    send: (text: string, id: string) => Promise<TestResponse>,
  ][] = [
    ['the name of who joins', (name) => join({ name })],
    ['the address of who joins', (text) => join({ email: `${text}@example.com` })],
    ['the referral code', (code) => join({ referral_code: code })],
    ['metadata', (campaign) => join({ metadata: { campaign } })],
    ['the name of metadata', (name) => join({ metadata: { [name]: 'x' } })],
    ['the name of who is added', (name) => admin.post('', { email: newEmail(), name })],
    ['the address of who is added', (text) => admin.post('', { email: `${text}@example.com` })],
    [
      'the reason for adding somebody',
      (text) => admin.post('', { email: newEmail(), verified_because: text }),
    ],
    ['a changed name', (name, id) => admin.patch(`/${id}`, { name })],
    ['changed metadata', (plan, id) => admin.patch(`/${id}`, { metadata: { plan } })],
  ];

  it.each(fields)('in %s is refused, and nothing is stored', async (_name, send) => {
    const id = await addEntry();
    const before = await entries();
    // A body of more than 16 KB is refused before it is read.
    const faults = await acceptedLines((text) => send(text.slice(0, 10_000), id));
    expect(faults).toEqual([]);
    await app.settled();
    expect(await entries()).toBe(before);
  });

  it('that is not a token opens, verifies and deletes nothing', async () => {
    await asked();
    const before = await entries();
    for (const token of ['\u202E', "' or '1'='1", '../../x', 'x'.repeat(256)]) {
      expect(await visitor.post('/verify', { token })).toBeProblem(410, 'waitlist.link_invalid');
      expect(await visitor.post('/leave', { token })).toBeProblem(410, 'waitlist.link_invalid');
    }
    for (const token of ['\ud800', '\0'])
      for (const path of ['/verify', '/leave'])
        expect(await visitor.post(path, { token })).toBeInvalid('body.token');
    expect(await entries()).toBe(before);
  });

  it('that is a formula or markup is kept, and harmless in the CSV file', async () => {
    const names = [...formulas, '<img src=x onerror=alert(1)>'];
    const file = randomUUID();
    for (const name of names) await addEntry({ name, verified_because: `${name} ${file}` });
    const stored = await app.stores.db
      .selectFrom('waitlist_entries')
      .select('name')
      .where('verified_because', 'like', `%${file}`)
      .execute();
    expect(stored.map(({ name }) => name).sort()).toEqual([...names].sort());
    const { text } = await admin.get('/export');
    expect(text).toContain(`'=1+1 ${file}`);
    expect(formulaCells(text)).toEqual([]);
  });

  it.each(['%', '_', '\\', "' or true --"])('as the search %j finds only itself', async (q) => {
    await addEntry({ name: 'Ada' });
    const found = await admin.get('', { query: { q: `${q}${q}` } });
    expect(found).toMatchObject({ status: 200, body: { data: [] } });
  });
});

describe('members that are not for the sender', () => {
  const own = {
    id: unknownId,
    position: 1,
    score: 990,
    amount_referred: 99,
    referred_by: unknownId,
    referral_code: 'chosen',
    source: 'api',
    verified_at: '2026-01-01T00:00:00.000Z',
    approved_at: '2026-01-01T00:00:00.000Z',
    created_at: '2020-01-01T00:00:00.000Z',
  };

  it('change nothing for a person who joins', async () => {
    const email = newEmail();
    const { referral_code: _code, ...others } = own;
    const sent = { ...others, status: 'approved', credit: 'granted', mailbox: 'x' };
    expect(await join({ ...sent, email })).toMatchObject({ status: 200 });
    await people.mailTo(email);
    const row = await app.stores.db
      .selectFrom('waitlist_entries')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ status: 'pending', score: 0, amount_referred: 0, credit: 'none' });
    expect(row).toMatchObject({ referred_by: null, verified_at: null, approved_at: null });
    expect(row.id).not.toBe(own.id);
    expect(row.created_at.getUTCFullYear()).toBeGreaterThan(2020);
  });

  it.each(Object.entries(own))('such as %s are refused from admins, too', async (...member) => {
    const id = await addEntry();
    const before = await entries();
    await expectMemberRefused(admin, { id, body: { email: newEmail(), ...because }, member });
    expect(await entries()).toBe(before);
  });

  it.each(['pending', 'joined'])('the status %s can’t be set', async (status) => {
    const id = await addEntry();
    expect(await admin.patch(`/${id}`, { status })).toBeProblem(409, 'waitlist.status_fixed');
    expect(await people.row(id)).toMatchObject({ status: 'verified' });
  });
});

describe('a repeated request', () => {
  it('with the same Idempotency-Key approves nobody else', async () => {
    await addEntry();
    await addEntry();
    const headers = { 'idempotency-key': randomUUID() };
    const approve = (next: number) => admin.post('/approve', { next }, { headers });
    const first = await approve(1);
    const before = await entries();
    expect((await approve(1)).text).toBe(first.text);
    expect(await approve(2)).toMatchObject({ status: 422 });
    await app.settled();
    expect((await admin.get('/stats')).body).toMatchObject({ entries: { approved: 1 } });
    const ids = (text: string) => text.match(/"status":"approved"/g)?.length;
    expect(ids(await entries())).toBe(ids(before));
  });

  it('to verify is answered like a link that never was', async () => {
    const { verify: token } = await asked();
    expect(await visitor.post('/verify', { token })).toMatchObject({ status: 200 });
    const used = await visitor.post('/verify', { token });
    expect(used).toBeProblem(410, 'waitlist.link_invalid');
    const unknown = await visitor.post('/verify', { token: 'x'.repeat(43) });
    expect(comparable(unknown)).toEqual(comparable(used));
  });

  it('to see the place of an entry that was deleted is answered like a forged token', async () => {
    const { id, token } = await people.waiting({ email: newEmail() });
    const see = (text: string) => visitor.get('/me', { headers: { 'waitlist-token': text } });
    expect(await see(token)).toMatchObject({ status: 200 });
    await admin.delete(`/${id}`);
    const deleted = await see(token);
    expect(deleted).toBeProblem(401, 'waitlist.token_invalid');
    expect(comparable(await see(`${token.slice(0, -1)}x`))).toEqual(comparable(deleted));
  });
});

describe('the same thing twenty times at once', () => {
  it('puts one mailbox on the list once, however it is spelled, with one email', async () => {
    const name = randomUUID().replaceAll('-', '');
    const spellings = Array.from(
      { length: 20 },
      (_, at) => `${name.slice(0, 8)}.${name.slice(8)}+${at}@gmail.com`,
    );
    await Promise.all(spellings.map((email) => join({ email })));
    await app.settled();
    const rows = await app.stores.db
      .selectFrom('waitlist_entries')
      .select('email')
      .where('mailbox', '=', `${name}@gmail.com`)
      .execute();
    expect(rows).toHaveLength(1);
    // It goes to any of the spellings, which all are this mailbox.
    const emails = spellings.flatMap((email) => people.outbox(email));
    expect(emails).toHaveLength(1);
  });

  it('adds a person once', async () => {
    const email = newEmail();
    const statuses = await atOnce(20, () => admin.post('', { email, ...because }));
    expect(statuses).toEqual(oneOf(20, 200, 409));
  });

  it('imports a file once', async () => {
    const emails = Array.from({ length: 5 }, newEmail);
    const file = `email,verified_because\n${emails.map((each) => `${each},Known\n`).join('')}`;
    expect(await importTwentyTimes(admin, file)).toBe(5);
  });

  it('deletes an entry once, and tells everybody who leaves that it is gone', async () => {
    const { leave: token } = await asked();
    const left = () =>
      app.stores.db
        .selectFrom('audit_events')
        .select('id')
        .where('action', '=', 'waitlist.left')
        .execute();
    const before = await left();
    const statuses = await atOnce(20, () => visitor.post('/leave', { token }));
    expect(new Set(statuses)).toEqual(new Set([200]));
    await app.settled();
    expect(await left()).toHaveLength(before.length + 1);
  });
});

describe('who is on the list', () => {
  it('can’t be found out through the form or the API, in status, headers or text', async () => {
    const verified = newEmail();
    await people.waiting({ email: verified });
    const { email: pending } = await asked();
    const denied = newEmail();
    await admin.post(`/${await addEntry({ email: denied })}/deny`);
    const page = new TestClient(app);
    const form = (email: string) =>
      page.form('/waitlist', { email, name: '', consent: 'true', website: '' });
    const [api, byForm] = [comparable(await join({})), comparable(await form(newEmail()))];
    for (const email of [verified, pending, denied]) {
      expect(comparable(await join({ email }))).toEqual(api);
      expect(comparable(await form(email))).toEqual(byForm);
    }
    await app.settled();
    expect(people.outbox(denied)).toEqual([]);
  });

  it.each([
    ['GET', '', undefined],
    ['PATCH', '', { name: 'x' }],
    ['DELETE', '', undefined],
    ['POST', '/approve', {}],
    ['POST', '/deny', {}],
  ] as const)('can’t be found out with an id, by %s …%s', async (method, path, body) => {
    const id = await addEntry();
    await admin.delete(`/${id}`);
    await expectLikeUnknown(admin, id, method, path, body);
  });
});
