import { describe, expect, it } from 'vitest';
import { useSharedAnalytics, newSite, track, view } from '../support.ts';

const analytics = await useSharedAnalytics();
const urls = [
  'https://www.shop.example/danke-für-kauf',
  '/order complete',
  '/x%C3%BC',
  '/%7euser',
  '/a|b',
  '/%FF',
];
const referrer = 'https://forum.example/grüße';

const site = newSite();
await analytics.registerSite(site);
await analytics.fill(
  ...urls.map((url, at) => view(site, { url, referrer, user_id: `u${at}`, session_id: `s${at}` })),
);

const pageviews = async (filter: string): Promise<number> => {
  const { body } = await analytics.admin.get<{ totals: { pageviews: number } }>(
    `/analytics/dashboard/?period=24h&limit=1&site_id=${site}&filter=${encodeURIComponent(filter)}`,
  );
  return body.totals.pageviews;
};

describe('a path that is typed as people read it', () => {
  const whole = [
    '/danke-für-kauf',
    'https://shop.example/danke-für-kauf?utm_source=x',
    '/order complete',
    '/x%c3%bc',
    '/%7Euser',
    String.raw`/a\|b`,
    '/%ff',
  ];

  it.each(whole)('finds its page in a filter: %s', async (path) => {
    expect(await pageviews(`page:is:/none|${path}`)).toBe(1);
  });

  it('finds its page as the first and as the last one, and leaves it out', async () => {
    for (const dimension of ['page', 'entry_page', 'exit_page']) {
      expect(await pageviews(`${dimension}:is:/danke-für-kauf`)).toBe(1);
      expect(await pageviews(`${dimension}:is_not:/danke-für-kauf`)).toBe(urls.length - 1);
      expect(await pageviews(`${dimension}:contains:für`)).toBe(1);
      expect(await pageviews(`${dimension}:contains_not:für`)).toBe(urls.length - 1);
      expect(await pageviews(`${dimension}:matches_not:f.r`)).toBe(urls.length - 1);
    }
  });

  it.each([
    ['für', 1],
    ['FÜR', 1],
    ['%c3', 2],
    ['%7EUSER', 1],
    ['https://shop.example/danke-für', 1],
    ['für|xü', 2],
    ['%25', 0],
  ])('finds pages that contain a part of it: %s', async (part, found) => {
    expect(await pageviews(`page:contains:${part}`)).toBe(found);
  });

  it.each([
    ['^/danke-f.r-', 1],
    ['[äöü]', 2],
    ['f%c3%bcr', 1],
    [String.raw`^/order\scomplete$`, 1],
    ['^/danke-f..r-', 0],
  ])('finds pages that match a regular expression: %s', async (pattern, found) => {
    expect(await pageviews(`page:matches:${pattern}`)).toBe(found);
  });

  it('refuses an invalid regular expression only when it is read', async () => {
    const filter = encodeURIComponent('page:matches:[%c3%bc-a]');
    expect(
      await analytics.admin.get(`/analytics/dashboard/?site_id=${site}&filter=${filter}`),
    ).toBeProblem(400, 'analytics.bad_pattern');
  });

  it('finds referrers and host names, which are typed in the same way', async () => {
    expect(await pageviews(`referrer:is:${referrer}`)).toBe(urls.length);
    expect(await pageviews('referrer:is:forum.example/grüße')).toBe(urls.length);
    expect(await pageviews('referrer:contains:GRÜSSE|grüß')).toBe(urls.length);
    expect(await pageviews('hostname:is:https://WWW.Shop.example/')).toBe(1);
    expect(await pageviews('hostname:is:other.example')).toBe(0);
  });

  it('counts as a goal and as a step of a funnel, also in a pattern or a filter', async () => {
    const values = [
      '/danke-für-kauf',
      '/order complete',
      '/danke-f%c3%bcr-*',
      '*ü*',
      '/a|b',
      'https://www.shop.example/danke-für-kauf',
    ];
    for (const value of values) {
      const goal = { name: value, kind: 'page', value };
      expect(await analytics.admin.post(`/analytics/sites/${site}/goals`, goal)).toMatchObject({
        status: 201,
        body: { value },
      });
    }
    const { body } = await analytics.admin.get<{ data: { name: string; events: number }[] }>(
      `/analytics/goals?period=24h&site_id=${site}`,
    );
    expect(body.data.map(({ name, events }) => [name, events])).toEqual(
      values.map((value) => [value, value === '*ü*' ? 2 : 1]),
    );
    const steps = [
      { kind: 'page', value: '/danke-für-kauf', filters: ['page:contains:für'] },
      { kind: 'page', value: '/order complete' },
    ];
    const funnel = await analytics.admin.post(`/analytics/sites/${site}/funnels`, {
      name: 'f',
      steps,
    });
    expect(funnel).toMatchObject({ status: 201 });
    const report = await analytics.admin.get(
      `/analytics/funnels/${String(funnel.body.id)}?period=24h`,
    );
    expect(report.body).toMatchObject({ steps: [{ entered: 1 }, { entered: 0 }] });
  });

  it('selects events of an export', async () => {
    const { text } = await analytics.admin.post('/analytics/export/events/', {
      site_id: site,
      filter: 'page:is:/danke-für-kauf',
      columns: ['pathname'],
    });
    expect(text.trim().split('\n')).toHaveLength(1);
    expect(text).toContain('/danke-f%C3%BCr-kauf');
  });

  it('shields its page, however the path and the event are written', async () => {
    const shielded = await analytics.registerSite();
    const pages = ['/prüfung/*', '/order complete', 'https://a.example/x%c3%bc', '/%7euser'];
    expect(
      await analytics.admin.patch(`/analytics/sites/${shielded}`, { shields: { pages } }),
    ).toMatchObject({ status: 200, body: { settings: { shields: { pages } } } });
    for (const url of ['/pr%C3%BCfung/1', '/order%20complete', 'https://b.example/xü', '/~user'])
      expect(await analytics.tracker.post(track, view(shielded, { url }))).toMatchObject({
        status: 422,
        body: { detail: [{ ctx: { code: 'shielded_page' } }] },
      });
    for (const url of ['/prufung/1', '/order', '/x', '/user'])
      expect(await analytics.tracker.post(track, view(shielded, { url }))).toMatchObject({
        status: 200,
      });
    expect(
      await analytics.admin.patch(`/analytics/sites/${shielded}`, { shields: { pages: ['x'] } }),
    ).toBeInvalid('body.shields.pages.0');
  });
});
