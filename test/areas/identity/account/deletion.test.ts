import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, vi } from 'vitest';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import { dayMs, minuteMs } from '../../../../src/lib/durations.ts';
import { mailboxOf } from '../../../../src/lib/mailbox.ts';
import { isMailboxOf } from '../../../../src/platform/database/personal-data.ts';
import { asAdmin } from '../../../support/app.ts';
import { TestClient } from '../../../support/client.ts';
import { me, ownersOf } from '../../../support/abuse.ts';
import { makeAdmin, type Person, signIn } from '../users/people.ts';

let offset = 0;
const clock = { now: () => Date.now() + offset };
const app = await sharedApp('people', { clock });

const request = ({ account }: Person) => account.post('/deletion');
const keep = ({ account }: Person) => account.delete('/deletion');
const subjects = (to: string) => app.services.outbox.list(to).map(({ subject }) => subject ?? '');
const exists = async (userId: string) =>
  (await app.stores.db.selectFrom('users').select('id').where('id', '=', userId).execute())
    .length === 1;
const sayings = (to: string, part: string) => subjects(to).filter((text) => text.includes(part));

async function withoutAdmins(): Promise<void> {
  await app.stores.db.updateTable('users').set({ roles: [] }).execute();
}

describe('the deletion of an account', () => {
  it('is done after 14 days, with a message at the start and at the end', async () => {
    const ada = await signIn(app);
    const started = await request(ada);
    expect(started.status).toBe(200);
    const dueAt = Date.parse(String(started.body.deletion_due_at));
    expect(Math.abs(dueAt - clock.now() - 14 * dayMs)).toBeLessThan(10_000);
    await expect.poll(() => sayings(ada.email, 'Account deletion scheduled').length).toBe(1);
    await app.services.ownAccount.eraseDue();
    expect(await exists(ada.userId)).toBe(true);
    offset += 14 * dayMs + 1000;
    await app.services.ownAccount.eraseDue();
    expect(await exists(ada.userId)).toBe(false);
    await expect.poll(() => sayings(ada.email, 'Account deleted').length).toBe(1);
    expect((await me(app, ada.bearer)).status).toBe(401);
    expect(await app.stores.redis.hget(`auth:{${ada.userId}}`, 'user')).toBeNull();
    const { data } = await app.services.audit.list({ target_id: ada.userId, limit: 50 });
    expect(data.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user.deletion_requested', 'user.deleted']),
    );
    expect(app.log()).not.toContain(ada.email);
    expect((await signIn(app, ada.email)).userId).not.toBe(ada.userId);
  });

  it('can be canceled after signing in again', async () => {
    const ada = await signIn(app);
    await request(ada);
    offset += 13 * dayMs;
    const again = await signIn(app, ada.email);
    expect(again.userId).toBe(ada.userId);
    expect((await again.account.get('')).body.deletion_due_at).not.toBeNull();
    expect(await keep(again)).toMatchObject({ status: 200, body: { deletion_due_at: null } });
    await expect.poll(() => sayings(ada.email, 'deletion canceled').length).toBe(1);
    offset += 14 * dayMs;
    await app.services.ownAccount.eraseDue();
    expect(await exists(ada.userId)).toBe(true);
  });

  it('keeps its date when it is asked for twice, and sends one message', async () => {
    const ada = await signIn(app);
    const first = await request(ada);
    offset += minuteMs;
    const second = await request(ada);
    expect(second.body).toEqual(first.body);
    await expect.poll(() => sayings(ada.email, 'scheduled').length).toBe(1);
  });
});

describe('what other areas have of a mailbox', () => {
  const spellings = [
    'ada@example.com',
    'ada+news@example.com',
    'ADA+a+b@example.com',
    '+ada@example.com',
    '+ada+x@example.com',
    'ada@example.org',
    'ad.a@example.com',
    'a.d.a+x@gmail.com',
    'ada@googlemail.com',
    'ada.+x@xgmail.com',
    'adam@example.com',
  ];

  const found = async (person: { userId: string; emails: string[] }, among: readonly string[]) => {
    const { rows } = await sql<{ email: string }>`
      select email from unnest(${[...among]}::text[]) as t (email)
      where ${isMailboxOf('email', person)}`.execute(app.stores.db);
    return rows.map(({ email }) => email);
  };
  const tagged = ['ada+news@example.com', 'ADA+a+b@example.com', '+ada+x@example.com'];
  tagged.push('a.d.a+x@gmail.com', 'ada.+x@xgmail.com');

  it.each(spellings)('is found by its plain address, and by no tagged one: %s', async (own) => {
    const person = { userId: randomUUID(), emails: [own.toLowerCase()] };
    const isSame = (email: string) =>
      tagged.includes(own)
        ? email === own
        : mailboxOf(email.toLowerCase()) === mailboxOf(own.toLowerCase());
    expect(await found(person, spellings)).toEqual(spellings.filter(isSame));
  });

  /** Invites addresses, and puts them on the waitlist. */
  async function add(emails: readonly string[]): Promise<void> {
    const admin = new TestClient(app).as(asAdmin);
    for (const email of emails) {
      expect((await admin.post('/api/v1/invitations', { email })).status).toBe(200);
      const entry = await admin.post('/api/v2/waitlist/entries', { email });
      expect(entry.status).toBeLessThan(300);
    }
  }

  async function left(local: string, table: 'invitations' | 'waitlist_entries') {
    const query = app.stores.db.selectFrom(table).select('email').orderBy('id');
    const rows = await query.where('email', 'like', `${local}%`).execute();
    return rows.map(({ email }) => email);
  }

  const erase = ({ userId }: Person) =>
    new TestClient(app).as(asAdmin).delete(`/api/v1/users/${userId}`);

  it('goes with the account of its plain address', async () => {
    const local = randomUUID().slice(0, 12);
    const ada = await signIn(app, `${local}@example.com`);
    const listed = [`${local}+news@example.com`, `${local}x@example.com`];
    await add(listed);
    await erase(ada);
    expect(await left(local, 'invitations')).toEqual(listed.slice(1));
    expect(await left(local, 'waitlist_entries')).toEqual(listed.slice(1));
  });

  it.each(['', '+other', '+b+c'])('stays with the account of a tagged one: of “%s”', async (of) => {
    const local = randomUUID().slice(0, 12);
    const eve = await signIn(app, `${local}+evil@example.com`);
    const listed = [`${local}${of}@example.com`];
    await add(listed);
    await erase(eve);
    expect(await exists(eve.userId)).toBe(false);
    expect(await left(local, 'invitations')).toEqual(listed);
    expect(await left(local, 'waitlist_entries')).toEqual(listed);
  });

  it('stays while another account has an address of the mailbox', async () => {
    const local = randomUUID().slice(0, 12);
    const ada = await signIn(app, `${local}@example.com`);
    const other = await signIn(app, `${local}+other@example.com`);
    const listed = [`${local}+a@example.com`];
    await add(listed);
    await erase(ada);
    expect(await left(local, 'invitations')).toEqual(listed);
    expect(await left(local, 'waitlist_entries')).toEqual(listed);
    expect(await exists(other.userId)).toBe(true);
  });
});

describe('an account', () => {
  it('is neither deleted nor kept by a stolen old session', async () => {
    const ada = await signIn(app);
    const stolen = await signIn(app, ada.email);
    offset += 6 * minuteMs;
    expect(await request(stolen)).toMatchObject({ status: 401 });
    const again = await signIn(app, ada.email);
    await request(again);
    expect((await keep(stolen)).status).toBe(401);
    expect((await again.account.get('')).body.deletion_due_at).not.toBeNull();
  });

  it('loses other sessions when its deletion starts, however fresh they are', async () => {
    const ada = await signIn(app);
    const stolen = await signIn(app, ada.email);
    await request(ada);
    expect((await keep(stolen)).status).toBe(401);
    expect((await me(app, stolen.bearer)).status).toBe(401);
    expect((await me(app, ada.bearer)).status).toBe(200);
  });

  it('cannot be deleted if it is the only admin’s', async () => {
    await withoutAdmins();
    const ada = await signIn(app);
    await makeAdmin(app, ada.userId);
    expect(await request(ada)).toBeProblem(409, 'account.last_admin');
    expect((await ada.account.get('')).body.deletion_due_at).toBeNull();
  });

  it('stays if it is one of two last admins’ who leave at once', async () => {
    await withoutAdmins();
    const admins = [await signIn(app), await signIn(app)];
    for (const { userId } of admins) await makeAdmin(app, userId);
    const statuses = (await Promise.all(admins.map(request))).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 409]);
  });

  it('stays if other admins are disabled or leave', async () => {
    await withoutAdmins();
    const [ada, bob, eve] = [await signIn(app), await signIn(app), await signIn(app)];
    for (const { userId } of [ada, bob, eve]) await makeAdmin(app, userId);
    await app.services.users.setDisabled(bob.userId, true);
    expect((await request(eve)).status).toBe(200);
    expect((await request(ada)).status).toBe(409);
  });

  it('is kept if its owner became the only admin meanwhile, who is notified', async () => {
    await withoutAdmins();
    const [ada, bob] = [await signIn(app), await signIn(app)];
    for (const { userId } of [ada, bob]) await makeAdmin(app, userId);
    await request(ada);
    await app.services.users.setRoles(bob.userId, []);
    offset += 15 * dayMs;
    await app.services.ownAccount.eraseDue();
    expect(await exists(ada.userId)).toBe(true);
    await expect.poll(() => sayings(ada.email, 'Account not deleted').length).toBe(1);
    const again = await signIn(app, ada.email);
    expect((await again.account.get('')).body.deletion_due_at).toBeNull();
  });

  it('is deleted once by three replicas that run the job at once', async () => {
    const ada = await signIn(app);
    await request(ada);
    offset += 15 * dayMs;
    await Promise.all([1, 2, 3].map(() => app.services.ownAccount.eraseDue()));
    const { data } = await app.services.audit.list({
      target_id: ada.userId,
      action: 'user.deleted',
      limit: 50,
    });
    expect(data).toHaveLength(1);
    await expect.poll(() => sayings(ada.email, 'Account deleted').length).toBe(1);
    const { rows } = await sql`select 1 from account_erasures`.execute(app.stores.db);
    expect(rows).toEqual([]);
  });

  it('by an admin deletes no other account that is due: many at once cost no more', async () => {
    const [ada, ben] = [await signIn(app), await signIn(app)];
    await request(ben);
    offset += 14 * dayMs + 1000;
    const admin = new TestClient(app).as(asAdmin);
    expect((await admin.delete(`/api/v1/users/${ada.userId}`)).status).toBe(200);
    expect(await exists(ada.userId)).toBe(false);
    expect(await exists(ben.userId)).toBe(true);
    await expect.poll(() => sayings(ada.email, 'Account deleted').length).toBe(1);
    await app.services.ownAccount.eraseDue();
    expect(await exists(ben.userId)).toBe(false);
  });

  it('of which a process dies after deleting it gets its message from the next run', async () => {
    const ada = await signIn(app);
    await request(ada);
    offset += 15 * dayMs;
    const send = vi.spyOn(app.services.messages, 'send').mockRejectedValueOnce(new Error('killed'));
    await expect(app.services.ownAccount.eraseDue()).rejects.toThrow('killed');
    expect(await exists(ada.userId)).toBe(false);
    expect(await ownersOf(app, ada.email)).toEqual([]);
    send.mockRestore();
    await app.services.ownAccount.eraseDue();
    await expect.poll(() => sayings(ada.email, 'Account deleted').length).toBe(1);
  });
});
