import { randomUUID } from 'node:crypto';
import type { InsertObject } from 'kysely';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import { personalData } from '../../../../src/app/personal-data.ts';
import { dayMs, minuteMs } from '../../../../src/lib/durations.ts';
import type { Tables } from '../../../../src/platform/database/tables.ts';
import { TestClient } from '../../../support/client.ts';
import { parallel, sqlContent } from '../../../support/abuse.ts';
import { exportOf, makeAdmin, type Person, signIn, upload } from '../users/people.ts';
import { openCookie, signInByEmail } from '../../../support/sign-in.ts';

let offset = 0;
const app = await sharedApp('people', { clock: { now: () => Date.now() + offset } });

/** Adds rows to a table. */
const add = <Name extends keyof Tables>(table: Name, ...rows: InsertObject<Tables, Name>[]) =>
  app.stores.db.insertInto(table).values(rows).execute();

/** Whom rows are about. */
interface About {
  userId: string;
  email: string;
  /** A text that only the data of this person has. */
  mark: string;
  at: Date;
}

/** Somebody with rows in every table that is listed for people. */
async function somebody(mark: string): Promise<Person> {
  const person = await signIn(app, `${mark}@example.com`);
  const { userId, email } = person;
  await signInByEmail(app, email);
  await person.account.patch('', { name: `${mark} name`, zoneinfo: 'Europe/Berlin' });
  const picture = { width: 9, height: 9, channels: 3 as const, background: '#123' };
  await upload(person, await sharp({ create: picture }).png().toBuffer());
  const target = { kind: 'user', id: userId };
  await app.services.audit.record({ action: 'user.enabled', actor: { kind: 'system' }, target });
  const about = { userId, email, mark, at: new Date() };
  for (const addRows of [
    ...[addFactors, addDevices, addPayments, addAddresses],
    ...[addMessages, addSites, addResets],
  ])
    await addRows(about);
  return person;
}

async function addFactors({ userId, mark, at }: About): Promise<void> {
  const common = { user_id: userId, created_at: at };
  await add('totp_factors', { ...common, id: randomUUID(), sealed_secret: `sealed-${mark}` });
  const code = { salt: 'salt', hash: `hash-${mark}` };
  await add('backup_codes', { ...common, ...code, id: randomUUID() });
  await add('passkeys', {
    ...common,
    id: randomUUID(),
    credential_id: `credential-${mark}`,
    public_key: Buffer.from(mark),
    counter: 0,
    transports: ['usb'],
    device_type: 'singleDevice',
    backed_up: false,
    aaguid: randomUUID(),
    name: `${mark} passkey`,
  });
}

async function addDevices({ userId, mark, at }: About): Promise<void> {
  const device = randomUUID();
  await add('devices', {
    id: device,
    user_id: userId,
    state: 'pending',
    state_at: at,
    reasons: [],
    name: `${mark} device`,
    generation: 0,
    fingerprint_hash: mark,
    countries: [],
    address: '203.0.113.0/24',
    first_seen: at,
    last_seen: at,
    suspect: null,
  });
  await add('clearance_requests', {
    id: randomUUID(),
    device_id: device,
    user_id: userId,
    state: 'open',
    number: '42',
    reason: `${mark} reason`,
    created_at: at,
    expires_at: at,
  });
}

async function addPayments({ userId, mark, at }: About): Promise<void> {
  await add('plans', {
    user_id: userId,
    plan: `${mark} plan`,
    status: 'active',
    customer_id: `cus_${mark}`,
    updated_at: at,
    event_created: at,
  });
  await add('payment_events', {
    id: `evt_${mark}`,
    type: 'invoice.paid',
    created: at,
    received_at: at,
    status: 'done',
    payload: JSON.stringify({ data: { object: { customer: `cus_${mark}`, secret: mark } } }),
  });
}

/** Rows that name the person by address. */
async function addAddresses({ userId, email, mark, at }: About): Promise<void> {
  const asked = { email, created_at: at, last_asked_at: at };
  await add('signups', { ...asked, id: randomUUID(), name: `${mark} signup`, asked: 1 });
  await add('status_subscribers', { ...asked, id: randomUUID(), confirmed_at: at });
  await add('waitlist_entries', {
    ...asked,
    id: randomUUID(),
    mailbox: email,
    name: `${mark} waiting`,
    status: 'pending',
    source: 'api',
    is_disposable: false,
    score: 0,
    amount_referred: 0,
    referral_code: `${mark}1`,
    credit: 'none',
    credit_reasons: [],
    updated_at: at,
    asked: 1,
  });
  const invitation = { lifetime_days: 7, created_at: at, sent_at: at, sends: 1, expires_at: at };
  const toPerson = { email, note: `${mark} note to you`, inviter_id: 'env' };
  const byPerson = { email: `guest-${randomUUID()}@example.com`, inviter_id: userId };
  await add(
    'invitations',
    { ...invitation, ...toPerson, id: randomUUID(), inviter_kind: 'api_key' },
    { ...invitation, ...byPerson, id: randomUUID(), inviter_kind: 'user' },
  );
  await add('contact_undos', {
    id: randomUUID(),
    user_id: userId,
    kind: 'email',
    key: `old.${mark}@example.com`,
    value: `old.${mark}@example.com`,
    token_hash: `hash-${mark}-undo`,
    created_at: at,
    expires_at: at,
  });
  await add('scim_users', { user_id: userId, given_name: `${mark} given`, updated_at: at });
}

async function addMessages({ userId, email, mark, at }: About): Promise<void> {
  const id = randomUUID();
  await add('contact_messages', {
    id,
    created_at: at,
    updated_at: at,
    status_at: at,
    name: `${mark} sender`,
    email,
    subject: 'Hello',
    message: `${mark} message`,
    topic: 'other',
    status: 'new',
    assignee_id: userId,
    proof: 'none',
  });
  const written = { author_kind: 'user', author_id: userId, created_at: at } as const;
  const remark = { ...written, message_id: id, text: `${mark} words` };
  await add('contact_replies', { ...remark, id: randomUUID() });
  await add('contact_notes', { ...remark, id: randomUUID() });
}

async function addSites({ userId, email, mark, at }: About): Promise<void> {
  const { id: site } = await app.stores.db
    .insertInto('sites')
    .values({ site_id: mark, created_at: at, registered_by: 'admin' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const common = { site, created_by: userId, created_at: at };
  const note = { at, text: `${mark} note`, updated_at: at };
  await add('annotations', { ...common, ...note, id: randomUUID() });
  const share = { name: `${mark} share`, slug_hash: mark };
  await add('analytics_shares', { ...common, ...share, id: randomUUID() });
  const weekly = { ...common, frequency: 'weekly', timezone: 'UTC' } as const;
  for (const to of [email, `third.${mark}@example.net`])
    await add('analytics_reports', { ...weekly, id: randomUUID(), email: to });
}

/** 2FA resets of the person, and of another one in which the person took part as an admin. */
async function addResets({ userId, mark, at }: About): Promise<void> {
  const key = `${randomUUID()}@example.com`;
  const { user } = await app.services.users.signInAs({ kind: 'email', key, value: key });
  const common = {
    state: 'completed' as const,
    changed_at: at,
    reason: 'Lost phone.',
    requested_at: at,
    expires_at: at,
  };
  for (const part of [
    { user_id: userId, reason: `${mark} lost it` },
    { user_id: user.id, requested_by: userId },
    { user_id: user.id, approved_by: userId },
    { user_id: user.id, canceled_by: userId },
  ])
    await add('factor_resets', { ...common, ...part, id: randomUUID(), token_hash: randomUUID() });
}

/** Decides about somebody else's device, which only admins do. */
const decide = (by: Person, owner: Person) =>
  app.stores.db
    .updateTable('clearance_requests')
    .set({ decided_by: by.userId, decided_at: new Date(), state: 'approved', note: 'welcome' })
    .where('user_id', '=', owner.userId)
    .execute();

const textOf = (files: Map<string, Buffer>) =>
  [...files].map(([name, bytes]) => (name.endsWith('.webp') ? '' : bytes.toString())).join('\n');

/** Every line of the database that has the text, as `table: line`. */
async function linesWith(text: string): Promise<string[]> {
  return [...(await sqlContent(app))].flatMap(([table, content]) =>
    content
      .split('\n')
      .filter((line) => line.includes(text))
      // Written a moment after the request, so that it may come between two readings.
      .map((line) => `${table}: ${line.replace(/"last_seen_at":(?:null|"[^"]*"),?/, '')}`),
  );
}

describe('a person with data in every area', () => {
  it('gets all of it, and nothing of it stays after the deletion', async () => {
    const [ada, bob] = [await somebody('adamark'), await somebody('bobmark')];
    await decide(ada, bob);
    const bobBefore = await linesWith('bobmark');
    const files = await exportOf(ada);
    const lists = personalData.flatMap(({ area, rows }) =>
      rows.filter(({ shows }) => shows.length > 0).map(({ title }) => ({ area, title })),
    );
    for (const { area, title } of [...lists, { area: 'account', title: 'sessions' }]) {
      const json = files.get(`${area}.json`)?.toString() ?? '{}';
      const all = JSON.parse(json) as Record<string, unknown[]>;
      expect(all[title]?.length ?? 0, title).toBeGreaterThan(0);
      const csv = files.get(`${area}/${title}.csv`)?.toString() ?? '';
      expect(csv.split('\r\n').length).toBeGreaterThan(2);
    }
    const text = textOf(files);
    for (const part of ['name', 'passkey', 'device', 'reason', 'plan', 'signup', 'note', 'share'])
      expect(text).toContain(`adamark ${part}`);
    for (const secret of ['sealed-adamark', 'hash-adamark', 'credential-adamark', 'bobmark'])
      expect(text).not.toContain(secret);
    expect(text).not.toContain('third.adamark');
    expect((await sharp(files.get('avatar.webp') ?? Buffer.alloc(0)).metadata()).width).toBe(256);
    expect(files.get('README.txt')?.toString()).toContain('anonymous by design');

    // Their passkey is made up, so that they can't sign in with it to ask for the deletion.
    await app.stores.db
      .updateTable('users')
      .set({ deletion_due_at: new Date() })
      .where('id', '=', ada.userId)
      .execute();
    await app.services.ownAccount.eraseDue();
    const left = (await linesWith('adamark')).filter(
      (line) =>
        !/^(?:sites|annotations|analytics_shares|analytics_reports|payment_events):/.test(line),
    );
    expect(left).toEqual([]);
    expect(await linesWith('adamark@example.com')).toEqual([]);
    const named = (await linesWith(ada.userId)).map((line) => line.split(':')[0]);
    expect(new Set(named)).toEqual(new Set(['audit_events']));
    const actions = app.stores.db.selectFrom('audit_events').where('actor_id', '=', ada.userId);
    const withAddress = actions.select('id').where('address', 'is not', null);
    expect(await withAddress.execute()).toEqual([]);
    const events = (await linesWith('evt_adamark'))[0] ?? '';
    expect(events).toContain('"payload":{}');
    // The only trace of the one in the data of the other is the decision, without an id.
    const bobAfter = (await linesWith('bobmark')).map((line) =>
      line.replace('"decided_by":"deleted user"', `"decided_by":"${ada.userId}"`),
    );
    expect(bobAfter.sort()).toEqual(bobBefore.sort());
    const keys = await app.stores.redis.keys(`*${ada.userId}*`);
    for (const key of keys.filter((each) => each.startsWith('auth:')))
      expect(await app.stores.redis.hkeys(key)).toEqual(['not_before']);
    expect(keys.filter((key) => key.startsWith('account:contact'))).toEqual([]);
  }, 60_000);
});

describe('a copy of your own data', () => {
  it('is made by a job that says how far it is, and announced by a message', async () => {
    const ada = await signIn(app);
    expect((await ada.account.get('/export')).body).toEqual({
      state: 'none',
      progress: null,
      size: null,
      requested_at: null,
      expires_at: null,
    });
    const requested = { requested_at: expect.any(String) as string };
    expect(await ada.account.post('/export')).toMatchObject({ status: 202, body: requested });
    await exportOf(ada);
    const { body } = await ada.account.get('/export');
    const { done, total } = body.progress as { done: number; total: number };
    expect(body.state).toBe('ready');
    expect(done).toBe(total);
    const newest = () => ada.account.outbox(ada.email)[0];
    await expect.poll(() => newest()?.subject).toMatch(/Your data is ready to download/);
    expect(newest()?.text).toMatch(/http:\/\/127\.0\.0\.1:3000\/account\/data$/m);
    expect(newest()?.text).not.toMatch(/[?&](?:token|id)=/);
  });

  it('is one file and one message, however often it is started', async () => {
    const ada = await signIn(app);
    await parallel(20, () => ada.account.post('/export'));
    await exportOf(ada);
    await parallel(5, () => ada.account.post('/export'));
    const exports = app.stores.db.selectFrom('data_exports').where('user_id', '=', ada.userId);
    expect(await exports.select('user_id').execute()).toHaveLength(1);
    const ready = () =>
      ada.account.outbox(ada.email).filter(({ subject }) => subject?.includes('ready'));
    await expect.poll(() => ready().length).toBe(1);
    const asked = { target_id: ada.userId, action: 'user.export_requested', limit: 50 };
    expect((await app.services.audit.list(asked)).data).toHaveLength(1);
  });

  it('is gone after 24 hours', async () => {
    const ada = await signIn(app);
    await exportOf(ada);
    offset += dayMs + minuteMs;
    const again = await signIn(app, ada.email);
    expect(await again.account.get('/export')).toMatchObject({ body: { state: 'none' } });
    expect(await again.account.get('/export/file')).toMatchObject({ status: 404 });
  });

  it('is given to its owner only', async () => {
    const [ada, eve] = [await signIn(app), await signIn(app)];
    await exportOf(ada);
    expect(await eve.account.get('/export/file')).toBeProblem(404, 'account.export_not_ready');
    expect((await new TestClient(app).get('/api/v1/users/me/export/file')).status).toBe(401);
    await makeAdmin(app, eve.userId);
    expect((await eve.account.get('/export/file')).status).toBe(404);
  });

  it('is not given to an old session, which somebody else may hold', async () => {
    const ada = await signIn(app);
    await exportOf(ada);
    offset += 6 * minuteMs;
    expect(await ada.account.get('/export/file')).toBeProblem(401, 'auth.step_up_required');
  });

  it('shows nothing of others who acted on the account', async () => {
    const ada = await signIn(app);
    const admin = await openCookie(app, 'the.admin@example.com');
    await app.services.audit.record({
      action: 'user.enabled',
      actor: { kind: 'user', id: admin.userId },
      target: { kind: 'user', id: ada.userId },
      address: '198.51.100.77',
    });
    const text = textOf(await exportOf(ada));
    expect(text).toContain('user.enabled');
    for (const other of [admin.userId, '198.51.100.77', 'the.admin'])
      expect(text).not.toContain(other);
  });

  it('shows nothing of other addresses of the mailbox, only of verified ones', async () => {
    const local = randomUUID().slice(0, 12);
    const about = (tag: string) => ({
      email: `${local}${tag}@example.com`,
      mark: `${local}${tag === '' ? 'plain' : tag.slice(1)}`,
      at: new Date(),
    });
    for (const tag of ['', '+other', '+evil']) {
      const row = { ...about(tag), userId: (await signIn(app)).userId };
      for (const addRows of [addAddresses, addMessages, addSites]) await addRows(row);
    }
    for (const [own, others] of [
      ['+evil', ['plain', 'other']],
      ['', ['evil', 'other']],
    ] as const) {
      const text = textOf(await exportOf(await signIn(app, about(own).email)));
      for (const part of ['signup', 'waiting', 'note to you', 'message'])
        expect(text).toContain(`${about(own).mark} ${part}`);
      for (const other of others) expect(text).not.toContain(`${local}${other}`);
    }
  });

  it('cannot start a formula in a spreadsheet', async () => {
    const ada = await signIn(app);
    await ada.account.patch('', { name: '=HYPERLINK("http://evil.example")' });
    const files = await exportOf(ada);
    expect(files.get('account/account.csv')?.toString()).toContain(`"'=HYPERLINK(`);
  });
});
