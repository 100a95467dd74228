import { beforeAll, describe, expect } from 'vitest';
import { dayMs, minuteMs } from '../../../../src/lib/durations.ts';
import { clockFromNoon } from '../../../support/clock.ts';
import { it } from '../../../support/test.ts';
import { expectReadersOnly, newSite, useSharedAnalytics, view } from '../support.ts';

const site = newSite();
const clock = clockFromNoon();
const analytics = await useSharedAnalytics({ clock });

interface Dashboard {
  totals: Record<string, number>;
  series: { start: string; pageviews: number; conversions?: number }[];
  [member: string]: unknown;
}

const ask = (query = '', by = analytics.admin) =>
  by.get<Dashboard>(`/analytics/dashboard/?site_id=${site}${query}`);
const filterQuery = (...filters: string[]) =>
  filters.map((filter) => `&filter=${encodeURIComponent(filter)}`).join('');

// Three visitors: one reads two pages and buys, one bounces, one came yesterday by a campaign.
beforeAll(() => {
  const yesterdayNoon = Math.floor(clock.now() / dayMs) * dayMs - dayMs / 2;
  const event = (user: string, minutesAgo: number, url: string, more: object = {}) =>
    view(site, {
      url: `https://example.org${url}`,
      user_id: user,
      timestamp: yesterdayNoon - minutesAgo * minuteMs,
      ...more,
    });
  return analytics.fill(
    event('ann', 20, '/', { referrer: 'https://www.google.com/' }),
    event('ann', 18, '/prices'),
    event('ann', 10, '/prices', { event: 'buy' }),
    event('ben', 15, '/'),
    event('eve', 24 * 60, '/?utm_source=mail&utm_campaign=spring'),
  );
});

describe('the dashboard', () => {
  it.each(['/analytics/dashboard', '/analytics/dashboard/'])(
    'at %s has the figures of a known set of events',
    async (url) => {
      const { status, body } = await analytics.admin.get<Dashboard>(
        `${url}?site_id=${site}&period=7d`,
      );
      expect({ status, body }).toMatchObject({
        status: 200,
        body: {
          site_id: site,
          period: { name: '7d', timezone: 'UTC', interval: 'day' },
          totals: {
            visitors: 3,
            visits: 3,
            pageviews: 4,
            events: 5,
            visit_duration_mean: 200,
            visit_duration_median: 0,
          },
          compared: null,
          change: null,
          visitors_now: 0,
          pages: [
            { value: '/', visitors: 3, pageviews: 3 },
            { value: '/prices', visitors: 1, pageviews: 1 },
          ],
          events: [{ value: 'buy', visitors: 1, events: 1 }],
          left_out: { bot_events: expect.any(Number) as number, dropped: {} },
        },
      });
      expect(body.totals.bounce_rate).toBeCloseTo(200 / 3, 5);
      expect(body.totals.views_per_visit).toBeCloseTo(4 / 3, 5);
      expect(body.series.map(({ pageviews }) => pageviews)).toEqual([0, 0, 0, 0, 1, 3, 0]);
      expect(body.sources).toContainEqual(
        expect.objectContaining({ value: 'Google', visitors: 1, visits: 1, bounce_rate: 0 }),
      );
      expect(body.campaigns).toContainEqual(
        expect.objectContaining({ value: 'spring', visits: 1 }),
      );
    },
  );

  it.each([
    ['', '30d', 'day', 30],
    ['&period=24h', '24h', 'hour', 24],
    ['&period=7d', '7d', 'day', 7],
    ['&period=90d', '90d', 'day', 90],
    ['&period=12mo', '12mo', 'month', 12],
    ['&period=7d&interval=hour', '7d', 'hour', 168],
    ['&period=90d&interval=month', '90d', 'month', undefined],
    ['&period=custom&from=2026-01-01&to=2026-01-02', 'custom', 'hour', 48],
    ['&period=custom&from=2026-01-01&to=2026-06-30', 'custom', 'week', undefined],
  ])(
    'with the query "%s" covers %s by %s, in order of time',
    async (query, name, interval, points) => {
      const { status, body } = await ask(query);
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { period: { name, interval, timezone: 'UTC' } },
      });
      if (points === undefined) expect(body.series.length).toBeGreaterThan(2);
      else expect(body.series).toHaveLength(points);
      const times = body.series.map(({ start }) => Date.parse(start));
      expect(times).toEqual([...times].sort((a, b) => a - b));
    },
  );

  it.each([
    [['source:is:Google'], { visitors: 1, pageviews: 2 }],
    [['source:is:Google', 'page:is:/prices'], { visitors: 1, pageviews: 1 }],
    [['page:matches:^/pr.*s$'], { pageviews: 1 }],
    [['utm_campaign:is:winter|spring'], { visitors: 1 }],
    [['source:is:Nobody'], { visitors: 0, pageviews: 0 }],
  ])('counts only what matches all of the filters %j', async (filters, totals) => {
    expect(await ask(`&period=7d${filterQuery(...filters)}`)).toMatchObject({
      status: 200,
      body: { totals },
    });
  });

  // Ann reads two pages and buys; ben only reads "/".
  it.each([
    [['event:is:buy'], { visits: 1, pageviews: 2, events: 3, bounce_rate: 0 }],
    [['event:is:buy', 'source:is:Google', 'page:is:/prices'], { visits: 1, pageviews: 1 }],
    [['event:is:buy', 'page:is:/'], { visits: 1, pageviews: 1 }],
    [['event:is:buy', 'props.plan:is:pro'], { visits: 0, pageviews: 0 }],
    [['event:is:buy', 'entry_page:is:/prices'], { visits: 0, pageviews: 0 }],
    [['event:is_not:buy'], { visits: 2, pageviews: 2 }],
    [['event:is:sell'], { visits: 0, pageviews: 0, events: 0 }],
  ])('keeps all views of the visits with an event that %j asks for', async (filters, totals) => {
    expect(await ask(`&period=7d${filterQuery(...filters)}`)).toMatchObject({
      status: 200,
      body: { totals },
    });
  });

  it('lists the pages and sources of the visits with an event', async () => {
    const { body } = await ask(`&period=7d${filterQuery('event:is:buy')}`);
    expect(body).toMatchObject({
      pages: [
        { value: '/', pageviews: 1 },
        { value: '/prices', pageviews: 1 },
      ],
      sources: [{ value: 'Google', visits: 1, bounce_rate: 0 }],
    });
  });

  describe('with a goal', () => {
    const goalOf = async (kind: 'event' | 'page', value: string): Promise<string> => {
      const body = { name: `${kind} ${value}`, kind, value };
      const { body: goal } = await analytics.admin.post<{ id: string }>(
        `/analytics/sites/${site}/goals`,
        body,
      );
      return `&period=7d&goal=${goal.id}`;
    };

    it('has its conversions and their rate in totals, series and lists', async () => {
      const { body } = await ask(`${await goalOf('event', 'buy')}&compare=previous`);
      expect(body).toMatchObject({
        totals: { visits: 3, conversions: 1 },
        compared: { totals: { conversions: 0, conversion_rate: null } },
        change: { conversions: null, conversion_rate: null },
        sources: [
          { value: null, visits: 1, conversions: 0, conversion_rate: 0 },
          { value: 'Google', visits: 1, conversions: 1, conversion_rate: 100 },
          { value: 'mail', visits: 1, conversions: 0, conversion_rate: 0 },
        ],
        pages: [
          { value: '/', pageviews: 3, conversions: 1 },
          { value: '/prices', conversions: 1, conversion_rate: 100 },
        ],
      });
      expect(body.totals.conversion_rate).toBeCloseTo(100 / 3, 5);
      expect(body.series.map(({ conversions }) => conversions)).toEqual([0, 0, 0, 0, 0, 1, 0]);
    });

    it('counts it in the visits that filters select, by whichever event they do', async () => {
      const goal = await goalOf('page', '/pri*');
      for (const [filter, totals] of [
        ['page:is:/', { visits: 3, pageviews: 3, conversions: 1 }],
        ['event:is:buy', { visits: 1, conversions: 1, conversion_rate: 100 }],
        ['utm_campaign:is:spring', { visits: 1, conversions: 0, conversion_rate: 0 }],
      ] as const)
        expect((await ask(`${goal}${filterQuery(filter)}`)).body).toMatchObject({ totals });
    });

    it('has no conversions without one, and refuses one of another site', async () => {
      expect((await ask('&period=7d')).text).not.toContain('conversions');
      const other = newSite();
      await analytics.fill(view(other));
      const goal = await goalOf('event', 'rent');
      expect(await analytics.admin.get(`/analytics/dashboard?site_id=${other}${goal}`)).toBeProblem(
        404,
        'analytics.goal_unknown',
      );
      expect(await ask('&goal=1')).toBeInvalid('query.goal');
    });
  });

  it('is compared with the previous period', async () => {
    expect((await ask('&period=7d&compare=previous')).body).toMatchObject({
      compared: { totals: { visitors: 0, pageviews: 0 } },
      change: { visitors: null },
    });
  });

  it('is shown with a key that may read, and to nobody else', async () => {
    await expectReadersOnly(analytics, (by) => ask('', by));
  });

  it('of an unknown site is a 404, and the request does not register the site', async () => {
    const unknown = newSite();
    expect(await analytics.admin.get(`/analytics/dashboard?site_id=${unknown}`)).toBeProblem(
      404,
      'analytics.site_unknown',
    );
    expect((await analytics.admin.get('/analytics/sites')).text).not.toContain(unknown);
  });

  it.each([
    ['an unknown period', '&period=14d', 'period'],
    ['an unknown time zone', '&timezone=Mars/Olympus', 'timezone'],
    ['an unknown interval', '&interval=minute', 'interval'],
    ['custom without from', '&period=custom&to=2026-01-01', 'from'],
    ['custom without to', '&period=custom&from=2026-01-01', 'to'],
    ['custom that ends too early', '&period=custom&from=2026-01-02&to=2026-01-01', 'to'],
    ['an invalid day', '&period=custom&from=2026-02-31&to=2026-03-01', 'from'],
    ['a hundred years', '&period=custom&from=1980-01-01&to=2080-01-01', 'from'],
    ['too many hours', '&period=12mo&interval=hour', 'interval'],
    ['a filter without parts', '&filter=source', 'filter'],
    ['an unknown dimension', '&filter=secret:is:x', 'filter'],
    ['an unknown operator', '&filter=page:like:x', 'filter'],
    ['one bad filter of two', '&filter=page:is:x&filter=nope', 'filter.1'],
    ['an unknown comparison', '&compare=twin', 'compare'],
    ['a limit of 0', '&limit=0', 'limit'],
    ['bots=maybe', '&bots=maybe', 'bots'],
  ])('is refused with %s', async (_, query, field) => {
    expect(await ask(query)).toBeInvalid(`query.${field}`);
  });

  it.each([
    'page:matches:(',
    'page:matches:[a',
    'page:matches:*',
    'page:matches:(?=x)',
    'page:matches:a{2,1}',
    'source:matches_not:(',
    'props.x:matches:(',
  ])('is refused with the pattern of %s, and answers the next request', async (filter) => {
    expect(await ask(filterQuery(filter))).toBeProblem(400, 'analytics.bad_pattern');
    expect(await ask()).toMatchObject({ status: 200 });
  });

  it('reads SQL in filters as plain text', async () => {
    for (const value of ["'; DROP TABLE events; --", '$1', '%', '\\', '"']) {
      for (const operator of ['is', 'contains'])
        expect(await ask(filterQuery(`page:${operator}:${value}`))).toMatchObject({
          status: 200,
          body: { totals: { pageviews: 0 } },
        });
    }
    expect(await ask(filterQuery('page:is:\0'))).toBeInvalid('query.filter');
    expect((await ask('&period=7d')).body.totals).toMatchObject({ pageviews: 4 });
  });
});
