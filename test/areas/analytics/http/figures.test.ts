import { describe, expect, it } from 'vitest';
import { dayMs, minuteMs } from '../../../../src/lib/durations.ts';
import { clockFromNoon } from '../../../support/clock.ts';
import { origin, personOf } from '../../../surfaces/console/pages.ts';
import { rowsIn } from '../site-data.ts';
import { batch, exportUrl, newSite, useAnalytics, view } from '../support.ts';

const clock = clockFromNoon();
const analytics = await useAnalytics({ clock, env: { DEVICE_BINDING: 'none', BASE_URL: origin } });
const [shop, blog] = [newSite(), newSite()];
const admins = await personOf(analytics.app, 'ada@example.com', ['admin']);

interface Figures {
  series: { partial: boolean }[];
  compared: { from: string; to: string };
  pages: unknown[];
  [member: string]: unknown;
}

const event = (site: string, user: string, ago: number, url: string, more: object = {}) =>
  view(site, {
    url: `https://example.org${url}`,
    user_id: user,
    timestamp: clock.now() - ago,
    ...more,
  });

async function figures(query = ''): Promise<Figures> {
  const { status, body } = await analytics.admin.get<Figures>(`/analytics/dashboard/${query}`);
  expect(status).toBe(200);
  return body;
}

describe('the dashboard without parameters', () => {
  it('requires a credential', async () => {
    expect(await analytics.tracker.get('/analytics/dashboard/')).toMatchObject({ status: 401 });
  });

  it('covers no sites, the only site, or all sites together', async () => {
    expect(await figures()).toMatchObject({
      site_id: null,
      sites: [],
      totals: { visitors: 0, events: 0 },
    });
    await analytics.fill(
      event(shop, 'ann', 2 * minuteMs, '/'),
      event(shop, 'ben', 3 * minuteMs, '/prices'),
      ...Array.from({ length: 120 }, (_, at) =>
        event(shop, 'eve', 2 * dayMs + at * minuteMs, `/page-${at}`),
      ),
      event(shop, 'bot', 2 * minuteMs, '/prices', { user_agent: 'curl/8.0' }),
    );
    const shopTotals = { visitors: 3, pageviews: 122 };
    expect(await figures()).toMatchObject({
      site_id: shop,
      totals: shopTotals,
      sites: [{ site_id: shop, ...shopTotals }],
    });
    await analytics.fill(
      event(blog, 'ann', 2 * minuteMs, '/'),
      event(blog, 'ann', minuteMs, '/', { event: 'buy' }),
    );
    const all = await figures();
    expect(all).toMatchObject({
      site_id: null,
      totals: { visitors: 4, pageviews: 123 },
      visitors_now: 3,
      pending_events: 0,
      sites: [
        { site_id: shop, ...shopTotals },
        { site_id: blog, visitors: 1, pageviews: 1, events: 2 },
      ],
    });
    expect(all.pages).toContainEqual(
      expect.objectContaining({ value: '/', visitors: 2, pageviews: 2 }),
    );
    expect(await figures(`?site_id=${blog}`)).toMatchObject({
      site_id: blog,
      totals: { visitors: 1 },
      sites: [{ site_id: blog }],
    });
  });
});

it.each([
  ['', { visitors_now: 2, left_out: { bot_events: 1 } }],
  ['&filter=page:is:/prices', { visitors_now: 1, left_out: { bot_events: 1 } }],
  ['&filter=page:is:/', { visitors_now: 1, left_out: { bot_events: 0 } }],
  ['&filter=entry_page:is:/', { visitors_now: 1, left_out: { bot_events: 0 } }],
])('the filter "%s" applies to current visitors and to excluded bots', async (query, counts) => {
  expect(await figures(`?site_id=${shop}${query}`)).toMatchObject(counts);
});

describe('a period in progress', () => {
  const partials = async (query: string) =>
    (await figures(`?site_id=${shop}&${query}`)).series.map(({ partial }) => partial);

  it('marks unfinished intervals and those that it covers in part', async () => {
    expect(await partials('period=7d')).toEqual([false, false, false, false, false, false, true]);
    expect((await partials('period=30d&interval=week')).at(-1)).toBe(true);
    const weeks = 'period=custom&interval=week';
    expect(await partials(`${weeks}&from=2026-01-05&to=2026-01-18`)).toEqual([false, false]);
    expect(await partials(`${weeks}&from=2026-01-06&to=2026-01-17`)).toEqual([true, true]);
  });

  it('is compared with the elapsed part of the previous period', async () => {
    const { compared } = await figures(`?site_id=${shop}&period=7d&compare=previous`);
    expect(Math.abs(Date.parse(compared.to) - (clock.now() - 7 * dayMs))).toBeLessThan(minuteMs);
    const past = await figures(
      `?site_id=${shop}&period=custom&from=2026-01-05&to=2026-01-18&compare=previous`,
    );
    expect(past.compared).toMatchObject({
      from: '2025-12-22T00:00:00.000Z',
      to: '2026-01-05T00:00:00.000Z',
    });
  });

  it('marks the retention cohorts that it leaves unfinished', async () => {
    const { body } = await analytics.admin.get(
      `/analytics/retention?site_id=${shop}&unit=week&cohorts=3`,
    );
    expect(body.cohorts).toMatchObject([{ partial: true }, { partial: true }, { partial: true }]);
    expect((await admins.page(`analytics/retention?site_id=${shop}`)).text).toContain(
      'Figures marked … cover the current week so far and may still rise.',
    );
  });
});

it.each([
  `/analytics/dashboard?site_id=${shop}&from=2026-01-01&to=2026-01-31`,
  `/analytics/goals?site_id=${shop}&period=7d&from=2026-01-01`,
])('days without period=custom are refused, not ignored: %s', async (url) => {
  expect(await analytics.admin.get(url)).toMatchObject({
    status: 422,
    body: {
      detail: [{ loc: ['query', 'from'], msg: 'Value error, can only be used with period=custom' }],
    },
  });
});

it('events are reported to admins as pending until the figures count them', async () => {
  const pending = () => analytics.admin.get('/analytics/pending');
  await analytics.store(
    batch,
    { events: [event(shop, 'late', minuteMs, '/late')] },
    analytics.admin,
  );
  expect((await pending()).body).toMatchObject({ pending_events: 1 });
  await analytics.app.applied();
  expect((await pending()).body).toMatchObject({ pending_events: 0 });
  expect(await analytics.tracker.get('/analytics/pending')).toMatchObject({ status: 401 });
});

it('an export is sorted by time and then by id, whatever the order of arrival', async () => {
  const columns = ['timestamp'];
  const ndjson = await analytics.admin.post(exportUrl, { format: 'ndjson', columns });
  const csv = await analytics.admin.post(exportUrl, { format: 'csv', columns });
  const [, ...lines] = csv.text.trim().replaceAll('"', '').split('\n');
  for (const rows of [
    rowsIn(ndjson.text).map(({ id, timestamp }) => `${String(timestamp)} ${id}`),
    lines.map((line) => line.split(',').toReversed().join(' ')),
  ]) {
    expect(rows.length).toBeGreaterThan(100);
    expect(rows).toEqual([...rows].sort());
  }
});

describe('a list of the console', () => {
  const countRows = (page: string) => [...page.matchAll(/<th scope="row">/g)].length;
  const linkIn = (page: string, link: RegExp) =>
    link.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '(missing)';

  it('links to all of its rows, a hundred per page, without a script', async () => {
    const { text } = await admins.page(`analytics?site_id=${shop}`);
    const first = await admins.page(
      linkIn(text, /href="([^"]*\/analytics\/list\?[^"]*list=pages[^"]*)"/),
    );
    expect({ status: first.status, rows: countRows(first.text) }).toEqual({
      status: 200,
      rows: 100,
    });
    const next = await admins.page(linkIn(first.text, /href="([^"]+)" rel="next"/));
    expect({ status: next.status, rows: countRows(next.text) }).toEqual({ status: 200, rows: 23 });
    expect(next.text).not.toContain('rel="next"');
  });

  it('has a page for every list of the API', async () => {
    expect((await figures(`?site_id=${shop}&limit=1000`)).pages).toHaveLength(123);
    const statusOf = async (list: string) =>
      (await admins.page(`analytics/list?site_id=${shop}&list=${list}`)).status;
    for (const list of ['sources', 'countries', 'events', 'operating_systems'])
      expect(await statusOf(list)).toBe(200);
    expect(await statusOf('none')).toBe(422);
  });
});
