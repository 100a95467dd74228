import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, freshApp, type FreshApp } from '../../support/app.ts';
import { codesPath, createQrTests, target } from './support.ts';

let app: FreshApp;
const { request, call, create, get } = createQrTests(() => app);
beforeAll(async () => {
  app = await freshApp({ env: { BASE_URL: 'https://svc.example' }, isEmbedded: true });
}, 60_000);
afterAll(() => app.close());

/** The status, and the code or the places of what is wrong. */
const refusal = async (body: object) => {
  const answer = await call('POST', '', { name: 'Spring', ...body });
  const { detail, code } = answer.json();
  const reason = Array.isArray(detail) ? detail.map(({ loc }) => loc.join('.')).join() : code;
  return [answer.statusCode, reason];
};

describe('a target', () => {
  it.each([
    'javascript:alert(1)',
    'data:text/html,hello',
    'https://user:secret@example.com/',
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://[::1]/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://localhost:3000/',
    'http://printer.local/',
    'https://svc.example/q/abc',
    'https://svc.example/%71/abc',
    'https://svc.example/n/abc',
    '/relative',
    'https://example.com/\u0000',
    'not a url',
  ])('must not be %s', async (url) => {
    expect(await refusal({ url })).toEqual([422, 'body.url']);
    expect(await refusal({ url: target, expired_url: url })).toEqual([422, 'body.expired_url']);
    const rules = [{ device: 'ios', url }];
    expect(await refusal({ url: target, rules })).toEqual([422, 'body.rules.0.url']);
    const { id } = await create();
    expect((await call('PATCH', `/${id}`, { url })).statusCode).toBe(422);
    expect((await get(id)).url).toBe(target);
  });

  it('may be another page of the service', async () => {
    expect((await create({ url: 'https://svc.example/waitlist' })).url).toContain('/waitlist');
  });
});

describe('a new code', () => {
  it('needs a URL or a content, not both', async () => {
    const content = { type: 'text', text: 'Hello' };
    expect(await refusal({})).toEqual([422, 'body.url']);
    expect(await refusal({ url: target, content })).toEqual([422, 'body.url']);
    expect(await refusal({ content: { type: 'url', url: target } })).toEqual([
      422,
      'body.content.type',
    ]);
    expect(await refusal({ url: target, extra: 1 })).toEqual([422, 'body.extra']);
    expect(await refusal({ url: target, rules: [{ url: target }] })).toEqual([422, 'body.rules.0']);
    expect(await refusal({ url: target, site_id: '..' })).toEqual([422, 'body.site_id']);
  });

  it('can have a short link of its own, which nobody else gets', async () => {
    expect((await create({ code: 'own-link' })).short_url).toBe('https://svc.example/q/own-link');
    expect(await refusal({ url: target, code: 'own-link' })).toEqual([409, 'qr.code_taken']);
    for (const code of ['A', 'ab', '-abc', 'a/b', 'ä-ö', 'a'.repeat(65)])
      expect(await refusal({ url: target, code })).toEqual([422, 'body.code']);
  });

  it('with a fixed content is static: no short link, no scans, no conditions', async () => {
    const text = { content: { type: 'text', text: 'Hello' } };
    const created = await create({ ...text, url: undefined });
    expect(created).toMatchObject({ type: 'text', short_url: null, text: 'Hello', scans: null });
    const fixed = await create({ dynamic: false, utm_campaign: 'print' });
    expect(fixed).toMatchObject({ text: `${target}?utm_campaign=print`, short_url: null });
    expect((await request({ url: `/q/${fixed.code}` })).statusCode).toBe(404);
    expect(await refusal({ ...text, scan_limit: 3 })).toEqual([422, 'body.scan_limit']);
    expect(await refusal({ url: target, dynamic: false, password: 'open' })).toEqual([
      422,
      'body.password',
    ]);
    const change = await call('PATCH', `/${fixed.id}`, { url: 'https://example.com/other' });
    expect({ status: change.statusCode, code: change.json().code }).toEqual({
      status: 409,
      code: 'qr.content_fixed',
    });
    for (const path of ['targets', 'stats'])
      expect((await call('GET', `/${fixed.id}/${path}`)).json().code).toBe('qr.not_dynamic');
  });

  it('is created once for one idempotency key', async () => {
    const send = (name: string) =>
      request({
        method: 'POST',
        url: codesPath,
        headers: { ...asAdmin, 'idempotency-key': '"qr-1"' },
        payload: { name, url: target },
      });
    const [first, again, other] = [await send('Once'), await send('Once'), await send('Twice')];
    expect(again.json().id).toBe(first.json().id);
    expect(other.statusCode).toBe(422);
  });
});

describe('the site of a code', () => {
  it('counts its scans even where events can’t register a site', async () => {
    const closed = await freshApp({
      env: { BASE_URL: 'https://svc.example', SITE_REGISTRATION: 'closed' },
    });
    try {
      const client = createQrTests(() => closed);
      const { id, code } = await client.create({ site_id: 'shop.example' });
      expect((await client.scan(code)).headers.location).toBe(target);
      await closed.applied();
      expect((await client.get(id)).scans).toBe(1);
      const track = { event: 'pageview', url: '/', site_id: 'unknown.example' };
      const refused = await closed.http.inject({
        method: 'POST',
        url: '/analytics/track/',
        payload: track,
      });
      expect(refused.statusCode).toBe(422);
    } finally {
      await closed.close();
    }
  });
});

describe('the list', () => {
  it('finds codes by text, type, campaign and site, and refuses other filters', async () => {
    const { id } = await create({ name: 'Ångström', utm_campaign: 'physics', site_id: 'lab' });
    const find = async (query: string) =>
      (await call('GET', `?${query}`)).json().data.map((one) => one.id);
    for (const query of ['q=%C3%A5ngstr', 'q=PHYSICS', 'utm_campaign=physics', 'site_id=lab'])
      expect(await find(query)).toEqual([id]);
    expect(await find('utm_campaign=physics&type=wifi')).toEqual([]);
    expect((await call('GET', '?campaign=physics')).statusCode).toBe(422);
  });

  it('is a CSV file, in which no cell is a formula', async () => {
    await create({ name: '=HYPERLINK("http://evil.example")' });
    const { body, statusCode } = await call('GET', '/export');
    expect(statusCode).toBe(200);
    expect(body).not.toMatch(/(?:^|,)"?=HYPERLINK/m);
    expect(body.split('\r\n', 1)[0]).not.toMatch(/(?<!has_)password|rules|style/);
  });
});

describe('the audit log', () => {
  it('has every change, without targets and passwords', async () => {
    const { id } = await create({ password: 'open sesame' });
    await call('PATCH', `/${id}`, { url: 'https://example.com/secret-launch' });
    await call('POST', `/${id}/restore`);
    await call('DELETE', `/${id}`);
    const entries = await app.stores.db
      .selectFrom('audit_events')
      .selectAll()
      .where('target_id', '=', id)
      .orderBy('id')
      .execute();
    expect(entries.map(({ action }) => action)).toEqual([
      'qr.code_created',
      'qr.code_changed',
      'qr.code_changed',
      'qr.code_deleted',
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/secret-launch|sesame/);
  });
});
