import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Day, PageViews } from '../../src/commands/import/plausible/day.ts';
import {
  createPermutation,
  deal,
  dealPages,
  fitPages,
} from '../../src/commands/import/plausible/deal.ts';
import { customEvents, pageViews } from '../../src/commands/import/plausible/events.ts';
import { planDay, viewsOfVisits } from '../../src/commands/import/plausible/plan.ts';
import {
  toBrowser,
  toCountry,
  toCustomEvent,
  toDevice,
  toOrigin,
  toPageViews,
  toSystem,
} from '../../src/commands/import/plausible/rows.ts';
import { createPlausibleReader } from '../../src/commands/import/plausible/read.ts';
import { tableOf } from '../../src/commands/import/plausible/tables.ts';

const start = Date.UTC(2026, 0, 5);
const emptyDay: Day = {
  date: '2026-01-05',
  start,
  end: start + 86_400_000,
  visitors: 0,
  visits: 0,
  pageviews: 0,
  bounces: 0,
  visitDuration: 0,
  pages: [],
  origins: [],
  countries: [],
  browsers: [],
  systems: [],
  devices: [],
  events: [],
};
const page = (path: string, visits: number, pageviews: number): PageViews => ({
  hostname: 'example.com',
  page: path,
  visits,
  pageviews,
});
const countBy = <T>(items: Iterable<T>, key: (item: T) => string | undefined) => {
  const counts: Record<string, number> = {};
  for (const item of items) counts[key(item) ?? ''] = (counts[key(item) ?? ''] ?? 0) + 1;
  return counts;
};

const anyDay = fc
  .record({
    visitors: fc.nat(60),
    visits: fc.nat(80),
    pageviews: fc.nat(200),
    bounces: fc.nat(80),
    visitDuration: fc.nat(20_000),
    pages: fc.array(
      fc.record({
        hostname: fc.constant('example.com'),
        page: fc.constantFrom('/', '/a', '/b', '/c'),
        visits: fc.nat(60),
        pageviews: fc.nat(80),
      }),
      { maxLength: 6 },
    ),
  })
  .map((day): Day => ({ ...emptyDay, ...day }));

describe('the synthesised visits of a day', () => {
  test('match visitors, visits, page views, bounces and duration of a consistent day', () => {
    const day: Day = {
      ...emptyDay,
      visitors: 119,
      visits: 134,
      pageviews: 304,
      bounces: 77,
      visitDuration: 21_070,
      pages: [page('/', 120, 214), page('/docs', 60, 90)],
      countries: [
        { value: 'FR', visits: 100 },
        { value: 'GB', visits: 34 },
      ],
      devices: [{ value: 'mobile', visits: 134 }],
    };
    const { visits, mismatch } = planDay(day);
    const none = { unknownPages: 0, surplusPages: 0, visits: 0, visitors: 0, bounces: 0 };
    expect(mismatch).toEqual(none);
    expect(visits).toHaveLength(134);
    expect(new Set(visits.map(({ visitor }) => visitor)).size).toBe(119);
    const paths = visits.flatMap(({ pages }) => pages.map(({ page: path }) => path));
    expect(countBy(paths, (path) => path)).toEqual({ '/': 214, '/docs': 90 });
    expect(visits.filter(({ pages }) => pages.length === 1)).toHaveLength(77);
    expect(countBy(visits, ({ country }) => country)).toEqual({ FR: 100, GB: 34 });
    const seconds = visits.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000;
    expect(Math.abs(seconds - 21_070)).toBeLessThan(1);
  });

  test('exceed no figure, lose no page view and stay within their day, for any input', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        const { visits, mismatch } = planDay(day);
        expect(visits.length + mismatch.visits).toBe(day.visits);
        const views = visits.reduce((sum, { pages }) => sum + pages.length, 0);
        expect(views).toBe(day.visits === 0 ? 0 : day.pageviews);
        expect(visits.every(({ pages }) => pages.length > 0)).toBe(true);
        expect(new Set(visits.map(({ visitor }) => visitor)).size).toBeLessThanOrEqual(
          Math.max(1, day.visitors),
        );
        for (const visit of visits)
          expect(visit.start >= day.start && visit.start + visit.durationMs < day.end).toBe(true);
      }),
    );
  });

  test('are those of custom events on a day without a page view, with its visitors', () => {
    const day: Day = {
      ...emptyDay,
      visitors: 7,
      visits: 9,
      bounces: 2,
      origins: [{ value: { referrer: 'https://news.example/', tags: [] }, visits: 9 }],
      events: [
        { name: 'signup', visitors: 5, events: 6 },
        { name: 'buy', visitors: 4, events: 4 },
      ],
    };
    const { visits, mismatch } = planDay(day);
    expect(mismatch).toMatchObject({ visits: 0, visitors: 0 });
    expect(visits).toHaveLength(9);
    const events = [...customEvents('shop', day, visits)];
    expect(countBy(events, ({ event }) => event)).toEqual({ signup: 6, buy: 4 });
    expect(new Set(events.map(({ visitor_id: id }) => id)).size).toBe(7);
    expect(new Set(events.map(({ session_id: id }) => id)).size).toBe(9);
    const interactive = events.filter((event) => event.interactive === true);
    expect(new Set(interactive.map(({ session_id: id }) => id)).size).toBe(7);
    expect(events.filter(({ referrer }) => referrer !== undefined)).toHaveLength(9);
    expect(events.every(({ visitor_id: id }) => id !== '0000000000000000')).toBe(true);
  });

  test('include those of custom events beside page views, as far as events reach', () => {
    const events = [{ name: 'signup', visitors: 3, events: 3 }];
    const day: Day = { ...emptyDay, visitors: 12, visits: 12, pageviews: 5, bounces: 5, events };
    const { visits, mismatch } = planDay(day);
    expect(visits).toHaveLength(8);
    expect(mismatch).toMatchObject({ visits: 4, visitors: 4 });
    const sent = [...customEvents('shop', day, visits)];
    expect(new Set(sent.map(({ session_id: id }) => id)).size).toBe(3);
    const viewed = visits.flatMap((visit) => [...pageViews('shop', day.date, visit)]);
    const everybody = [...sent, ...viewed].map(({ visitor_id: id }) => id);
    expect(new Set(everybody).size).toBe(8);
  });

  test('include every bounce as long as the other visits can hold the page views', () => {
    expect(viewsOfVisits({ visits: 5, pageviews: 9, bounces: 2 })).toEqual([3, 2, 2, 1, 1]);
    expect(viewsOfVisits({ visits: 3, pageviews: 5, bounces: 3 })).toEqual([3, 1, 1]);
    expect(viewsOfVisits({ visits: 4, pageviews: 2, bounces: 0 })).toEqual([1, 1]);
    expect(viewsOfVisits({ visits: 0, pageviews: 0, bounces: 0 })).toEqual([]);
  });

  test('are deterministic, with the same ids every time, and tagged', () => {
    const day: Day = {
      ...emptyDay,
      visitors: 2,
      visits: 3,
      pageviews: 5,
      bounces: 1,
      visitDuration: 60,
      pages: [page('/', 3, 5)],
      origins: [
        { value: { referrer: 'https://google.com', tags: [['utm_source', 'x']] }, visits: 3 },
      ],
    };
    const makeEvents = () =>
      planDay(day).visits.flatMap((visit) => [...pageViews('shop', day.date, visit)]);
    const events = makeEvents();
    expect(makeEvents()).toEqual(events);
    expect(new Set(events.map(({ id }) => id)).size).toBe(5);
    expect(events.every(({ tag }) => tag === 'plausible-import')).toBe(true);
    expect(events.filter(({ referrer }) => referrer === 'https://google.com')).toHaveLength(3);
    expect(events.filter(({ url }) => url === 'https://example.com/?utm_source=x')).toHaveLength(3);
  });

  test('carry the custom events, which do not end a bounce', () => {
    const day: Day = {
      ...emptyDay,
      visitors: 3,
      visits: 3,
      pageviews: 3,
      bounces: 3,
      pages: [page('/', 3, 3)],
      events: [{ name: 'Signup', visitors: 2, events: 5, props: { url: 'x' } }],
    };
    const { visits } = planDay(day);
    const events = [...customEvents('shop', day, visits)];
    expect(events).toHaveLength(5);
    expect(new Set(events.map(({ visitor_id }) => visitor_id)).size).toBe(2);
    expect(
      events.every(({ interactive, props }) => interactive === false && props?.url === 'x'),
    ).toBe(true);
    expect([...customEvents('shop', day, [])]).toHaveLength(5);
  });
});

describe('distributing', () => {
  test('pages are padded with an unknown one, or cut where views are most frequent', () => {
    expect(fitPages([page('/', 1, 3)], 5)).toEqual([
      page('/', 1, 3),
      { hostname: '', page: '/(unknown)', visits: 2, pageviews: 2 },
    ]);
    expect(
      fitPages([page('/a', 1, 2), page('/', 1, 9)], 7).map(({ pageviews }) => pageviews),
    ).toEqual([5, 2]);
  });

  test('a page is dealt to as many distinct visits as it had', () => {
    const dealt = dealPages([3, 2, 1, 1], [page('/', 3, 5), page('/a', 2, 2)]);
    expect(dealt.map(({ length }) => length)).toEqual([3, 2, 1, 1]);
    expect(dealt.filter((pages) => pages.some(({ page: path }) => path === '/'))).toHaveLength(3);
    expect(dealt.filter((pages) => pages.some(({ page: path }) => path === '/a'))).toHaveLength(2);
  });

  test('every index is visited once, and shares keep their sizes', () => {
    for (const count of [1, 2, 7, 100]) {
      const mix = createPermutation(count, 0.618);
      expect(new Set(Array.from({ length: count }, (_, index) => mix(index))).size).toBe(count);
    }
    const shares = [
      { value: 'a', visits: 3 },
      { value: 'b', visits: 2 },
    ];
    const dealt = deal(shares, 7, 0.382);
    expect(countBy(dealt, (value) => value)).toEqual({ a: 3, b: 2, '': 2 });
    expect(deal([{ value: 'a', visits: 9 }], 2, 0.5)).toEqual(['a', 'a']);
    expect(deal([{ value: 'a', visits: 9 }], 0, 0.5)).toEqual([]);
  });
});

describe('rows of a Plausible export', () => {
  test.each<[string, object, object]>([
    [
      'google',
      { source: 'Google', referrer: 'google.com', utm_source: '', visits: '25' },
      { value: { referrer: 'https://google.com', tags: [] }, visits: 25 },
    ],
    [
      'campaign',
      { source: 'support', referrer: '', utm_source: 'support', utm_medium: 'email', visits: '1' },
      {
        value: {
          tags: [
            ['utm_source', 'support'],
            ['utm_medium', 'email'],
          ],
        },
        visits: 1,
      },
    ],
    [
      'ref',
      { source: 'newsletter', referrer: '', utm_source: '', visits: '3' },
      { value: { tags: [['ref', 'newsletter']] }, visits: 3 },
    ],
    [
      'direct',
      { source: 'Direct / None', referrer: '', visits: '9' },
      { value: { tags: [] }, visits: 9 },
    ],
  ])('source: %s', (_name, cells, expected) => {
    expect(toOrigin(cells as Record<string, string>)).toEqual(expected);
  });

  test('of the other tables are mapped', () => {
    expect(toPageViews({ hostname: 'h', page: '/a', visitors: '3', pageviews: '5' })).toEqual({
      hostname: 'h',
      page: '/a',
      visits: 3,
      pageviews: 5,
    });
    expect(toCountry({ country: 'FR', visits: '2' })).toEqual({ value: 'FR', visits: 2 });
    expect(toBrowser({ browser: 'Microsoft Edge', browser_version: '111.0', visits: '1' })).toEqual(
      { value: { browser: 'Edge', browser_version: '111' }, visits: 1 },
    );
    expect(
      toSystem({ operating_system: 'Mac', operating_system_version: '10.15', visits: '1' }),
    ).toEqual({ value: { os: 'macOS', os_version: '10.15' }, visits: 1 });
    expect(toDevice({ device: 'Laptop', visits: '1' })).toEqual({ value: 'desktop', visits: 1 });
    expect(
      toCustomEvent({ name: '404', link_url: '', path: '/x', visitors: '1', events: '2' }),
    ).toEqual({ name: '404', visitors: 1, events: 2, props: { path: '/x' } });
  });

  test('of a table are recognised by the file name', () => {
    const systems = 'imported_operating_systems';
    expect(tableOf(`${systems}_20230209_20240123.csv`)).toBe(systems);
    expect(tableOf('imported_pages.csv')).toBe('imported_pages');
    const unknown = ['imported_entry_pages_20230209_20240123.csv', 'pages.csv'];
    for (const name of [...unknown, 'imported_pages_x.csv']) expect(tableOf(name)).toBeUndefined();
  });
});

test('a local day has its real length when clocks change', async () => {
  const figures = { visitors: '24', visits: '24', pageviews: '24', bounces: '24' };
  async function* visitors() {
    const cells = { date: '2026-03-29', ...figures, visit_duration: '0' };
    yield { line: 2, ordinal: 1, cells };
  }
  const options = { site: 's', timezone: 'Europe/Berlin', now: Date.UTC(2027, 0, 1) };
  const reader = createPlausibleReader({ imported_visitors: visitors() }, options);
  const times: number[] = [];
  for await (const { mapped } of reader.rows(1))
    if ('event' in mapped) times.push(Number(mapped.event.timestamp));
  expect(Math.min(...times)).toBeGreaterThanOrEqual(Date.UTC(2026, 2, 28, 23));
  expect(Math.max(...times)).toBeLessThan(Date.UTC(2026, 2, 29, 22));
  expect(reader.totals()).toMatchObject({ days: 1, unknownPages: 24 });
});

test('an import refuses rows that are not sorted by date', async () => {
  async function* rows(...dates: string[]) {
    for (const [at, date] of dates.entries())
      yield {
        line: at + 2,
        ordinal: at + 1,
        cells: { date, visitors: '1', visits: '1', pageviews: '1', page: '/' },
      };
  }
  const reader = createPlausibleReader(
    {
      imported_visitors: rows('2026-01-01', '2026-01-02', '2026-01-03'),
      imported_pages: rows('2026-01-02', '2026-01-01'),
    },
    { site: 's', timezone: 'UTC', now: Date.UTC(2027, 0, 1) },
  );
  const readAll = async () => {
    for await (const row of reader.rows(1)) expect(row.line).toBeGreaterThan(1);
  };
  const mistake = 'imported_pages, line 3: the rows are not in the order of their dates';
  await expect(readAll()).rejects.toThrow(mistake);
});
