import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin } from '../../../support/app.ts';
import { clockFromNoon } from '../../../support/clock.ts';
import { look, origin, personOf } from '../../../surfaces/console/pages.ts';
import { batch, type IngestClient, newSite, openIngest } from './ingest-client.ts';

const clock = clockFromNoon();
const [minute, day] = [60_000, 86_400_000];
const [shop, blog] = [newSite(), newSite()];
const dashboard = '/analytics/dashboard/';

let client: IngestClient;
let admin: Awaited<ReturnType<typeof personOf>>;

const event = (site: string, user: string, ago: number, url: string, more: object = {}) => ({
  event: 'pageview',
  url: `https://example.org${url}`,
  site_id: site,
  user_id: user,
  timestamp: clock.now() - ago,
  ...more,
});

async function figures(query = ''): Promise<Record<string, unknown>> {
  const { status, body } = await client.ask('GET', `${dashboard}${query}`, asAdmin);
  expect(status).toBe(200);
  return body;
}

interface Point {
  start: string;
  partial: boolean;
  pageviews: number;
}

beforeAll(async () => {
  client = await openIngest({ clock, env: { DEVICE_BINDING: 'none', BASE_URL: origin } });
  admin = await personOf(client.app, 'ada@example.com', ['admin']);
});
afterAll(() => client.close());

describe('GET /analytics/dashboard without parameters', () => {
  it('requires a credential', async () => {
    expect((await client.ask('GET', dashboard)).status).toBe(401);
  });

  it('covers no sites, the only site, or all sites together', async () => {
    expect(await figures()).toMatchObject({
      site_id: null,
      sites: [],
      totals: { visitors: 0, events: 0 },
    });
    const others = Array.from({ length: 120 }, (_, at) =>
      event(shop, 'eve', 2 * day + at * minute, `/page-${at}`),
    );
    await client.store(
      batch,
      {
        events: [
          event(shop, 'ann', 2 * minute, '/'),
          event(shop, 'ben', 3 * minute, '/prices'),
          ...others,
          event(shop, 'bot', 2 * minute, '/prices', { user_agent: 'curl/8.0' }),
        ],
      },
      asAdmin,
    );
    await client.app.applied();
    const shopTotals = { visitors: 3, pageviews: 122 };
    expect(await figures()).toMatchObject({
      site_id: shop,
      totals: shopTotals,
      sites: [{ site_id: shop, ...shopTotals }],
    });
    await client.store(
      batch,
      {
        events: [
          event(blog, 'ann', 2 * minute, '/'),
          event(blog, 'ann', minute, '/', { event: 'buy' }),
        ],
      },
      asAdmin,
    );
    await client.app.applied();
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

describe('filters', () => {
  it('apply to the current visitors and to the excluded bots', async () => {
    expect(await figures(`?site_id=${shop}`)).toMatchObject({
      visitors_now: 2,
      left_out: { bot_events: 1 },
    });
    expect(await figures(`?site_id=${shop}&filter=page:is:/prices`)).toMatchObject({
      visitors_now: 1,
      left_out: { bot_events: 1 },
    });
    expect(await figures(`?site_id=${shop}&filter=page:is:/`)).toMatchObject({
      visitors_now: 1,
      left_out: { bot_events: 0 },
    });
    expect(await figures(`?site_id=${shop}&filter=entry_page:is:/`)).toMatchObject({
      visitors_now: 1,
      left_out: { bot_events: 0 },
    });
  });
});

describe('a period in progress', () => {
  it('marks unfinished intervals and those that it covers in part', async () => {
    const { series } = (await figures(`?site_id=${shop}&period=7d`)) as { series: Point[] };
    expect(series.map(({ partial }) => partial)).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
    const weeks = (await figures(`?site_id=${shop}&period=30d&interval=week`)) as {
      series: Point[];
    };
    expect(weeks.series.at(-1)?.partial).toBe(true);
    const past = (await figures(
      `?site_id=${shop}&period=custom&from=2026-01-05&to=2026-01-18&interval=week`,
    )) as { series: Point[] };
    expect(past.series.map(({ partial }) => partial)).toEqual([false, false]);
    const cut = (await figures(
      `?site_id=${shop}&period=custom&from=2026-01-06&to=2026-01-17&interval=week`,
    )) as { series: Point[] };
    expect(cut.series.map(({ partial }) => partial)).toEqual([true, true]);
  });

  it('is compared with the elapsed part of the previous period', async () => {
    const { compared } = (await figures(`?site_id=${shop}&period=7d&compare=previous`)) as {
      compared: { from: string; to: string };
    };
    expect(Math.abs(Date.parse(compared.to) - (clock.now() - 7 * day))).toBeLessThan(minute);
    const year = (await figures(
      `?site_id=${shop}&period=custom&from=2026-01-05&to=2026-01-18&compare=previous`,
    )) as { compared: { from: string; to: string } };
    expect(year.compared).toMatchObject({
      from: '2025-12-22T00:00:00.000Z',
      to: '2026-01-05T00:00:00.000Z',
    });
  });

  it('marks the retention cohorts that it leaves unfinished', async () => {
    const { body } = await client.ask(
      'GET',
      `/analytics/retention?site_id=${shop}&unit=week&cohorts=3`,
      asAdmin,
    );
    expect((body.cohorts as { partial: boolean }[]).map(({ partial }) => partial)).toEqual([
      true,
      true,
      true,
    ]);
    const page = await look(client.app, `analytics/retention?site_id=${shop}`, admin.headers);
    expect(page.body).toContain(
      'Figures marked … cover the current week so far and may still rise.',
    );
  });
});

describe('days without period=custom', () => {
  it('are refused by every endpoint with a period, not ignored', async () => {
    for (const url of [
      `${dashboard}?site_id=${shop}&from=2026-01-01&to=2026-01-31`,
      `/analytics/goals?site_id=${shop}&period=7d&from=2026-01-01`,
    ]) {
      const { status, body } = await client.ask('GET', url, asAdmin);
      expect({ status, body }).toMatchObject({
        status: 422,
        body: {
          detail: [
            { loc: ['query', 'from'], msg: 'Value error, is read with period=custom alone' },
          ],
        },
      });
    }
  });
});

describe('events that are not in the figures yet', () => {
  it('are reported as pending to admins until they are applied', async () => {
    await client.store(batch, { events: [event(shop, 'late', minute, '/late')] }, asAdmin);
    const { body } = await client.ask('GET', '/analytics/pending', asAdmin);
    expect(body).toMatchObject({ pending_events: 1 });
    await client.app.applied();
    expect((await client.ask('GET', '/analytics/pending', asAdmin)).body).toMatchObject({
      pending_events: 0,
    });
    expect((await client.ask('GET', '/analytics/pending')).status).toBe(401);
  });
});

describe('an export', () => {
  it('is sorted by time and then by id, whatever the order of arrival', async () => {
    for (const format of ['ndjson', 'csv']) {
      const columns = ['timestamp'];
      const { text } = await client.ask('POST', '/analytics/export/events', asAdmin, {
        format,
        columns,
      });
      const rows = text
        .trim()
        .split('\n')
        .slice(format === 'csv' ? 1 : 0)
        .map((line) => {
          const [id = '', time = ''] =
            format === 'csv'
              ? line.replaceAll('"', '').split(',')
              : Object.values(JSON.parse(line) as Record<string, string>);
          return `${time} ${id}`;
        });
      expect(rows.length).toBeGreaterThan(100);
      expect(rows).toEqual([...rows].sort());
    }
  });
});

describe('a list of the console', () => {
  const countRows = (page: string) => [...page.matchAll(/<th scope="row">/g)].length;

  it('links to all of its rows, a hundred per page, without a script', async () => {
    const first = await look(client.app, `analytics?site_id=${shop}`, admin.headers);
    const link =
      /href="([^"]*\/analytics\/list\?[^"]*list=pages[^"]*)"/
        .exec(first.body)?.[1]
        ?.replaceAll('&amp;', '&') ?? '';
    const all = await look(client.app, link, admin.headers);
    expect({ status: all.statusCode, countRows: countRows(all.body) }).toEqual({
      status: 200,
      countRows: 100,
    });
    const next = /href="([^"]+)" rel="next"/.exec(all.body)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const rest = await look(client.app, next, admin.headers);
    expect({
      status: rest.statusCode,
      countRows: countRows(rest.body),
      includes: rest.body.includes('rel="next"'),
    }).toEqual({ status: 200, countRows: 23, includes: false });
  });

  it('has a page for every list of the API', async () => {
    const { pages } = (await figures(`?site_id=${shop}&limit=1000`)) as { pages: unknown[] };
    expect(pages).toHaveLength(123);
    for (const name of ['sources', 'countries', 'events', 'operating_systems']) {
      expect(
        (await look(client.app, `analytics/list?site_id=${shop}&list=${name}`, admin.headers))
          .statusCode,
      ).toBe(200);
    }
    expect(
      (await look(client.app, `analytics/list?site_id=${shop}&list=none`, admin.headers))
        .statusCode,
    ).toBe(422);
  });
});
