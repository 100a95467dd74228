import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { asAdmin } from '../../../support/app.ts';
import { batch, type IngestClient, newSite, openIngest, track } from './ingest-client.ts';

let client: IngestClient;
let reader: { authorization: string };
let writer: { authorization: string };
beforeAll(async () => {
  client = await openIngest({ env: { SITE_REGISTRATION: 'closed' }, isEmbedded: true });
  [reader, writer] = [
    await client.keyWith('analytics:read'),
    await client.keyWith('analytics:write'),
  ];
});
afterAll(() => client.close());

const register = (name: string, headers: Record<string, string> = asAdmin) =>
  client.ask('POST', '/analytics/sites', headers, { site_id: name });
const patch = (name: string, body: object, headers: Record<string, string> = asAdmin) =>
  client.ask('PATCH', `/analytics/sites/${name}`, headers, body);
const show = (name: string, headers: Record<string, string> = asAdmin) =>
  client.ask('GET', `/analytics/sites/${name}/`, headers);
const auditEntries = async (name: string) =>
  (
    (await client.ask('GET', `/api/v1/audit?action=analytics.*&target_id=${name}`, asAdmin)).body
      .data as { action: string; details: object }[]
  ).map(({ action, details }) => ({ action, details }));
async function registerSite(settings: object = {}): Promise<string> {
  const name = newSite();
  await register(name);
  if (Object.keys(settings).length > 0) expect((await patch(name, settings)).status).toBe(200);
  return name;
}
const view = (name: string, url: string, more: object = {}) => ({
  event: 'pageview',
  url,
  site_id: name,
  ...more,
});
async function codes(
  name: string,
  urls: string[],
  headers: Record<string, string> = {},
  more: object = {},
): Promise<(string | undefined)[]> {
  const { rejected } = await client.store(
    batch,
    { events: urls.map((url) => view(name, url, more)) },
    headers,
  );
  return urls.map((_, at) => rejected.find(({ index }) => index === at)?.code);
}
const defaults = {
  honour_gpc: true,
  honour_dnt: false,
  hosts: [],
  shields: { ips: [], countries: [], pages: [] },
  retention_days: null,
};

describe('POST /analytics/sites', () => {
  it('registers a site although unknown ones are refused: 201, then 200 unchanged', async () => {
    const name = newSite();
    expect(await client.store(batch, { events: [view(name, '/')] })).toMatchObject({
      accepted: 0,
      rejected: [{ code: 'unknown_site' }],
    });
    const made = await register(name);
    expect({ status: made.status, body: made.body }).toEqual({
      status: 201,
      body: {
        site_id: name,
        created_at: expect.any(String) as string,
        closed: false,
        settings: defaults,
      },
    });
    expect(await client.store(track, view(name, '/'))).toMatchObject({ accepted: 1 });
    await patch(name, { honour_dnt: true });
    const again = await register(name);
    expect({ status: again.status, settings: again.body.settings }).toEqual({
      status: 200,
      settings: { ...defaults, honour_dnt: true },
    });
    expect((await auditEntries(name)).map(({ action }) => action)).toEqual([
      'analytics.site_changed',
      'analytics.site_registered',
    ]);
  });

  it.each([
    [{}],
    [{ site_id: '' }],
    [{ site_id: ' ' }],
    [{ site_id: 'x'.repeat(65) }],
    [{ site_id: 'a\u0000b' }],
    [{ site_id: 'a\nb' }],
    [{ site_id: 7 }],
    [{ site_id: 'x', closed: true }],
  ])('422 for %j', async (body) => {
    expect((await client.ask('POST', '/analytics/sites', asAdmin, body)).status).toBe(422);
  });
});

describe('the settings of a site', () => {
  it('can be read with a key that may read figures, and changed by admins only', async () => {
    const name = await registerSite();
    expect((await show(name, reader)).body).toMatchObject({ site_id: name, settings: defaults });
    const refused = [
      await patch(name, { closed: true }, reader),
      await patch(name, { closed: true }, writer),
      await register(newSite(), reader),
      await show(name, writer),
      await patch(name, { closed: true }, {}),
      await show(name, {}),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
      ...Array.from({ length: 4 }, () => [403, 'request.forbidden']),
      [401, 'request.unauthenticated'],
      [401, 'request.unauthenticated'],
    ]);
    expect((await show(name)).body).toMatchObject({ closed: false, settings: defaults });
    expect(await auditEntries(name)).toHaveLength(1);
  });

  it('keep what a change omits; the audit log names the changes but no address', async () => {
    const name = await registerSite({
      shields: { ips: ['203.0.113.0/24', '203.0.113.0/24'], countries: ['US'] },
      retention_days: 400,
    });
    const { status, body } = await patch(name, {
      hosts: ['Example.COM', '*.Bücher.example', 'example.com'],
      shields: { ips: ['2001:db8::/32'] },
      honour_gpc: true,
    });
    expect({ status, settings: body.settings }).toEqual({
      status: 200,
      settings: {
        ...defaults,
        hosts: ['example.com', '*.xn--bcher-kva.example'],
        shields: { ips: ['2001:db8::/32'], countries: ['US'], pages: [] },
        retention_days: 400,
      },
    });
    const [change] = await auditEntries(name);
    expect(change).toEqual({
      action: 'analytics.site_changed',
      details: {
        hosts: { added: ['example.com', '*.xn--bcher-kva.example'], removed: [] },
        'shields.ips': { added: 1, removed: 1 },
      },
    });
    expect((await patch(name, {})).body).toEqual(body);
    expect(await auditEntries(name)).toHaveLength(3);
    expect((await patch(name, { retention_days: null })).body.settings).toMatchObject({
      retention_days: null,
    });
  });

  it.each([
    ['an unknown setting', { honor_gpc: true }],
    ['a string for a boolean', { closed: 'yes' }],
    ['a retention that is too short', { retention_days: 29 }],
    ['a retention that is too long', { retention_days: 3651 }],
    ['half a day', { retention_days: 30.5 }],
    ['a host with a port', { hosts: ['example.com:80'] }],
    ['a URL', { hosts: ['https://example.com'] }],
    ['a lone wildcard', { hosts: ['*'] }],
    ['a wildcard in the middle', { hosts: ['a.*.example'] }],
    ['NUL in a host', { hosts: ['a\u0000b'] }],
    ['51 hosts', { hosts: Array.from({ length: 51 }, (_, at) => `h${at}.example`) }],
    ['an invalid address', { shields: { ips: ['example.com'] } }],
    ['a prefix that is too long', { shields: { ips: ['203.0.113.0/33'] } }],
    [
      '101 addresses',
      { shields: { ips: Array.from({ length: 101 }, (_, at) => `203.0.113.${at}`) } },
    ],
    ['a country in lower case', { shields: { countries: ['de'] } }],
    ['251 countries', { shields: { countries: Array.from({ length: 251 }, () => 'DE') } }],
    ['a page without a slash', { shields: { pages: ['admin'] } }],
    ['NUL in a page', { shields: { pages: ['/a\u0000'] } }],
    ['101 pages', { shields: { pages: Array.from({ length: 101 }, (_, at) => `/${at}`) } }],
    ['an unknown shield', { shields: { hosts: [] } }],
  ])('422 for %s', async (_, body) => {
    const name = await registerSite();
    expect((await patch(name, body)).status).toBe(422);
    expect((await show(name)).body).toMatchObject({ closed: false, settings: defaults });
  });

  it('404 for an unknown site, which the request does not register; 422 for a bad id', async () => {
    const name = newSite();
    for (const answer of [await show(name), await patch(name, { closed: true })])
      expect({ status: answer.status, code: answer.body.code }).toEqual({
        status: 404,
        code: 'analytics.site_unknown',
      });
    expect((await show('a%00b')).status).toBe(422);
    expect((await client.ask('GET', '/analytics/sites', asAdmin)).text).not.toContain(name);
  });
});

it('a site id that no path can hold is never registered, and its events are refused', async () => {
  const siteIds = async (): Promise<string[]> => {
    const { data } = (await client.ask('GET', '/analytics/sites', reader)).body;
    return (data as { site_id: string }[]).map(({ site_id: id }) => id);
  };
  await registerSite();
  const before = await siteIds();
  expect(before.length).toBeGreaterThan(0);
  for (const name of ['.', '..', ' .. ']) {
    expect(await codes(name, ['/'])).not.toEqual([undefined]);
    const single = await client.ask('POST', track, {}, view(name, '/'));
    expect({ name, status: single.status, detail: single.body.detail }).toMatchObject({
      name,
      status: 422,
      detail: [{ loc: ['body', 'site_id'] }],
    });
    expect((await register(name)).status).toBe(422);
  }
  expect(await siteIds()).toEqual(before);
});

describe('events of a site', () => {
  it('of other hosts and subdomains are refused and counted; paths have no host', async () => {
    const name = await registerSite({ hosts: ['example.com', '*.example.org'] });
    const urls = [
      'https://example.com/a',
      'https://EXAMPLE.com:8443/a',
      '/a',
      'https://a.b.example.org/',
      'https://www.example.com/',
      'https://example.org/',
      'https://badexample.com/',
      'https://example.com.evil.example/',
      'https://evilexample.org/',
    ];
    const expected = [
      undefined,
      undefined,
      undefined,
      undefined,
      ...Array.from({ length: 5 }, () => 'host_not_allowed'),
    ];
    expect(await codes(name, urls)).toEqual(expected);
    expect(await codes(name, urls, writer)).toEqual(expected);
    const single = await client.ask('POST', track, {}, view(name, 'https://example.org/'));
    expect({ status: single.status, detail: single.body.detail }).toMatchObject({
      status: 422,
      detail: [{ loc: ['body', 'url'], ctx: { code: 'host_not_allowed' } }],
    });
    const pixel = await client.ask(
      'GET',
      `/analytics/pixel.gif?site=${name}&page=https://example.org/`,
    );
    expect({ status: pixel.status, 'x-svc-reason': pixel.headers['x-svc-reason'] }).toEqual({
      status: 200,
      'x-svc-reason': 'host_not_allowed',
    });
    expect((await client.figures(name)).left_out).toMatchObject({
      dropped: { host_not_allowed: 12 },
    });
    expect(await client.rows(name)).toHaveLength(8);
  });

  it('of shielded pages are refused, even with a key; * matches any text', async () => {
    const name = await registerSite({ shields: { pages: ['/admin', '/a*b*c', '*.pdf', '/x**y'] } });
    const urls = [
      '/admin',
      '/admin/',
      '/abc',
      '/a/b/c',
      '/a1bc',
      '/acb',
      '/ab',
      '/f/x.pdf',
      '/f/x.pdf/',
      '/xy',
      '/x-y',
      '/y',
      '/aXbYbZc',
    ];
    const expected = urls.map((url) =>
      ['/admin', '/abc', '/a/b/c', '/a1bc', '/f/x.pdf', '/xy', '/x-y', '/aXbYbZc'].includes(url)
        ? 'shielded_page'
        : undefined,
    );
    expect({ first: await codes(name, urls), second: await codes(name, urls, writer) }).toEqual({
      first: expected,
      second: expected,
    });
    const began = performance.now();
    expect(
      await codes(await registerSite({ shields: { pages: [`/${'*a'.repeat(240)}*b`] } }), [
        `/${'a'.repeat(2000)}`,
      ]),
    ).toEqual([undefined]);
    expect(performance.now() - began).toBeLessThan(2000);
  });

  it('from shielded addresses are refused, but not with a key', async () => {
    const addresses = await registerSite({ shields: { ips: ['127.0.0.0/8', '::1'] } });
    expect(await codes(addresses, ['/'])).toEqual(['shielded_ip']);
    expect(await codes(addresses, ['/'], writer, { ip: '127.0.0.9' })).toEqual([undefined]);
    const { body } = await client.ask(
      'POST',
      batch,
      { 'content-type': 'application/json' },
      { events: [view(addresses, '/', { id: '0198f7f0-0000-7000-8000-000000000001' })] },
    );
    expect(body).toMatchObject({
      accepted: 0,
      rejected: [{ index: 0, id: '0198f7f0-0000-7000-8000-000000000001', code: 'shielded_ip' }],
    });
    expect((await client.figures(addresses)).left_out).toMatchObject({
      dropped: { shielded_ip: 2 },
    });
    const countries = await registerSite({ shields: { countries: ['DE'] } });
    expect(await codes(countries, ['/'])).toEqual([undefined]);
    expect(await codes(countries, ['/'], writer, { country: 'DE' })).toEqual([undefined]);
  });

  it('that is closed are refused, even with a key, until it is reopened', async () => {
    const name = await registerSite();
    await client.store(track, view(name, '/'), writer);
    await patch(name, { closed: true });
    expect({ first: await codes(name, ['/']), second: await codes(name, ['/'], writer) }).toEqual({
      first: ['site_closed'],
      second: ['site_closed'],
    });
    const figures = await client.figures(name);
    expect(figures).toMatchObject({
      totals: { pageviews: 1 },
      left_out: { dropped: { site_closed: 2 } },
    });
    expect((await client.ask('GET', '/analytics/sites', asAdmin)).text).toContain(name);
    await patch(name, { closed: false });
    expect(await codes(name, ['/'])).toEqual([undefined]);
    expect((await auditEntries(name))[0]).toEqual({
      action: 'analytics.site_changed',
      details: { closed: { from: true, to: false } },
    });
  });

  it('follow settings that another replica changed, once it announces them', async () => {
    const name = await registerSite();
    await client.app.stores.db
      .updateTable('sites')
      .set({ settings: JSON.stringify({ hosts: ['example.com'] }) })
      .where('site_id', '=', name)
      .execute();
    expect(await codes(name, ['https://example.org/'])).toEqual([undefined]);
    client.app.services.bus.signal('site_changed', name);
    await vi.waitFor(
      async () => expect(await codes(name, ['https://example.org/'])).toEqual(['host_not_allowed']),
      { timeout: 10_000 },
    );
  });
});
