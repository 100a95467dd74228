import { beforeAll, beforeEach, describe, expect, vi } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import type { TestApp } from '../../support/app.ts';
import { type ContactClient, contactClient, letter } from '../../areas/contact/support.ts';
import { faultsOf, home, personOf } from './pages.ts';

type Person = Awaited<ReturnType<typeof personOf>>;

let app: TestApp;
let contact: ContactClient;
let admin: Person;
let viewer: Person;

beforeAll(async () => {
  app = await sharedApp('console');
  contact = contactClient(app);
  admin = await personOf(app, 'ada@example.com', ['admin']);
  viewer = await personOf(app, 'grace@example.com', ['viewer']);
}, 60_000);
beforeEach(() => contact.reset());

const get = (path: string, { console: pages } = admin) => pages.page(path);
const send = (path: string, values: Record<string, string | readonly string[]>, person = admin) =>
  person.console.form(path, values);
const statuses = async () => (await contact.rows()).map(({ status }) => status);

async function receive(change: object = {}): Promise<string> {
  await contact.send({ ...letter, ...change });
  return (await contact.rows()).at(-1)?.id ?? '';
}

describe('the inbox in the console', () => {
  it('is valid HTML, empty and filled', async () => {
    expect(await faultsOf((await get('contact')).text)).toEqual([]);
    const id = await receive({ subject: 'Invoice' });
    for (const path of ['contact', 'contact?status=new', `contact/${id}`])
      expect(await faultsOf((await get(path)).text), path).toEqual([]);
  });

  it('is closed to viewers', async () => {
    const id = await receive();
    expect((await get('contact', viewer)).status).toBe(403);
    expect((await get(`contact/${id}`, viewer)).status).toBe(403);
    expect((await send(`contact/${id}/status`, { status: 'spam' }, viewer)).status).toBe(403);
    expect(await statuses()).toEqual(['new']);
  });

  it('shows a script in a message as text, and no links of a stranger’s', async () => {
    const message = '<script>alert(1)</script> <a href="http://evil.example">x</a>';
    const id = await receive({ message, subject: '<img src=x onerror=alert(1)>' });
    for (const path of ['contact', `contact/${id}`]) {
      const { text } = await get(path);
      expect(text).toContain('&lt;script&gt;alert(1)');
      expect(text).not.toContain('<script>alert');
      expect(text).not.toContain('<img src=x');
      expect(text).not.toContain('href="http://evil');
    }
  });

  it('lists messages by status, assignment and text, which is not in the URL', async () => {
    await receive({ subject: 'Invoice' });
    await receive({ subject: 'Advert', message: 'Buy', website: 'x' });
    expect((await get('contact?status=spam')).text).not.toContain('Invoice');
    expect((await get(`contact?assignee=${admin.userId}`)).text).not.toContain('Invoice');
    const found = await send('contact/find', { text: 'invo', status: '', assignee: '' });
    const location = String(found.headers.location);
    expect(location).not.toContain('invo');
    const { text } = await get(location);
    expect(text).toContain('Invoice');
    expect(text).not.toContain('Advert');
    const file = await get('contact?status=spam&format=csv');
    expect(file.headers['content-type']).toContain('text/csv');
    expect(file.text).not.toContain('Invoice');
  });

  it('closes and marks the selected messages, and asks before it deletes them', async () => {
    const [first, second] = [await receive(), await receive()];
    const bulk = (action: string, more = {}) =>
      send('contact/bulk', { action, 'message[]': [first, second], ...more });
    expect((await send('contact/bulk', { action: 'close' })).headers.location).toContain('none');
    await bulk('close');
    expect(await statuses()).toEqual(['closed', 'closed']);
    await bulk('spam');
    expect(await statuses()).toEqual(['spam', 'spam']);
    const asked = await bulk('delete');
    expect(asked.text).toContain('Delete 2 messages?');
    expect(await faultsOf(asked.text)).toEqual([]);
    expect(await statuses()).toHaveLength(2);
    expect((await bulk('delete', { confirm: '2' })).headers.location).toContain('deleted');
    expect(await statuses()).toEqual([]);
  });
});

describe('a thread in the console', () => {
  it('is answered with a saved reply, which works without a script', async () => {
    const email = 'thread@example.com';
    const id = await receive({ email });
    const saved = await contact.admin.post('/saved-replies', { name: 'Thanks', text: 'Many <3' });
    const page = (await get(`contact/${id}?saved=${String(saved.body.id)}`)).text;
    expect(page).toMatch(/<textarea[^>]*>Many &lt;3<\/textarea>/);
    const sent = await send(`contact/${id}/reply`, { text: 'Many thanks', close: 'true' });
    expect(sent.headers.location).toBe(`${home}contact/${id}?done=replied`);
    expect(await statuses()).toEqual(['closed']);
    await vi.waitFor(() => expect(app.services.outbox.list(email)).toHaveLength(1));
    const { text } = await get(`contact/${id}`);
    expect(text).toContain('Reply by ada@example.com');
    expect(text).toContain('Many thanks');
  });

  it('takes notes, is assigned to admins only, and deleted after a word', async () => {
    const id = await receive();
    await send(`contact/${id}/note`, { text: 'Known customer' });
    expect((await get(`contact/${id}`)).text).toContain('Note by ada@example.com');
    await send(`contact/${id}/assign`, { assignee: admin.userId });
    expect((await contact.rows())[0]?.assignee_id).toBe(admin.userId);
    const refused = await send(`contact/${id}/assign`, { assignee: viewer.userId });
    expect(refused.status).toBe(400);
    expect((await contact.rows())[0]?.assignee_id).toBe(admin.userId);
    await send(`contact/${id}/assign`, { assignee: '' });
    expect((await contact.rows())[0]?.assignee_id).toBe(null);
    expect((await send(`contact/${id}/delete`, { confirm: 'no' })).status).toBe(422);
    expect(await statuses()).toHaveLength(1);
    await send(`contact/${id}/delete`, { confirm: 'delete' });
    expect(await statuses()).toEqual([]);
  });
});
