import { describe, expect } from 'vitest';
import { contactClient, letter } from '../../areas/contact/support.ts';
import { asAdmin } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { faultsOf, home, personOf } from './pages.ts';

const app = await sharedApp('console');
const admin = await personOf(app, 'ada@example.com', ['admin']);
const viewer = await personOf(app, 'vic@example.com', ['viewer']);
const by = { actor: { kind: 'user', id: admin.userId }, address: '', requestId: '' } as const;
const { services } = app;

const person = (email: string, name: string) =>
  services.users.signInAs({ kind: 'email', key: email, value: email }, { profile: { name } });
const { user: tanaka } = await person('yui@studio.example', 'Yui Tanaka');
await person('ken@post.example', 'Ken Tanaka');
await person('lin@post.example', 'Lin Ota');
const api = new TestClient(app).as(asAdmin);
const { body: code } = await api.post('/api/v1/qr-codes', {
  name: 'Menu of the terrace',
  url: 'https://cafe.example/menu?table=4',
});
const { body: tag } = await api.post('/api/v1/nfc/tags', {
  name: 'Door of the workshop',
  chip: 'ntag213',
  mode: 'plain',
  target: 'https://cafe.example/door',
});
const waiting = await services.waitlistEntries.service.create?.(
  { email: 'waits@post.example', name: 'Mara Lund', verified_because: 'A test' },
  by,
);
await contactClient(app).send({ ...letter, message: 'The zipper of my jacket is stuck.' });
const { id: incident } = await services.status.incidents.create(
  {
    name: 'Payments are slow',
    status: 'investigating',
    body: 'Waiting for Lisbon.',
    components: [],
  },
  by,
);

type Answer = Record<'name' | 'hint' | 'href' | 'group' | 'icon', string>;
const asScript = { accept: 'application/json', 'sec-fetch-mode': 'cors' };
async function found(q: string, as = admin): Promise<Answer[]> {
  const { body } = await as.form('search', { q }, { headers: asScript });
  return body.data as Answer[];
}

describe('the search of the console', () => {
  it.each([
    ['tanaka', 'Users', ['Ken Tanaka', 'Yui Tanaka']],
    ['STUDIO.ex', 'Users', ['Yui Tanaka']],
    ['fé.exa', 'QR codes', []],
    ['cafe.example/menu', 'QR codes', ['Menu of the terrace']],
    ['terrace', 'QR codes', ['Menu of the terrace']],
    ['cafe.example/door', 'NFC tags', ['Door of the workshop']],
    ['zipper', 'Messages', ['Ada Lovelace']],
    ['a lund', 'Waitlist', ['Mara Lund']],
    ['lisbon', 'Status', ['Payments are slow']],
    ['nt are sl', 'Status', []],
    ['%', 'Users', []],
    ['_', 'Users', []],
  ])('finds %j among %s: %j', async (text, group, names) => {
    const answers = await found(text);
    expect(answers.filter((each) => each.group === group).map(({ name }) => name)).toEqual(names);
  });

  it('leads to the page of each thing, which exists', async () => {
    const hrefs = new Map<string, string>();
    for (const text of ['tanaka', 'terrace', 'workshop', 'zipper', 'lund', 'lisbon'])
      for (const { group, href } of await found(text)) hrefs.set(group, href);
    expect([...hrefs.values()].join()).toContain(String(code.id));
    expect([...hrefs.values()].join()).toContain(String(tag.id));
    expect([...hrefs.values()].join()).toContain(String(waiting?.id));
    expect(hrefs.get('Status')).toBe(`${home}status/incidents/${incident}`);
    for (const href of hrefs.values()) expect((await admin.page(href)).status, href).toBe(200);
    expect((await found('yui'))[0]?.href).toBe(`${home}users/${tanaka.id}`);
  });

  it('finds a code by the short link that a phone shows', async () => {
    const link = String(code.short_url);
    expect(await found(link)).toMatchObject([{ group: 'QR codes', name: 'Menu of the terrace' }]);
    expect(await found(`${link}x`)).toEqual([]);
  });

  it('shows viewers nothing that belongs to a person', async () => {
    for (const text of ['tanaka', 'terrace', 'workshop', 'zipper', 'lund', 'studio.example'])
      expect(await found(text, viewer), text).toEqual([]);
    expect(await found('lisbon', viewer)).toMatchObject([{ name: 'Payments are slow' }]);
  });

  it('offers on each page only actions and pages that the person may open', async () => {
    for (const who of [admin, viewer]) {
      const { text } = await who.page('search');
      const lists = text.split('<ul class="found">').slice(1).join();
      const hrefs = Array.from(lists.matchAll(/<a href="([^"#]*)/g), ([, href = '']) => href);
      expect(hrefs.length).toBeGreaterThan(8);
      for (const href of hrefs) expect((await who.page(href)).status, href).toBeLessThan(400);
      expect(await faultsOf(text)).toEqual([]);
    }
    expect((await viewer.page('search')).text).not.toContain('Invite someone');
  });

  it('says on its page that nothing was found, and for what', async () => {
    const { headers } = await admin.form('search', { q: 'zzz-nothing' });
    const { text } = await admin.page(String(headers.location));
    expect(text).toContain('Nothing found for “zzz-nothing”');
    expect(String(headers.location)).not.toContain('zzz');
    expect(await faultsOf(text)).toEqual([]);
  });
});
