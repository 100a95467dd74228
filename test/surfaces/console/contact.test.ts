import { beforeEach, describe, expect, vi } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { contactClient, letter } from '../../areas/contact/support.ts';
import { faultsAt, faultsOf, home, personOf } from './pages.ts';

const app = await sharedApp('console');
const contact = contactClient(app);
const admin = await personOf(app, 'ada@example.com', ['admin']);
const viewer = await personOf(app, 'grace@example.com', ['viewer']);
beforeEach(() => contact.reset());

const statuses = async () => (await contact.rows()).map(({ status }) => status);

async function receive(change: object = {}): Promise<string> {
  await contact.send({ ...letter, ...change });
  return (await contact.rows()).at(-1)?.id ?? '';
}

describe('the inbox in the console', () => {
  it('is valid HTML, empty and filled', async () => {
    expect(await faultsAt(admin, ['contact'])).toEqual([]);
    const id = await receive({ subject: 'Invoice' });
    const paths = ['contact', 'contact?status=new', `contact/${id}`];
    expect(await faultsAt(admin, paths)).toEqual([]);
  });

  it('is closed to viewers', async () => {
    const id = await receive();
    expect((await viewer.page('contact')).status).toBe(403);
    expect((await viewer.page(`contact/${id}`)).status).toBe(403);
    expect((await viewer.form(`contact/${id}/status`, { status: 'spam' })).status).toBe(403);
    expect(await statuses()).toEqual(['new']);
  });

  it('shows a script in a message as text, and no links of a stranger’s', async () => {
    const message = '<script>alert(1)</script> <a href="http://evil.example">x</a>';
    const id = await receive({ message, subject: '<img src=x onerror=alert(1)>' });
    for (const path of ['contact', `contact/${id}`]) {
      const { text } = await admin.page(path);
      expect(text).toContain('&lt;script&gt;alert(1)');
      expect(text).not.toContain('<script>alert');
      expect(text).not.toContain('<img src=x');
      expect(text).not.toContain('href="http://evil');
    }
  });

  it('lists messages by status, assignment and text, which is not in the URL', async () => {
    await receive({ subject: 'Invoice' });
    await receive({ subject: 'Advert', message: 'Buy', website: 'x' });
    expect((await admin.page('contact?status=spam')).text).not.toContain('Invoice');
    expect((await admin.page(`contact?assignee=${admin.userId}`)).text).not.toContain('Invoice');
    const found = await admin.form('contact/find', { text: 'invo', status: '', assignee: '' });
    const location = String(found.headers.location);
    expect(location).not.toContain('invo');
    const { text } = await admin.page(location);
    expect(text).toContain('Invoice');
    expect(text).not.toContain('Advert');
    const file = await admin.page('contact?status=spam&format=csv');
    expect(file.headers['content-type']).toContain('text/csv');
    expect(file.text).not.toContain('Invoice');
  });

  it('closes and marks the selected messages, and asks before it deletes them', async () => {
    const [first, second] = [await receive(), await receive()];
    const bulk = (action: string, more = {}) =>
      admin.form('contact/bulk', { action, 'message[]': [first, second], ...more });
    expect((await admin.form('contact/bulk', { action: 'close' })).headers.location).toContain(
      'none',
    );
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

describe('a saved reply in the console', () => {
  it('has an old address that leads to the form that changes it', async () => {
    const { body } = await contact.admin.post('/saved-replies', { name: 'Old', text: 'Hello' });
    const path = `contact/saved-replies/${String(body.id)}`;
    const old = await admin.page(path);
    expect(old.status).toBe(302);
    expect(old.headers.location).toBe(`${home}${path}/edit`);
    const imports = (await admin.page('contact/saved-replies/import')).text;
    expect(imports).toContain('>Required<');
    expect(imports).not.toContain('>Optional<');
  });
});

describe('a thread in the console', () => {
  it('is answered with a saved reply, which works without a script', async () => {
    const email = 'thread@example.com';
    const id = await receive({ email });
    const saved = await contact.admin.post('/saved-replies', { name: 'Thanks', text: 'Many <3' });
    const page = (await admin.page(`contact/${id}?saved=${String(saved.body.id)}`)).text;
    expect(page).toMatch(/<textarea[^>]*>Many &lt;3<\/textarea>/);
    const sent = await admin.form(`contact/${id}/reply`, { text: 'Many thanks', close: 'true' });
    expect(sent.headers.location).toBe(`${home}contact/${id}?done=replied`);
    expect(await statuses()).toEqual(['closed']);
    await vi.waitFor(() => expect(app.services.outbox.list(email)).toHaveLength(1));
    const { text } = await admin.page(`contact/${id}`);
    expect(text).toContain('Reply by ada@example.com');
    expect(text).toContain('Many thanks');
  });

  it('takes notes, is assigned to admins only, and deleted after a word', async () => {
    const id = await receive();
    await admin.form(`contact/${id}/note`, { text: 'Known customer' });
    expect((await admin.page(`contact/${id}`)).text).toContain('Note by ada@example.com');
    await admin.form(`contact/${id}/assign`, { assignee_id: admin.userId });
    expect((await contact.rows())[0]?.assignee_id).toBe(admin.userId);
    expect((await admin.form(`contact/${id}/assign`, { assignee_id: viewer.userId })).status).toBe(
      400,
    );
    expect((await contact.rows())[0]?.assignee_id).toBe(admin.userId);
    await admin.form(`contact/${id}/assign`, { assignee_id: '' });
    expect((await contact.rows())[0]?.assignee_id).toBe(null);
    expect((await admin.form(`contact/${id}/delete`, { confirm: 'no' })).status).toBe(422);
    expect(await statuses()).toHaveLength(1);
    await admin.form(`contact/${id}/delete`, { confirm: 'delete' });
    expect(await statuses()).toEqual([]);
  });
});
