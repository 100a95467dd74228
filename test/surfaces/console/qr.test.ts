import { describe, expect } from 'vitest';
import { type Codes, qrClient, target } from '../../areas/qr/support.ts';
import { fromElsewhere } from '../../support/responses.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { faultsOf, home, origin, personOf, unknownId } from './pages.ts';

const app = await sharedApp('console');
const qr = qrClient(app);
const admin = await personOf(app, 'ada@example.com', ['admin']);
const viewer = await personOf(app, 'vic@example.com', ['viewer']);

const created = async (values: Record<string, string>) => {
  const { status, headers, text } = await admin.form('qr/new', values);
  expect({ status, text }).toEqual({ status: 303, text: '' });
  return qr.show(/qr\/([\da-f-]{36})\?done=created$/.exec(String(headers.location))?.[1] ?? '');
};
const count = async () =>
  (await app.stores.db.selectFrom('qr_codes').select('id').execute()).length;
const wifi = { type: 'wifi', 'wifi.ssid': 'Guests', 'wifi.auth': 'WPA' };

describe('a new QR code in the console', () => {
  it('leads to an address that was typed without its scheme, and is named after it', async () => {
    const code = await created({ type: 'url', url: 'cafe.example/menu', code: 'menu-1' });
    expect(code).toMatchObject({
      name: 'cafe.example/menu',
      url: 'https://cafe.example/menu',
      code: 'menu-1',
      dynamic: true,
    });
  });

  it('contains a Wi-Fi, a contact, an email, an SMS, a place, an event or a text', async () => {
    for (const [values, text, name] of [
      [{ ...wifi, 'wifi.password': 'welcome 42' }, 'WIFI:T:WPA;S:Guests;', 'Wi-Fi Guests'],
      [
        { type: 'vcard', 'vcard.first_name': 'Ada', 'vcard.phone': '+44 20 7946 0000' },
        'FN:Ada',
        'Ada',
      ],
      [{ type: 'email', 'email.to': 'hello@example.com' }, 'mailto:', 'Email to hello@example.com'],
      [{ type: 'sms', 'sms.number': '+44 20 7946 0000' }, 'SMSTO:+4420', 'SMS to +44 20 7946 0000'],
      [
        { type: 'geo', 'geo.latitude': '51,5', 'geo.longitude': '-0.12' },
        'geo:51.5,',
        'Location 51.5, -0.12',
      ],
      [
        { type: 'event', 'event.title': 'Party', 'event.starts_at': '2026-07-01T18:00' },
        'DTSTART:20260701T180000Z',
        'Party',
      ],
      [{ type: 'text', 'text.text': 'Table 12' }, 'Table 12', 'Table 12'],
    ] as const) {
      const code = await created({ ...values, 'style.color': '#1d4ed8' });
      expect(code.text).toContain(text);
      expect(code).toMatchObject({ name, dynamic: false, style: { foreground: '#1d4ed8' } });
      const page = await admin.page(`qr/${code.id}`);
      expect(await faultsOf(page.text)).toEqual([]);
      expect(page.text).not.toMatch(/\{&quot;|&quot;type&quot;/);
    }
  });

  it('takes schedule, limit, campaign, rules and password along', async () => {
    const code = await created({
      type: 'url',
      url: target,
      starts_at: '2026-12-24T08:00',
      scan_limit: '20',
      expired_url: 'example.com/over',
      utm_campaign: 'summer',
      password: 'open sesame',
      'rules.0.country': 'germany',
      'rules.0.language': 'pt-br',
      'rules.0.url': 'example.com/de',
      'rules.1.device': 'ios',
      'rules.1.url': 'example.com/ios',
      forward_query: 'true',
    });
    expect(code).toMatchObject({
      starts_at: '2026-12-24T08:00:00.000Z',
      scan_limit: 20,
      expired_url: 'https://example.com/over',
      utm_campaign: 'summer',
      has_password: true,
      rules: [
        { country: 'DE', language: 'pt-br', url: 'https://example.com/de' },
        { device: 'ios', url: 'https://example.com/ios' },
      ],
    });
  });

  it.each([
    ['no address', { type: 'url' }, 'url', 'Enter a full address'],
    [
      'a private address',
      { type: 'url', url: 'http://10.0.0.1/' },
      'url',
      'on the public internet',
    ],
    ['a script', { type: 'url', url: 'javascript:alert(1)' }, 'url', 'https:// or http://'],
    ['a short Wi-Fi password', { ...wifi, 'wifi.password': 'x' }, 'wifi.password', '8 to 63'],
    ['no network', { type: 'wifi', 'wifi.auth': 'nopass' }, 'wifi.ssid', 'Enter the network name'],
    ['nobody', { type: 'vcard' }, 'vcard.first_name', 'first name, last name or company'],
    [
      'an end before its start',
      { type: 'url', url: target, starts_at: '2026-02-02T00:00', expires_at: '2026-01-01T00:00' },
      'expires_at',
      'after the start',
    ],
    [
      'a rule for nowhere',
      { type: 'url', url: target, 'rules.0.country': 'Atlantis', 'rules.0.url': target },
      'rules.0.country',
      'from the list',
    ],
    ['a bad short link', { type: 'url', url: target, code: '-x' }, 'code', '3 to 64 letters'],
  ])(
    'with %s is refused at the field, and nothing is stored',
    async (_case, values, name, text) => {
      const before = await count();
      const refused = await admin.form('qr/new', values, {
        headers: { accept: 'text/html', referer: `${origin}${home}qr/new` },
      });
      expect(refused.status).toBe(422);
      expect(refused.text).not.toContain('<script>alert');
      expect(refused.text).toContain(text);
      const field = new RegExp(
        `<(?:input|select|textarea)[^>]*name="${name}"[^>]*aria-invalid="true"`,
      );
      expect(refused.text).toMatch(field);
      expect(await count()).toBe(before);
    },
  );
});

describe('the preview of a QR code', () => {
  const preview = (values: Record<string, string>, headers: Record<string, string> = {}) =>
    admin.form('qr/preview', values, {
      headers: { accept: '*/*', 'sec-fetch-mode': 'cors', ...headers },
    });

  it('draws what the form says, says whether it reads well, and stores nothing', async () => {
    const before = await count();
    const good = await preview({ type: 'url', url: 'cafe.example/menu' });
    expect(good.status).toBe(200);
    expect(good.text).toContain('src="data:image/svg+xml;base64,');
    expect(good.text).toContain('Easy to scan · contrast 21');
    expect(good.text).toContain('Leads to https://cafe.example/menu');
    const pale = await preview({
      type: 'url',
      url: target,
      'style.color': 'own',
      'style.own_color': '#ffee88',
      'style.shape': 'square',
    });
    expect(pale.text).toContain('verdict-bad');
    expect(pale.text).toContain('contrast of the foreground');
    const empty = await preview({ type: 'wifi' });
    expect(empty.text).toContain('preview-sample');
    expect(await count()).toBe(before);
  });

  it('is a page with everything that was typed where no script runs', async () => {
    const page = await admin.form(
      'qr/preview',
      { ...wifi, 'wifi.password': 'welcome 42', name: 'Lobby', 'style.color': '#be185d' },
      { headers: { accept: 'text/html' } },
    );
    expect(page.status).toBe(200);
    expect(page.text).toMatch(/name="wifi.ssid"[^>]*value="Guests"/);
    expect(page.text).toMatch(/name="name"[^>]*value="Lobby"/);
    expect(page.text).toMatch(/value="#be185d" checked/);
    expect(page.text).toContain('Easy to scan');
  });

  it('is for admins and forms of this origin', async () => {
    expect((await viewer.form('qr/preview', { type: 'url' })).status).toBe(403);
    const forged = await admin.form('qr/preview', { type: 'url' }, { headers: fromElsewhere });
    expect(forged.status).toBe(403);
  });

  it('of one person at the highest rate is refused, and keeps nobody else waiting', async () => {
    const busy = { type: 'text', 'text.text': 'x'.repeat(600), 'style.shape': 'dots' };
    const all = Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        preview({ ...busy, 'style.color': 'own', 'style.own_color': `#0000${10 + at}` }),
      ),
    );
    const { id } = await qr.create({ style: { shape: 'rounded' } });
    const startedAt = performance.now();
    expect((await admin.page(`qr/${id}/picture?format=svg`)).status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(3000);
    const answers = (await all).map(({ text }) => text.includes('can’t be drawn right now'));
    expect(answers).toContain(true);
    expect(answers).toContain(false);
  });
});

describe('the page of a QR code', () => {
  it('changes its target and takes it back, pauses and resumes', async () => {
    const { id, code } = await qr.create();
    const changed = await admin.form(`qr/${id}/target`, {
      url: 'example.com/summer',
      tab: 'scans',
    });
    expect(changed.headers.location).toBe(`${home}qr/${id}?done=target`);
    expect(await qr.leadsTo(code)).toBe('https://example.com/summer');
    const page = (await admin.page(`qr/${id}?done=target`)).text;
    expect(page).toContain(`action="${home}qr/${id}/restore"`);
    expect(page).toContain('Undo');
    await admin.form(`qr/${id}/restore`, { tab: 'scans' });
    expect(await qr.leadsTo(code)).toBe(target);
    await admin.form(`qr/${id}/active`, { active: 'false' });
    expect(await qr.leadsTo(code)).toBe(410);
    expect((await admin.page(`qr/${id}`)).text).toContain('aria-checked="false"');
    await admin.form(`qr/${id}/active`, { active: 'true' });
    expect(await qr.leadsTo(code)).toBe(target);
    const wrong = await admin.form(`qr/${id}/target`, { url: 'http://localhost/' });
    expect(wrong.status).toBe(422);
    expect(await qr.leadsTo(code)).toBe(target);
  });

  it('adds, changes, orders and deletes rules, unless they have changed since', async () => {
    const { id } = await qr.create({});
    const rule = (device: string, place: string) => ({
      'rules.0.device': device,
      'rules.0.url': `example.com/${place}`,
    });
    const ios = { device: 'ios', url: 'https://example.com/i' };
    const android = { device: 'android', url: 'https://example.com/a' };
    const wasNow = async () =>
      /name="was" value="([^"]+)"/.exec((await admin.page(`qr/${id}/targets`)).text)?.[1] ?? '';
    expect((await admin.form(`qr/${id}/rules`, { 'rules.0.url': target })).status).toBe(422);
    await admin.form(`qr/${id}/rules`, rule('ios', 'i'));
    const stale = { ...rule('ios', 'stale'), was: await wasNow() };
    await admin.form(`qr/${id}/rules`, rule('android', 'b'));
    const refused = await admin.form(`qr/${id}/rules/0`, stale);
    expect(refused).toMatchObject({ status: 422 });
    expect(refused.text).toContain('Someone has changed the rules');
    await admin.form(`qr/${id}/rules/1`, { ...rule('android', 'a'), was: await wasNow() });
    expect((await qr.show(id)).rules).toEqual([ios, android]);
    await admin.form(`qr/${id}/rules/1/up`, { was: await wasNow() });
    expect((await qr.show(id)).rules).toEqual([android, ios]);
    for (const form of ['rules/new', 'rules/1', 'name', 'labels', 'delete'])
      expect(await faultsOf((await admin.page(`qr/${id}/${form}`)).text)).toEqual([]);
    expect((await admin.page(`qr/${id}/rules/2`)).status).toBe(404);
    expect((await admin.page(`qr/${id}/targets`)).text).toContain('Everyone else');
    await admin.form(`qr/${id}/rules/0/delete`, { was: await wasNow() });
    expect((await qr.show(id)).rules).toEqual([ios]);
  });

  it('offers the countries and languages of a rule by name, and keeps one without', async () => {
    const rule = { country: 'AT', language: 'de-li', url: target };
    const { id } = await qr.create({ rules: [rule] });
    const { text } = await admin.page(`qr/${id}/rules/0`);
    expect(await faultsOf(text)).toEqual([]);
    const chosen = [...text.matchAll(/<option value="([^"]+)"[^>]* selected[^>]*>([^<]+)/g)];
    expect(chosen.map(([, code, name]) => [code, name])).toEqual([
      ['AT', 'Austria'],
      ['de-li', 'German (Liechtenstein)'],
    ]);
    expect(text).toContain('Portuguese (Brazil)');
  });

  it('saves settings, and keeps the password unless a new one is given', async () => {
    const { id } = await qr.create({ password: 'open sesame' });
    const settings = { name: 'Summer menu', utm_campaign: 'summer', forward_query: 'true' };
    await admin.form(`qr/${id}/settings`, settings);
    expect(await qr.show(id)).toMatchObject({
      name: 'Summer menu',
      utm_campaign: 'summer',
      has_password: true,
    });
    await admin.form(`qr/${id}/settings`, { ...settings, no_password: 'true' });
    expect((await qr.show(id)).has_password).toBe(false);
    for (const tab of ['', '/targets', '/style', '/settings']) {
      const page = await admin.page(`qr/${id}${tab}`);
      expect(await faultsOf(page.text)).toEqual([]);
      expect(page.text).not.toMatch(/\{&quot;|>[\da-f]{8}-[\da-f]{4}-/);
    }
    const picture = await admin.page(`qr/${id}/picture?format=png`);
    expect(picture.headers['content-disposition']).toContain('summer-menu.png');
  });

  it('is deleted after a word, and unknown afterwards', async () => {
    const { id, code } = await qr.create();
    expect((await admin.form(`qr/${id}/delete`, {})).status).toBe(422);
    expect(await qr.leadsTo(code)).toBe(target);
    expect((await admin.form(`qr/${id}/delete`, { confirm: 'delete' })).status).toBe(303);
    expect(await qr.leadsTo(code)).toBe(404);
    for (const path of [`qr/${id}`, `qr/${unknownId}/style`, `qr/${id}/picture?format=svg`])
      expect((await admin.page(path)).status).toBe(404);
  });
});

describe('the list of QR codes', () => {
  it('finds codes by any part of name, short link, target and campaign', async () => {
    const names = { name: 'Harbour sign', code: 'harbour-7', utm_campaign: 'autumn-sale' };
    await qr.create({ ...names, url: 'https://example.com/ferry' });
    await qr.create({ name: 'Other' });
    for (const text of ['rbour si', 'bour-7', 'ferry', 'umn-sa']) {
      const { headers } = await admin.form('qr/find', { text });
      const { text: page } = await admin.page(String(headers.location).slice(home.length));
      expect(page).toContain('Harbour sign');
      expect(page).not.toContain('Other');
      expect(String(headers.location)).not.toContain(text);
    }
    expect((await admin.page('qr?utm_campaign=autumn-sale')).text).not.toContain('Other');
  });

  it('pauses, resumes and deletes chosen codes, and gives their pictures', async () => {
    const codes = [await qr.create({ name: 'One' }), await qr.create({ name: 'Two' })];
    const kept = await qr.create({ name: 'Three' });
    const id = codes.map((code) => code.id);
    const query = id.map((each) => `id=${each}`).join('&');
    const paused = await admin.form('qr/pause', { id });
    const notice = (await admin.page(String(paused.headers.location).slice(home.length))).text;
    expect(notice).toContain(`action="${home}qr/resume"`);
    for (const { code } of codes) expect(await qr.leadsTo(code)).toBe(410);
    expect(await qr.leadsTo(kept.code)).toBe(target);
    await admin.form('qr/resume', { id });
    for (const { code } of codes) expect(await qr.leadsTo(code)).toBe(target);
    const zip = await admin.page(`qr/pictures?${query}`);
    expect(zip.bytes.toString('latin1').match(/(?:One|Two)-\w+\.png/g)).toHaveLength(4);
    const asked = (await admin.page(`qr/delete?${query}`)).text;
    expect(asked).toContain('Delete 2 codes');
    expect((await admin.form('qr/delete', { id })).status).toBe(422);
    expect((await admin.form('qr/pause', {})).status).toBe(422);
    expect((await qr.codes.get<Codes>('?q=One')).body.data).toHaveLength(1);
    await admin.form('qr/delete', { id, confirm: 'delete' });
    expect((await qr.codes.get<Codes>('?q=One')).body.data).toEqual([]);
    expect(await qr.leadsTo(kept.code)).toBe(target);
  });

  it('has small pictures that browsers keep, and is for admins', async () => {
    const { id } = await qr.create({ style: { shape: 'dots' } });
    const small = await admin.page(`qr/${id}/thumbnail?v=1`);
    expect(small.headers['content-type']).toBe('image/png');
    expect(small.headers['cache-control']).toContain('immutable');
    for (const path of ['qr', 'qr/new', `qr/${id}`, `qr/${id}/thumbnail`, `qr/pictures?id=${id}`])
      expect((await viewer.page(path)).status, path).toBe(403);
    for (const [path, values] of [
      ['qr/new', { type: 'url', url: target }],
      [`qr/${id}/target`, { url: 'example.com' }],
      [`qr/${id}/active`, { active: 'false' }],
      ['qr/delete', { id, confirm: 'delete' }],
    ] as const)
      expect((await viewer.form(path, values)).status, path).toBe(403);
    expect(await qr.show(id)).toMatchObject({ url: target, active: true });
  });
});
