import { describe, expect, it } from 'vitest';
import { freshApp } from '../../support/app.ts';
import { type Codes, qrClient, target } from './support.ts';

const app = await freshApp({ env: { BASE_URL: 'https://svc.example' }, isEmbedded: true });
const qr = qrClient(app);

const attempt = (body: object) => qr.codes.post('', { name: 'Spring', ...body });

describe('the target of a code', () => {
  it.each([
    'javascript:alert(1)',
    'https://user:secret@example.com/',
    'http://127.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'https://svc.example/q/abc',
    'https://svc.example/%71/abc',
    '/relative',
    'https://example.com/\u0000',
    `${target}\r\nset-cookie: a=b`,
    `${target}\n`,
    `${target}\u2028x`,
  ])('must not be %j', async (url) => {
    expect(await attempt({ url })).toBeInvalid('body.url');
    expect(await attempt({ url: target, expired_url: url })).toBeInvalid('body.expired_url');
    const rules = [{ device: 'ios', url }];
    expect(await attempt({ url: target, rules })).toBeInvalid('body.rules.0.url');
    const { id } = await qr.create();
    expect(await qr.codes.patch(`/${id}`, { url })).toBeInvalid('body.url');
    expect((await qr.show(id)).url).toBe(target);
  });

  it('may be another page of the service', async () => {
    expect((await qr.create({ url: 'https://svc.example/waitlist' })).url).toContain('/waitlist');
  });
});

const hello = { type: 'text', text: 'Hello' };
const fixed = { url: target, dynamic: false };

describe('a new code', () => {
  it.each([
    ['no content', {}, 'body.url'],
    ['a URL and a content', { url: target, content: hello }, 'body.url'],
    ['a content that is a URL', { content: { type: 'url', url: target } }, 'body.content.type'],
    ['an unknown member', { url: target, extra: 1 }, 'body.extra'],
    [
      'an unknown member of its style',
      { url: target, style: { color: '#000000' } },
      'body.style.color',
    ],
    ...(
      [
        [{ type: 'text', text: 'A', body: 'B' }, 'body'],
        [{ type: 'wifi', auth: 'nopass', ssid: 'A', password: 'B' }, 'password'],
        [{ type: 'wifi', auth: 'WPA', ssid: 'A', password: 'welcome 42', hiden: true }, 'hiden'],
        [{ type: 'vcard', first_name: 'A', phone: '+49 151 1' }, 'phone'],
        [
          { type: 'vcard', first_name: 'A', phones: [{ kind: 'cell', number: '+491511', ext: 1 }] },
          'phones.0.ext',
        ],
        [{ type: 'vcard', first_name: 'A', address: { zip: '1' } }, 'address.zip'],
        [{ type: 'email', to: 'a@example.com', text: 'B' }, 'text'],
        [{ type: 'sms', number: '+49 151 23456789', body: 'B' }, 'body'],
        [{ type: 'geo', latitude: 1, longitude: 2, label: 'A' }, 'label'],
        [{ type: 'event', title: 'A', starts_at: '2026-07-01T18:00:00Z', end: 'B' }, 'end'],
      ] as const
    ).map(
      ([content, place]) =>
        [
          `${place} in a content of the type ${content.type}`,
          { content },
          `body.content.${place}`,
        ] as const,
    ),
    ['a rule without a condition', { url: target, rules: [{ url: target }] }, 'body.rules.0'],
    ['an invalid site', { url: target, site_id: '..' }, 'body.site_id'],
    ['a limit of what is not scanned', { content: hello, scan_limit: 3 }, 'body.scan_limit'],
    ['a password for what is not opened', { ...fixed, password: 'open' }, 'body.password'],
    ...['A', 'ab', '-abc', 'a/b', 'ä-ö', 'a'.repeat(65)].map(
      (code) => [`the short link ${code}`, { url: target, code }, 'body.code'] as const,
    ),
  ] as const)('is refused with %s', async (_case, body, place) => {
    expect(await attempt(body)).toBeInvalid(place);
  });

  it('can have a short link of its own, which nobody else gets', async () => {
    const { short_url: own } = await qr.create({ code: 'own-link' });
    expect(own).toBe('https://svc.example/q/own-link');
    expect(await attempt({ url: target, code: 'own-link' })).toBeProblem(409, 'qr.code_taken');
  });

  it('with a fixed content is static: no short link, no scans, no changes', async () => {
    const created = await qr.create({ content: hello, url: undefined });
    expect(created).toMatchObject({ type: 'text', short_url: null, text: 'Hello', scans: null });
    const printed = await qr.create({ dynamic: false, utm_campaign: 'print' });
    expect(printed).toMatchObject({ text: `${target}?utm_campaign=print`, short_url: null });
    expect(await qr.client.get(`/q/${printed.code}`)).toMatchObject({ status: 404 });
    const changed = await qr.codes.patch(`/${printed.id}`, { url: 'https://example.com/other' });
    expect(changed).toBeProblem(409, 'qr.content_fixed');
    for (const path of ['targets', 'stats'])
      expect((await qr.codes.get(`/${printed.id}/${path}`)).body.code).toBe('qr.not_dynamic');
  });

  it('is created once for one idempotency key', async () => {
    const send = (name: string) =>
      qr.codes.post('', { name, url: target }, { headers: { 'idempotency-key': '"qr-1"' } });
    const [first, again, other] = [await send('Once'), await send('Once'), await send('Twice')];
    expect(again.body.id).toBe(first.body.id);
    expect(other.status).toBe(422);
  });
});

describe('the site of a code', () => {
  it('counts its scans even where events can’t register a site', async () => {
    const env = { BASE_URL: 'https://svc.example', SITE_REGISTRATION: 'closed' };
    const closed = await freshApp({ env });
    try {
      const client = qrClient(closed);
      const { id, code } = await client.create({ site_id: 'shop.example' });
      expect(await client.leadsTo(code)).toBe(target);
      await closed.applied();
      expect((await client.show(id)).scans).toBe(1);
      const event = { event: 'pageview', url: '/', site_id: 'unknown.example' };
      expect((await client.client.post('/analytics/track/', event)).status).toBe(422);
    } finally {
      await closed.close();
    }
  });
});

describe('the list of codes', () => {
  it('finds codes by text, type, campaign and site, and refuses other filters', async () => {
    const { id } = await qr.create({ name: 'Ångström', utm_campaign: 'physics', site_id: 'lab' });
    const find = async (query: string) =>
      (await qr.codes.get<Codes>(`?${query}`)).body.data.map((one) => one.id);
    for (const query of ['q=%C3%A5ngstr', 'q=PHYSICS', 'utm_campaign=physics', 'site_id=lab'])
      expect(await find(query)).toEqual([id]);
    expect(await find('utm_campaign=physics&type=wifi')).toEqual([]);
    expect(await qr.codes.get('?campaign=physics')).toMatchObject({ status: 422 });
  });

  it('is a CSV file, in which no cell is a formula', async () => {
    await qr.create({ name: '=HYPERLINK("http://evil.example")' });
    const { text, status } = await qr.codes.get('/export');
    expect(status).toBe(200);
    expect(text).not.toMatch(/(?:^|,)"?=HYPERLINK/m);
    expect(text.split('\r\n', 1)[0]).not.toMatch(/(?<!has_)password|rules|style/);
  });
});

describe('the audit log', () => {
  it('has every change of a code, without targets and passwords', async () => {
    const { id } = await qr.create({ password: 'open sesame' });
    await qr.codes.patch(`/${id}`, { url: 'https://example.com/secret-launch' });
    await qr.codes.post(`/${id}/restore`);
    await qr.codes.delete(`/${id}`);
    const entries = await app.stores.db
      .selectFrom('audit_events')
      .selectAll()
      .where('target_id', '=', id)
      .orderBy('id')
      .execute();
    const actions = entries.map(({ action }) => action.replace('qr.code_', ''));
    expect(actions).toEqual(['created', 'changed', 'changed', 'deleted']);
    expect(JSON.stringify(entries)).not.toMatch(/secret-launch|sesame/);
  });
});
