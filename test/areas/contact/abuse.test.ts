import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect } from 'vitest';
import { expectLikeUnknown, expectMemberRefused, unknownId } from '../../support/abuse-steps.ts';
import {
  acceptedLines,
  acceptedTexts,
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
import { contactClient, letter } from './support.ts';

const app = await sharedApp('named');
const sender = new TestClient(app);
const admin = sender.as(asAdmin).at('/api/v1/contact');
const client = contactClient(app);
beforeEach(() => client.reset());

/** The rows of a table, except for when a notice was sent. */
const rowsOf = async (name: string) =>
  (await tableContent(app, name)).replaceAll(/"noticed_at":(?:null|"[^"]*")/g, '');
const messages = () => rowsOf('contact_messages');
const tables = ['contact_messages', 'contact_replies', 'contact_notes', 'contact_saved_replies'];
const content = () => Promise.all(tables.map(rowsOf));

/** A message that is in the inbox. Its sender has no limit. */
async function receive(change: object = {}): Promise<string> {
  const { status, body, text } = await admin.post('', { ...letter, ...change });
  if (status !== 200) throw new Error(text);
  return String(body.id);
}

async function saveReply(change: object = {}): Promise<string> {
  const body = { name: randomUUID(), text: 'Hello', ...change };
  const saved = await admin.post('/saved-replies', body);
  if (saved.status !== 200) throw new Error(saved.text);
  return String(saved.body.id);
}

describe('hostile text', () => {
  type Field = readonly [name: string, send: (text: string, id: string) => Promise<TestResponse>];
  const send = (change: object) => admin.post('', { ...letter, ...change });
  const lines: readonly Field[] = [
    ['a name', (name) => send({ name })],
    ['an address', (text) => send({ email: `${text}@example.com` })],
    ['a subject', (subject) => send({ subject })],
    ['a topic', (topic) => send({ topic })],
    ['the name of a saved reply', (name) => admin.post('/saved-replies', { name, text: 'x' })],
  ];
  const texts: readonly Field[] = [
    ['a message', (message) => send({ message })],
    ['a reply', (text, id) => admin.post(`/messages/${id}/replies`, { text })],
    ['a note', (text, id) => admin.post(`/messages/${id}/notes`, { text })],
    ['a saved reply', (text) => admin.post('/saved-replies', { name: randomUUID(), text })],
  ];

  it.each([
    ...lines.map(([name, sendText]) => [name, sendText, acceptedLines] as const),
    ...texts.map(([name, sendText]) => [name, sendText, acceptedTexts] as const),
  ])('in %s is refused, and nothing is stored', async (_name, sendText, accepted) => {
    const id = await receive();
    const before = await content();
    const faults = await accepted((text) => sendText(text, id));
    expect(faults).toEqual([]);
    expect(await content()).toEqual(before);
  });

  it('that is not well-formed is refused at its place instead of being replaced', async () => {
    const before = await content();
    const broken = { name: 'Ada\ud800', message: 'Hello\0' };
    expect(await send(broken)).toBeInvalid('body.name', 'body.message');
    expect(await content()).toEqual(before);
  });

  it('that is a formula or markup is kept, and harmless in both CSV files', async () => {
    const written = [...formulas, '<img src=x onerror=alert(1)>'];
    for (const text of written) {
      await receive({ name: text, subject: text, topic: text, message: text });
      await saveReply({ name: text, text });
    }
    const rows = await app.stores.db
      .selectFrom('contact_messages')
      .select(['name', 'subject', 'topic', 'message'])
      .orderBy('id')
      .execute();
    expect(rows).toEqual(
      written.map((text) => ({ name: text, subject: text, topic: text, message: text })),
    );
    for (const file of ['/messages/export', '/saved-replies/export']) {
      const { text } = await admin.get(file);
      expect(text).toContain(`'=1+1`);
      expect(formulaCells(text)).toEqual([]);
    }
  });

  it('of a form comes back as text, never as markup', async () => {
    const markup = '"><script>alert(1)</script>';
    const values = { name: markup, email: markup, subject: markup, message: markup, form: markup };
    const page = await sender.form('/contact', values);
    expect(page.status).toBeGreaterThanOrEqual(400);
    expect(page.status).toBeLessThan(500);
    expect(page.text).not.toContain('<script>alert');
    expect(await messages()).toBe('');
  });

  it.each(['%', '_', '\\', "' or true --"])('as the search %j finds only itself', async (q) => {
    await receive();
    const found = await admin.get('/messages', { query: { q: `${q}${q}` } });
    expect(found).toMatchObject({ status: 200, body: { data: [] } });
  });
});

describe('members that are not for the sender', () => {
  const own = {
    id: unknownId,
    proof: 'key',
    spam_reason: null,
    network: '192.0.2.0/24',
    created_at: '2020-01-01T00:00:00.000Z',
    noticed_at: '2020-01-01T00:00:00.000Z',
  };

  it.each(Object.entries(own))('such as %s are refused', async (...member) => {
    const id = await receive();
    const before = await messages();
    const paths = { create: '', entries: '/messages' };
    await expectMemberRefused(admin, { id, body: letter, member, paths });
    expect(await messages()).toBe(before);
  });

  it.each(['name', 'email', 'subject', 'message', 'topic'])(
    'such as the %s of a message can’t be changed',
    async (name) => {
      const id = await receive();
      const before = await messages();
      const change = await admin.patch(`/messages/${id}`, { [name]: 'changed@example.com' });
      expect(change).toBeInvalid(`body.${name}`);
      expect(await messages()).toBe(before);
    },
  );

  it.each(['author_id', 'author_kind', 'delivery', 'to', 'created_at'])(
    'such as the %s of a reply or note are refused, and nothing is sent',
    async (name) => {
      const email = `${randomUUID()}@example.com`;
      const id = await receive({ email });
      for (const kind of ['replies', 'notes']) {
        const body = { text: 'Hello', [name]: 'x' };
        expect(await admin.post(`/messages/${id}/${kind}`, body)).toBeInvalid(`body.${name}`);
      }
      await app.settled();
      expect(sender.outbox(email)).toEqual([]);
    },
  );
});

describe('a repeated request', () => {
  const send = (body: object, key: string, from: string) =>
    sender.post('/api/v1/contact', body, { headers: { 'idempotency-key': key }, from });

  it('with the same Idempotency-Key is one message, and none with another text', async () => {
    const [key, from] = [randomUUID(), '198.51.100.7'];
    const first = await send(letter, key, from);
    expect(first).toMatchObject({ status: 200 });
    expect((await send(letter, key, from)).text).toBe(first.text);
    expect(await send({ ...letter, message: 'Another' }, key, from)).toMatchObject({ status: 422 });
    expect((await messages()).split('\n')).toHaveLength(1);
  });

  it('of somebody else with the same Idempotency-Key is a message of its own', async () => {
    const key = randomUUID();
    const [first, second] = [
      await send(letter, key, '198.51.100.8'),
      await send(letter, key, '203.0.113.8'),
    ];
    expect(second).toMatchObject({ status: 200 });
    expect(second.text).not.toBe(first.text);
    expect((await messages()).split('\n')).toHaveLength(2);
  });
});

describe('the same thing twenty times at once', () => {
  it('sends one reply', async () => {
    const email = `${randomUUID()}@example.com`;
    const id = await receive({ email });
    const headers = { 'idempotency-key': randomUUID() };
    await atOnce(20, () => admin.post(`/messages/${id}/replies`, { text: 'Hello' }, { headers }));
    await app.settled();
    expect(sender.outbox(email)).toHaveLength(1);
    expect((await tableContent(app, 'contact_replies')).split('\n')).toHaveLength(1);
  });

  it('saves one reply of a name', async () => {
    const body = { name: randomUUID(), text: 'Hello' };
    const statuses = await atOnce(20, () => admin.post('/saved-replies', body));
    expect(statuses).toEqual(oneOf(20, 200, 409));
  });

  it('deletes a message once', async () => {
    const id = await receive();
    const statuses = await atOnce(20, () => admin.delete(`/messages/${id}`));
    expect(statuses).toEqual(oneOf(20, 200, 404));
  });
});

describe('the id of a message that was deleted', () => {
  it.each([
    ['GET', '', undefined],
    ['PATCH', '', { status: 'open' }],
    ['DELETE', '', undefined],
    ['GET', '/thread', undefined],
    ['POST', '/replies', { text: 'Hello' }],
    ['POST', '/notes', { text: 'Hello' }],
  ] as const)('is answered like an unknown one by %s …%s', async (method, path, body) => {
    const id = await receive();
    await admin.delete(`/messages/${id}`);
    const before = await content();
    await expectLikeUnknown(admin.at('/api/v1/contact/messages'), id, method, path, body);
    expect(await content()).toEqual(before);
  });
});

describe('a sender', () => {
  it('can’t tell whether a message is spam, or its address known', async () => {
    const shape = (response: TestResponse) =>
      comparable({ ...response, text: response.text.replace(/"id":"[^"]*"/, '') });
    const responses = [
      await admin.post('', letter),
      await admin.post('', letter),
      await admin.post('', { ...letter, website: 'https://spam.example' }),
      await admin.post('', { ...letter, email: 'unknown@example.com' }),
    ];
    const [first, ...others] = responses.map(shape);
    expect(first).toMatchObject({ status: 200 });
    for (const other of others) expect(other).toEqual(first);
  });
});
