import { beforeEach, describe, expect, it, vi } from 'vitest';
import { dayMs } from '../../../src/lib/durations.ts';
import type {
  ContactReplyView,
  ContactThread,
  SavedReplyView,
} from '../../../src/areas/contact/schemas.ts';
import { createContactStore } from '../../../src/areas/contact/store.ts';
import { uuidv7 } from '../../../src/lib/ids.ts';
import { freshApp } from '../../support/app.ts';
import { openBearer } from '../../support/sign-in.ts';
import { contactClient, letter } from './support.ts';

const named = { BASE_URL: 'https://svc.example', APP_NAME: 'Acme' };
const operator = 'help@svc.example';
let offset = 0;
const clock = { now: () => Date.now() + offset };
const app = await freshApp({
  isEmbedded: true,
  clock,
  env: { ...named, CONTACT_EMAIL: operator, ADMIN_EMAILS: 'admin@example.com' },
});
const contact = contactClient(app);
await app.services.queues.start();
beforeEach(async () => {
  offset = 0;
  await app.settled();
  await contact.reset();
});

/** Sends a message, and returns its id. */
async function receive(change: object = {}): Promise<string> {
  const { status, body } = await contact.send({ ...letter, ...change });
  expect(status).toBe(200);
  return body.id;
}

const mailsTo = (to: string) => contact.client.outbox(to);

describe('the inbox', () => {
  it('lists messages by status, address and text', async () => {
    const invoice = await receive({ subject: 'Invoice', email: 'Grace@Example.com' });
    const spam = await receive({ website: 'x', email: 'b@example.com' });
    const ids = async (query: string) =>
      (await contact.admin.get<{ data: { id: string }[] }>(`/messages?${query}`)).body.data.map(
        ({ id }) => id,
      );
    expect(await ids('')).toEqual([spam, invoice]);
    expect(await ids('status=new')).toEqual([invoice]);
    expect(await ids('status=spam')).toEqual([spam]);
    expect(await ids('email=grace@example.com')).toEqual([invoice]);
    expect(await ids('q=INVOICE&status=new')).toEqual([invoice]);
    expect((await contact.admin.get('/messages?state=new')).status).toBe(422);
  });

  it('closes, marks and deletes several at once', async () => {
    const all = [await receive(), await receive(), await receive()];
    const [first = '', second = '', third = ''] = all;
    const bulk = (body: object) => contact.admin.post('/messages/bulk', body);
    expect((await bulk({ ids: [first], set: { status: 'closed' } })).body.succeeded).toBe(1);
    expect((await bulk({ ids: [second], set: { status: 'spam' } })).body.succeeded).toBe(1);
    expect((await bulk({ ids: [third], delete: true })).body.succeeded).toBe(1);
    expect((await contact.rows()).map(({ status }) => status)).toEqual(['closed', 'spam']);
  });

  it('assigns a message to an admin, and to nobody else', async () => {
    const admin = await openBearer(app, 'admin@example.com');
    const other = await openBearer(app, 'other@example.com');
    const id = await receive();
    const assign = (userId: string | null) =>
      contact.admin.patch(`/messages/${id}`, { assignee_id: userId });
    expect((await assign(admin.userId)).body.assignee_id).toBe(admin.userId);
    for (const userId of [other.userId, id]) {
      const refused = await assign(userId);
      expect(refused).toBeProblem(400, 'contact.assignee_invalid');
    }
    expect((await contact.rows())[0]?.assignee_id).toBe(admin.userId);
    expect((await assign(null)).body.assignee_id).toBe(null);
  });

  it('keeps notes from the sender, and records who did what without the texts', async () => {
    const id = await receive();
    const noted = await contact.admin.post(`/messages/${id}/notes`, { text: 'Known customer' });
    expect(noted.body).toMatchObject({ text: 'Known customer', author_kind: 'api_key' });
    await contact.admin.patch(`/messages/${id}`, { status: 'open' });
    const thread = (await contact.admin.get<ContactThread>(`/messages/${id}/thread`)).body;
    expect(thread.notes).toHaveLength(1);
    expect(thread.message.status).toBe('open');
    expect(mailsTo(letter.email)).toEqual([]);
    await app.services.audit.settled();
    const entries = await app.stores.db
      .selectFrom('audit_events')
      .selectAll()
      .where('target_id', '=', id)
      .execute();
    const actions = entries.map(({ action }) => action).sort();
    expect(actions).toEqual(['contact.message_changed', 'contact.note_added']);
    expect(JSON.stringify(entries)).not.toContain('Known customer');
  });

  it('deletes a message with its replies and notes', async () => {
    const id = await receive();
    await contact.admin.post(`/messages/${id}/notes`, { text: 'x' });
    await contact.admin.post(`/messages/${id}/replies`, { text: 'y' });
    expect((await contact.admin.delete(`/messages/${id}`)).status).toBe(200);
    const { db } = app.stores;
    expect(await db.selectFrom('contact_notes').selectAll().execute()).toEqual([]);
    expect(await db.selectFrom('contact_replies').selectAll().execute()).toEqual([]);
    expect((await contact.admin.get(`/messages/${id}/thread`)).body.code).toBe('contact.not_found');
  });
});

describe('a reply', () => {
  it('is sent once with the headers of its thread', async () => {
    const email = 'thread@example.com';
    const id = await receive({ email, subject: 'Invoice' });
    const reply = (text: string, headers = {}) =>
      contact.admin.post<ContactReplyView>(`/messages/${id}/replies`, { text }, { headers });
    const [first, again] = [
      await reply('Hello Ada', { 'idempotency-key': 'reply-1' }),
      await reply('Hello Ada', { 'idempotency-key': 'reply-1' }),
    ];
    expect(first.body).toMatchObject({ text: 'Hello Ada', delivery: 'queued' });
    expect(again.body).toEqual(first.body);
    await contact.client.mailTo(email);
    const second = (await reply('One more thing')).body;
    await contact.client.mailTo(email, { after: 1 });
    const idOf = (each: string) => `<contact/${id}/messages/${each}@svc.example>`;
    expect(mailsTo(email)[0]).toMatchObject({
      subject: 'Re: Invoice',
      thread: {
        messageId: idOf(second.id),
        inReplyTo: idOf(first.body.id),
        references: [idOf(id), idOf(first.body.id)],
        replyTo: operator,
      },
    });
    expect(mailsTo(email)[1]?.thread?.inReplyTo).toBe(idOf(id));
    expect((await contact.rows())[0]?.status).toBe('replied');
    await vi.waitFor(async () => {
      const thread = (await contact.admin.get<ContactThread>(`/messages/${id}/thread`)).body;
      expect(thread.replies.map(({ delivery }) => delivery)).toEqual(['sent', 'sent']);
    });
  });

  it.each([
    ['Re: Re: Invoice', 'Re: Invoice'],
    ['RE: AW: Re: Invoice', 'Re: Invoice'],
    ['SV: Re[2]: Invoice', 'Re: Invoice'],
    ['Ref: 42, re: Invoice', 'Re: Ref: 42, re: Invoice'],
    ['Re:', expect.stringMatching(/^Re: Your message to /) as string],
  ])('to "%s" has one prefix', async (subject, shown) => {
    const email = `prefix-${Buffer.from(subject).toString('hex')}@example.com`;
    const id = await receive({ email, subject });
    await contact.admin.post(`/messages/${id}/replies`, { text: 'Hello' });
    await contact.client.mailTo(email);
    expect(mailsTo(email)[0]?.subject).toEqual(shown);
  });

  it('is refused when its mailbox, however spelled, got ten in an hour', async () => {
    const addresses = ['ada+a@example.com', 'ada+b@example.com', 'Ada@example.com'];
    const ids = await Promise.all(
      addresses.map(async (email) => (await contact.send({ ...letter, email })).body.id),
    );
    const answers = [];
    for (let at = 0; at < 12; at += 1)
      answers.push(await contact.admin.post(`/messages/${ids[at % 3]}/replies`, { text: 'Hi' }));
    const [refused] = answers.splice(10, 2);
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(refused).toBeProblem(429, 'contact.too_many_replies');
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(3500);
    const stored = await app.stores.db.selectFrom('contact_replies').select('id').execute();
    expect(stored).toHaveLength(10);
    const { body: other } = await contact.send({ ...letter, email: 'bob@example.com' });
    const answer = await contact.admin.post(`/messages/${other.id}/replies`, { text: 'Hi' });
    expect(answer).toMatchObject({ status: 200 });
  });

  it('escapes entered text, and makes no links of a stranger’s', async () => {
    const email = 'script@example.com';
    const message = '<script>alert(1)</script> see http://evil.example/x or evil.example';
    const id = await receive({ email, message, subject: '<b>Hi</b>' });
    const reply = { text: 'See <i>below</i>', close: true };
    await contact.admin.post(`/messages/${id}/replies`, reply);
    await contact.client.mailTo(email);
    const mail = mailsTo(email)[0];
    expect(mail?.html?.()).toContain('See &lt;i&gt;below&lt;/i&gt;');
    expect(mail?.html?.()).toContain('&lt;script&gt;alert(1)');
    expect(mail?.html?.()).not.toContain('<script>alert');
    expect(`${mail?.html?.()} ${mail?.text}`).not.toContain('evil.example');
    expect((await contact.rows())[0]?.status).toBe('closed');
  });

  it('is sent once when the process died before it was queued', async () => {
    const email = 'died@example.com';
    const id = await receive({ email, subject: 'Hello?' });
    const { db } = app.stores;
    await db
      .insertInto('contact_replies')
      .values({
        id: uuidv7(clock.now()),
        message_id: id,
        author_kind: 'api_key',
        author_id: 'key-1',
        text: 'Stored, not queued',
        delivery_id: null,
        created_at: new Date(clock.now()),
      })
      .execute();
    await app.services.contactReplies.sendUnsent();
    expect(mailsTo(email)).toEqual([]);
    offset += 61_000;
    await Promise.all([1, 2, 3].map(() => app.services.contactReplies.sendUnsent()));
    await contact.client.mailTo(email);
    await app.services.contactReplies.sendUnsent();
    expect(mailsTo(email)).toHaveLength(1);
    const thread = (await contact.admin.get<ContactThread>(`/messages/${id}/thread`)).body;
    expect(thread.replies).toMatchObject([{ text: 'Stored, not queued', author_id: 'key-1' }]);
    const entries = await db
      .selectFrom('audit_events')
      .select('actor_id')
      .where('target_id', '=', id)
      .execute();
    expect(entries).toEqual([{ actor_id: 'key-1' }]);
  });

  it('leaves no trace when it can’t be queued', async () => {
    const id = await receive();
    const { redis } = app.services;
    expect(redis.status).toBe('ready');
    await app.stores.db
      .updateTable('contact_messages')
      .set({ email: 'not an address' })
      .where('id', '=', id)
      .execute();
    const refused = await contact.admin.post(`/messages/${id}/replies`, { text: 'x' });
    expect(refused.body.code).toBe('comms.recipient_invalid');
    expect((await contact.rows())[0]?.status).toBe('new');
    expect(await app.stores.db.selectFrom('contact_replies').selectAll().execute()).toEqual([]);
  });
});

describe('notices of new messages', () => {
  it('go to the operator at most once in ten minutes, with counts and short extracts', async () => {
    const before = mailsTo(operator).length;
    await receive({ name: 'Eve\u00a0www.evil.example', message: `<b>${'long '.repeat(100)}</b>` });
    await contact.client.mailTo(operator, { after: before });
    await Promise.all(Array.from({ length: 7 }, () => receive()));
    const [notice] = mailsTo(operator);
    expect(notice?.subject).toBe('Acme: 1 new message');
    expect(notice?.text).not.toContain('evil');
    expect(notice?.html?.()).not.toContain('<b>long');
    expect(notice?.text.length).toBeLessThan(900);
    await app.settled();
    expect(mailsTo(operator)).toHaveLength(before + 1);
    await app.services.redis.del('{contact}:notice');
    await receive({ email: 'last@example.com' });
    await contact.client.mailTo(operator, { after: before + 1 });
    expect(mailsTo(operator)[0]?.subject).toMatch(/^Acme: \d new messages$/);
  });

  it('do not tell about spam', async () => {
    const before = mailsTo(operator).length;
    await receive({ website: 'x' });
    expect(await app.services.redis.exists('{contact}:notice')).toBe(0);
    expect(mailsTo(operator)).toHaveLength(before);
  });
});

describe('saved replies', () => {
  it('are created, changed and deleted, with names of their own', async () => {
    const create = (name: string) =>
      contact.admin.post<SavedReplyView>('/saved-replies', { name, text: 'Hello' });
    const { id } = (await create('Greeting')).body;
    expect(await create('Greeting')).toBeProblem(409, 'contact.saved_reply_name_taken');
    const changed = await contact.admin.patch(`/saved-replies/${id}`, { text: 'Good day' });
    expect(changed.body).toMatchObject({ name: 'Greeting', text: 'Good day' });
    expect((await contact.admin.delete(`/saved-replies/${id}`)).status).toBe(200);
    const gone = await contact.admin.get(`/saved-replies/${id}`);
    expect(gone).toBeProblem(404, 'contact.saved_reply_not_found');
  });
});

describe('the retention of messages', () => {
  it('deletes spam after 30 days and other messages two years after the last change', async () => {
    const old = await receive();
    const spam = await receive({ website: 'x' });
    const store = createContactStore(app.stores.db);
    const clean = (days: number) => {
      const now = Date.now() + days * dayMs;
      return store.deleteOld({
        spam: new Date(now - 30 * dayMs),
        others: new Date(now - 730 * dayMs),
      });
    };
    const ids = async () => (await contact.rows()).map(({ id }) => id);
    await clean(29);
    expect(await ids()).toEqual([old, spam].sort());
    await clean(31);
    expect(await ids()).toEqual([old]);
    await clean(729);
    expect(await ids()).toEqual([old]);
    await clean(731);
    expect(await ids()).toEqual([]);
  });
});
