import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { defaultSettings } from '../site-data.ts';
import {
  batch,
  expectAdminsOnly,
  expectReadersOnly,
  newSite,
  track,
  useAnalytics,
  view,
} from '../support.ts';

const analytics = await useAnalytics({ env: { SITE_REGISTRATION: 'closed' }, isEmbedded: true });
const writer = await analytics.key('analytics:write');

const register = (site: string, by = analytics.admin) =>
  by.post('/analytics/sites', { site_id: site });
const patch = (site: string, body: object, by = analytics.admin) =>
  by.patch(`/analytics/sites/${site}`, body);
const show = (site: string, by = analytics.admin) => by.get(`/analytics/sites/${site}/`);

async function siteWith(settings: object): Promise<string> {
  const site = await analytics.registerSite();
  expect(await patch(site, settings)).toMatchObject({ status: 200 });
  return site;
}

/** Sends page views. Returns why each is refused; undefined for those that are stored. */
async function refusals(
  site: string,
  urls: string[],
  by = analytics.tracker,
  more: object = {},
): Promise<(string | undefined)[]> {
  const events = urls.map((url) => view(site, { url, ...more }));
  const { rejected } = await analytics.store(batch, { events }, by);
  return urls.map((_, at) => rejected.find(({ index }) => index === at)?.code);
}

describe('a site', () => {
  it('is registered although unknown ones are refused: 201, then 200 unchanged', async () => {
    const site = newSite();
    expect(await analytics.store(batch, { events: [view(site)] })).toMatchObject({
      accepted: 0,
      rejected: [{ code: 'unknown_site' }],
    });
    expect(await analytics.tracker.post(track, view(site))).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'site_id'], ctx: { code: 'unknown_site' } }] },
    });
    expect(await analytics.pixel(`?site=${site}&page=/`)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'image/gif', 'x-svc-reason': 'unknown_site' },
    });
    expect(await analytics.admin.get(`/analytics/dashboard?site_id=${site}`)).toBeProblem(
      404,
      'analytics.site_unknown',
    );
    const made = await register(site);
    expect(made).toMatchObject({ status: 201 });
    expect(made.body).toEqual({
      site_id: site,
      created_at: expect.any(String) as string,
      closed: false,
      settings: defaultSettings,
    });
    expect(await analytics.store(track, view(site))).toMatchObject({ accepted: 1 });
    await patch(site, { honour_dnt: true });
    expect(await register(site)).toMatchObject({
      status: 200,
      body: { settings: { ...defaultSettings, honour_dnt: true } },
    });
    expect(await analytics.auditEntries(site)).toMatchObject([
      { action: 'analytics.site_changed' },
      { action: 'analytics.site_registered' },
    ]);
  });

  it('is listed with its events, for a key that may read', async () => {
    const [one, two] = [await analytics.registerSite(), await analytics.registerSite()];
    await analytics.fill(view(one), view(two), view(one));
    const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/) as string;
    for (const url of ['/analytics/sites', '/analytics/sites/']) {
      const { status, body } = await analytics.admin.get(url);
      expect(status).toBe(200);
      for (const [site, events] of Object.entries({ [one]: 2, [two]: 1 }))
        expect(body.data).toContainEqual({
          site_id: site,
          created_at: time,
          events,
          last_event_at: time,
        });
    }
    await expectReadersOnly(analytics, (by) => by.get('/analytics/sites'));
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
  ])('is not registered by %j', async (body) => {
    expect(await analytics.admin.post('/analytics/sites', body)).toMatchObject({ status: 422 });
  });

  it('whose id no path can hold is never registered, and its events are refused', async () => {
    const { admin } = analytics;
    const siteIds = async () => {
      const { body } = await admin.get<{ data: { site_id: string }[] }>('/analytics/sites');
      return body.data.map(({ site_id: id }) => id);
    };
    await analytics.registerSite();
    const before = await siteIds();
    expect(before.length).toBeGreaterThan(0);
    for (const site of ['.', '..', ' .. ']) {
      expect(await refusals(site, ['/'])).not.toEqual([undefined]);
      expect(await analytics.tracker.post(track, view(site))).toBeInvalid('body.site_id');
      expect(await register(site)).toMatchObject({ status: 422 });
    }
    expect(await siteIds()).toEqual(before);
  });
});

describe('the settings of a site', () => {
  it('can be read with a key that may read figures, and changed by admins only', async () => {
    const site = await analytics.registerSite();
    await expectAdminsOnly(
      analytics,
      (by) => patch(site, { closed: true }, by),
      (by) => register(newSite(), by),
    );
    expect(await patch(site, { closed: true }, writer)).toBeProblem(403, 'request.forbidden');
    await expectReadersOnly(analytics, (by) => show(site, by));
    expect((await show(site)).body).toMatchObject({ closed: false, settings: defaultSettings });
    expect(await analytics.auditEntries(site)).toHaveLength(1);
  });

  it('keep what a change omits; the audit log names the changes but no address', async () => {
    const site = await siteWith({
      shields: { ips: ['203.0.113.0/24', '203.0.113.0/24'], countries: ['US'] },
      retention_days: 400,
    });
    const { status, body } = await patch(site, {
      hosts: ['Example.COM', '*.Bücher.example', 'example.com'],
      shields: { ips: ['2001:db8::/32'] },
      honour_gpc: true,
    });
    const hosts = ['example.com', '*.xn--bcher-kva.example'];
    expect({ status, settings: body.settings }).toEqual({
      status: 200,
      settings: {
        ...defaultSettings,
        hosts,
        shields: { ips: ['2001:db8::/32'], countries: ['US'], pages: [] },
        retention_days: 400,
      },
    });
    expect((await analytics.auditEntries(site))[0]).toEqual({
      action: 'analytics.site_changed',
      details: { hosts: { added: hosts, removed: [] }, 'shields.ips': { added: 1, removed: 1 } },
    });
    expect((await patch(site, {})).body).toEqual(body);
    expect(await analytics.auditEntries(site)).toHaveLength(3);
    expect((await patch(site, { retention_days: null })).body.settings).toMatchObject({
      retention_days: null,
    });
  });

  const many = (length: number, item: (at: number) => string) =>
    Array.from({ length }, (_, at) => item(at));
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
    ['51 hosts', { hosts: many(51, (at) => `h${at}.example`) }],
    ['an invalid address', { shields: { ips: ['example.com'] } }],
    ['a prefix that is too long', { shields: { ips: ['203.0.113.0/33'] } }],
    ['101 addresses', { shields: { ips: many(101, (at) => `203.0.113.${at}`) } }],
    ['a country in lower case', { shields: { countries: ['de'] } }],
    ['251 countries', { shields: { countries: many(251, () => 'DE') } }],
    ['a page without a slash', { shields: { pages: ['admin'] } }],
    ['NUL in a page', { shields: { pages: ['/a\u0000'] } }],
    ['101 pages', { shields: { pages: many(101, (at) => `/${at}`) } }],
    ['an unknown shield', { shields: { hosts: [] } }],
  ])('cannot be %s', async (_, body) => {
    const site = await analytics.registerSite();
    expect(await patch(site, body)).toMatchObject({ status: 422 });
    expect((await show(site)).body).toMatchObject({ closed: false, settings: defaultSettings });
  });

  it('of an unknown site are a 404, and the requests do not register the site', async () => {
    const site = newSite();
    for (const response of [await show(site), await patch(site, { closed: true })])
      expect(response).toBeProblem(404, 'analytics.site_unknown');
    expect(await show('a%00b')).toMatchObject({ status: 422 });
    expect((await analytics.admin.get('/analytics/sites')).text).not.toContain(site);
  });
});

describe('events of a site', () => {
  it('of other hosts and subdomains are refused and counted; paths have no host', async () => {
    const site = await siteWith({ hosts: ['example.com', '*.example.org'] });
    const allowed = [
      'https://example.com/a',
      'https://EXAMPLE.com:8443/a',
      '/a',
      'https://a.b.example.org/',
    ];
    const refused = [
      'https://www.example.com/',
      'https://example.org/',
      'https://badexample.com/',
      'https://example.com.evil.example/',
      'https://evilexample.org/',
    ];
    for (const sender of [analytics.tracker, writer])
      expect(await refusals(site, [...allowed, ...refused], sender)).toEqual([
        ...allowed.map(() => undefined),
        ...refused.map(() => 'host_not_allowed'),
      ]);
    const url = 'https://example.org/';
    expect(await analytics.tracker.post(track, view(site, { url }))).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'url'], ctx: { code: 'host_not_allowed' } }] },
    });
    expect(await analytics.pixel(`?site=${site}&page=${url}`)).toMatchObject({
      status: 200,
      headers: { 'x-svc-reason': 'host_not_allowed' },
    });
    expect((await analytics.figures(site)).left_out).toMatchObject({
      dropped: { host_not_allowed: 12 },
    });
    expect(await analytics.rows(site)).toHaveLength(8);
  });

  it('of shielded pages are refused, even with a key; * matches any text', async () => {
    const site = await siteWith({ shields: { pages: ['/admin', '/a*b*c', '*.pdf', '/x**y'] } });
    const shielded = ['/admin', '/abc', '/a/b/c', '/a1bc', '/f/x.pdf', '/xy', '/x-y', '/aXbYbZc'];
    const open = ['/admin/', '/acb', '/ab', '/f/x.pdf/', '/y'];
    for (const sender of [analytics.tracker, writer])
      expect(await refusals(site, [...shielded, ...open], sender)).toEqual([
        ...shielded.map(() => 'shielded_page'),
        ...open.map(() => undefined),
      ]);
  });

  it('are compared with a costly pattern in no time', async () => {
    const site = await siteWith({ shields: { pages: [`/${'*a'.repeat(240)}*b`] } });
    const began = performance.now();
    expect(await refusals(site, [`/${'a'.repeat(2000)}`])).toEqual([undefined]);
    expect(performance.now() - began).toBeLessThan(2000);
  });

  it('from shielded addresses are refused and counted, but not with a key', async () => {
    const site = await siteWith({ shields: { ips: ['127.0.0.0/8', '::1'] } });
    expect(await refusals(site, ['/'])).toEqual(['shielded_ip']);
    expect(await refusals(site, ['/'], writer, { ip: '127.0.0.9' })).toEqual([undefined]);
    const id = randomUUID();
    expect(await analytics.store(batch, { events: [view(site, { id })] })).toMatchObject({
      accepted: 0,
      rejected: [{ index: 0, id, code: 'shielded_ip' }],
    });
    expect((await analytics.figures(site)).left_out).toMatchObject({ dropped: { shielded_ip: 2 } });
  });

  it('from shielded countries are not refused from elsewhere, or with a key', async () => {
    const site = await siteWith({ shields: { countries: ['DE'] } });
    expect(await refusals(site, ['/'])).toEqual([undefined]);
    expect(await refusals(site, ['/'], writer, { country: 'DE' })).toEqual([undefined]);
  });

  it('that is closed are refused, even with a key, until it is reopened', async () => {
    const site = await analytics.registerSite();
    await analytics.store(track, view(site), writer);
    await patch(site, { closed: true });
    for (const sender of [analytics.tracker, writer])
      expect(await refusals(site, ['/'], sender)).toEqual(['site_closed']);
    expect(await analytics.figures(site)).toMatchObject({
      totals: { pageviews: 1 },
      left_out: { dropped: { site_closed: 2 } },
    });
    expect((await analytics.admin.get('/analytics/sites')).text).toContain(site);
    await patch(site, { closed: false });
    expect(await refusals(site, ['/'])).toEqual([undefined]);
    expect((await analytics.auditEntries(site))[0]).toEqual({
      action: 'analytics.site_changed',
      details: { closed: { from: true, to: false } },
    });
  });

  it('follow settings that another replica changed, once it announces them', async () => {
    const site = await analytics.registerSite();
    const { services, stores } = analytics.app;
    await stores.db
      .updateTable('sites')
      .set({ settings: JSON.stringify({ hosts: ['example.com'] }) })
      .where('site_id', '=', site)
      .execute();
    const urls = ['https://example.org/'];
    expect(await refusals(site, urls)).toEqual([undefined]);
    services.bus.signal('site_changed', site);
    await vi.waitFor(async () => expect(await refusals(site, urls)).toEqual(['host_not_allowed']), {
      timeout: 10_000,
    });
  });
});
