import { describe, expect } from 'vitest';
import { templateParams } from '../../../src/areas/comms/templates/params.ts';
import { asAdmin } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { incident, update } from '../status/page-states.ts';

const origin = 'https://svc.example';
const site = 'one-click';
const app = await sharedApp('named');
const client = new TestClient(app);
await client.as(asAdmin).post('/analytics/sites', { site_id: site });

let people = 0;
const somebody = (): string => `one-click-${(people += 1)}@example.com`;
const countOf = async (table: 'status_subscribers' | 'waitlist_entries', email: string) =>
  (await app.stores.db.selectFrom(table).select('id').where('email', '=', email).execute()).length;
/** The path of the first link in an email that begins so. */
const linkIn = ({ text }: { text: string }, path: string): string =>
  new RegExp(`${origin}(${path}[^\\s>]*)`).exec(text)?.[1] ?? '/missing';
const unsubscribePathOf = ({ unsubscribe }: { unsubscribe?: string | undefined }): string =>
  String(unsubscribe).replace(origin, '');

async function subscriber(): Promise<string> {
  const email = somebody();
  await client.form('/status/subscribe', { email });
  const confirm = new URL(linkIn(await client.mailTo(email), '/status/confirm'), origin);
  await client.form('/status/confirm', { token: confirm.searchParams.get('token') ?? '' });
  return email;
}

interface Receiver {
  email: string;
  /** Where the email client sends its request. */
  path: string;
  isSubscribed: () => Promise<boolean>;
}

/** One person for each kind of mail that can be unsubscribed from. */
const kinds = {
  async status(): Promise<Receiver> {
    const email = await subscriber();
    await app.services.subscriptions.notifySubscribers({
      incident: incident('Requests fail'),
      update: update('identified', 'We look into it.', Date.now()),
    });
    const path = unsubscribePathOf(await client.mailTo(email, { after: 1 }));
    const isSubscribed = async () => (await countOf('status_subscribers', email)) > 0;
    return { email, path, isSubscribed };
  },
  async waitlist(): Promise<Receiver> {
    const email = somebody();
    await client.post('/api/v2/waitlist', { email, consent: true });
    const path = unsubscribePathOf(await client.mailTo(email));
    const isSubscribed = async () => (await countOf('waitlist_entries', email)) > 0;
    return { email, path, isSubscribed };
  },
  async report(): Promise<Receiver> {
    const email = somebody();
    const admin = client.as(asAdmin).at(`/analytics/sites/${site}/reports`);
    const { body } = await admin.post<{ id: string }>('', { email, frequency: 'weekly' });
    await admin.post(`/${body.id}/test`);
    const path = unsubscribePathOf(await client.mailTo(email));
    const isSubscribed = async () => {
      const { body: list } = await admin.get<{
        data: { email: string; unsubscribed_at: unknown }[];
      }>('');
      return list.data.some((each) => each.email === email && each.unsubscribed_at === null);
    };
    return { email, path, isSubscribed };
  },
};
type Kind = keyof typeof kinds;
const names = ['status', 'waitlist', 'report'] as const satisfies readonly Kind[];

const boundary = 'multipart/form-data; boundary=x';
const part =
  '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--';
const bodies: [name: string, type: string | undefined, body: string | undefined][] = [
  ['a form', 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
  ['a form in parts', boundary, part],
  ['a form in parts without a boundary', 'multipart/form-data', part],
  ['plain text', 'text/plain; charset=utf-8', 'List-Unsubscribe=One-Click'],
  ['nothing', undefined, undefined],
  ['nothing, as a form', 'application/x-www-form-urlencoded', ''],
  ['a body without a type', undefined, 'List-Unsubscribe=One-Click'],
  ['a body with a malformed type', ';;', 'List-Unsubscribe=One-Click'],
  ['invalid JSON', 'application/json', '{'],
  ['JSON of another shape', 'application/json', '{"token":[1],"token":2}'],
  ['another token in the body', 'application/x-www-form-urlencoded', 'token=nonsense'],
  ['bytes of no charset', 'application/x-www-form-urlencoded; charset=x-none', '\u00ff=\u00fe'],
  ['a megabyte', 'text/plain', 'x'.repeat(1024 * 1024)],
  ['a deep document', 'application/json', '['.repeat(100_000)],
];

describe.each(names)('one click to unsubscribe (%s)', (kind) => {
  it('acts whatever the body and its content type', async () => {
    const results = await Promise.all(
      bodies.map(async ([name, type, body]) => {
        const { path, isSubscribed } = await kinds[kind]();
        const headers = type === undefined ? {} : { 'content-type': type };
        const { status } = await client.post(path, body, { headers });
        return { name, status, isSubscribed: await isSubscribed() };
      }),
    );
    expect(results).toEqual(bodies.map(([name]) => ({ name, status: 200, isSubscribed: false })));
  });

  it('does nothing when a mail scanner only opens the link, and refuses other tokens', async () => {
    const { path, isSubscribed } = await kinds[kind]();
    for (const method of ['GET', 'HEAD'] as const)
      expect(await client.send(method, path)).toMatchObject({ status: 200 });
    for (const wrong of [`${path}x`, path.replace(/token=.*/, 'token='), path.split('?')[0] ?? ''])
      expect((await client.post(wrong)).status).toBe(410);
    const tooLarge = 'x'.repeat(1024 * 1024 + 1);
    const refused = await client.post(path, tooLarge, {
      headers: { 'content-type': 'text/plain' },
    });
    expect(refused).toMatchObject({ status: 413 });
    expect(await isSubscribed()).toBe(true);
  });
});

describe('emails', () => {
  it('with a link to unsubscribe are of the kinds tested here', () => {
    const templates = Object.entries(templateParams)
      .filter(([, { shape }]) => 'unsubscribe' in shape)
      .map(([name]) => name);
    const waitlist = ['waitlist_confirm', 'waitlist_place', 'waitlist_invitation'];
    expect(templates.sort()).toEqual(['analytics_report', 'status_update', ...waitlist].sort());
  });

  it('confirm nothing when a mail scanner opens their links', async () => {
    const [one, two, three] = [somebody(), somebody(), somebody()];
    await client.form('/status/subscribe', { email: one });
    await client.post('/api/v2/waitlist', { email: two, consent: true });
    await client.form('/signup', { email: three, consent: 'on' });
    const links = [
      linkIn(await client.mailTo(one), '/status/confirm'),
      linkIn(await client.mailTo(two), '/waitlist/verify'),
      linkIn(await client.mailTo(three), '/signup/confirm'),
    ];
    for (const link of links)
      for (const method of ['GET', 'HEAD'] as const)
        expect(await client.send(method, link)).toMatchObject({ status: 200 });
    const { db } = app.stores;
    const open = await Promise.all([
      db
        .selectFrom('status_subscribers')
        .select('confirmed_at as at')
        .where('email', '=', one)
        .execute(),
      db
        .selectFrom('waitlist_entries')
        .select('verified_at as at')
        .where('email', '=', two)
        .execute(),
      db.selectFrom('signups').select('confirmed_at as at').where('email', '=', three).execute(),
    ]);
    expect(open).toEqual([[{ at: null }], [{ at: null }], [{ at: null }]]);
  });
});
