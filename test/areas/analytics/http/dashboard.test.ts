import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin } from '../../../support/app.ts';
import { clockFromNoon } from '../../../support/clock.ts';
import { batch, type IngestClient, newSite, openIngest } from './ingest-client.ts';

let client: IngestClient;
const site = newSite();
const clock = clockFromNoon();
const minute = 60_000;

/** Three visitors: one reads two pages and buys, one bounces, one came yesterday by a campaign. */
async function storeEvents(): Promise<void> {
  const noon = Math.floor(clock.now() / (24 * 60 * minute)) * 24 * 60 * minute - 12 * 60 * minute;
  const event = (user: string, ago: number, url: string, more: object = {}) => ({
    event: 'pageview',
    url: `https://example.org${url}`,
    site_id: site,
    user_id: user,
    timestamp: noon - ago * minute,
    ...more,
  });
  await client.store(
    batch,
    {
      events: [
        event('ann', 20, '/', { referrer: 'https://www.google.com/' }),
        event('ann', 18, '/prices'),
        event('ann', 10, '/prices', { event: 'buy' }),
        event('ben', 15, '/'),
        event('eve', 24 * 60, '/?utm_source=mail&utm_campaign=spring'),
      ],
    },
    asAdmin,
  );
}

beforeAll(async () => {
  client = await openIngest({ clock });
  await storeEvents();
  await client.app.applied();
});
afterAll(() => client.close());

const ask = (query: string, headers: Record<string, string> = asAdmin) =>
  client.ask('GET', `/analytics/dashboard/${query}`, headers);

describe('GET /analytics/dashboard › 200', () => {
  it.each(['/analytics/dashboard', '/analytics/dashboard/'])(
    '%s returns the figures of a known set of events',
    async (url) => {
      const { status, body } = await client.ask('GET', `${url}?site_id=${site}&period=7d`, asAdmin);
      expect(status).toBe(200);
      expect(body).toMatchObject({
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
      });
      expect((body.totals as { bounce_rate: number }).bounce_rate).toBeCloseTo(200 / 3, 5);
      expect((body.totals as { views_per_visit: number }).views_per_visit).toBeCloseTo(4 / 3, 5);
      const series = body.series as { pageviews: number; start: string }[];
      expect(series).toHaveLength(7);
      expect(series.map(({ pageviews }) => pageviews)).toEqual([0, 0, 0, 0, 1, 3, 0]);
      const google = (body.sources as { value: string | null }[]).find(
        ({ value }) => value === 'Google',
      );
      expect(google).toMatchObject({ visitors: 1, visits: 1, bounce_rate: 0 });
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
  ])('%s covers %s by %s', async (query, name, interval, points) => {
    const { status, body } = await ask(`?site_id=${site}${query}`);
    expect(status).toBe(200);
    expect(body.period).toMatchObject({ name, interval, timezone: 'UTC' });
    const series = body.series as { start: string }[];
    if (points === undefined) expect(series.length).toBeGreaterThan(2);
    else expect(series).toHaveLength(points);
    expect(series.map(({ start }) => Date.parse(start))).toEqual(
      series.map(({ start }) => Date.parse(start)).sort((a, b) => a - b),
    );
  });

  it('filters by event and visit dimensions; all filters must match', async () => {
    const totals = async (...filters: string[]) => {
      const parameters = filters.map((filter) => `&filter=${encodeURIComponent(filter)}`);
      const { status, body } = await ask(`?site_id=${site}&period=7d${parameters.join('')}`);
      expect(status).toBe(200);
      return body.totals as { visitors: number; pageviews: number };
    };
    expect(await totals('source:is:Google')).toMatchObject({ visitors: 1, pageviews: 2 });
    expect(await totals('source:is:Google', 'page:is:/prices')).toMatchObject({
      visitors: 1,
      pageviews: 1,
    });
    expect(await totals('page:matches:^/pr.*s$')).toMatchObject({ pageviews: 1 });
    expect(await totals('utm_campaign:is:winter|spring')).toMatchObject({ visitors: 1 });
    expect(await totals('source:is:Nobody')).toMatchObject({ visitors: 0, pageviews: 0 });
  });

  it('compares with the previous period', async () => {
    const { body } = await ask(`?site_id=${site}&period=7d&compare=previous`);
    expect(body.compared).toMatchObject({ totals: { visitors: 0, pageviews: 0 } });
    expect(body.change).toMatchObject({ visitors: null });
  });
});

describe('GET /analytics/dashboard › refusals', () => {
  it('401 without a key, 403 with a key that may not read', async () => {
    const writer = await client.keyWith('analytics:write');
    const unauthenticated = await ask(`?site_id=${site}`, {});
    expect({ status: unauthenticated.status, code: unauthenticated.body.code }).toEqual({
      status: 401,
      code: 'request.unauthenticated',
    });
    expect(unauthenticated.headers['www-authenticate']).toMatch(/^Bearer/);
    const forbidden = await ask(`?site_id=${site}`, writer);
    expect({ status: forbidden.status, code: forbidden.body.code }).toEqual({
      status: 403,
      code: 'request.forbidden',
    });
    for (const { text } of [unauthenticated, forbidden]) expect(text).not.toContain('totals');
    expect((await ask(`?site_id=${site}`, await client.keyWith('analytics:read'))).status).toBe(
      200,
    );
  });

  it('404 for an unknown site, which the request does not register', async () => {
    const name = newSite();
    const answer = await ask(`?site_id=${name}`);
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 404,
      code: 'analytics.site_unknown',
    });
    expect((await client.ask('GET', '/analytics/sites', asAdmin)).text).not.toContain(name);
  });

  it.each([
    ['an unknown period', '?site_id=s&period=14d', 'period'],
    ['an unknown time zone', '?site_id=s&timezone=Mars/Olympus', 'timezone'],
    ['an unknown interval', '?site_id=s&interval=minute', 'interval'],
    ['custom without from', '?site_id=s&period=custom&to=2026-01-01', 'from'],
    ['custom without to', '?site_id=s&period=custom&from=2026-01-01', 'to'],
    [
      'custom that ends before it begins',
      '?site_id=s&period=custom&from=2026-01-02&to=2026-01-01',
      'to',
    ],
    ['an invalid day', '?site_id=s&period=custom&from=2026-02-31&to=2026-03-01', 'from'],
    ['a hundred years', '?site_id=s&period=custom&from=1980-01-01&to=2080-01-01', 'from'],
    ['too many hours', '?site_id=s&period=12mo&interval=hour', 'interval'],
    ['a filter without parts', '?site_id=s&filter=source', 'filter'],
    ['an unknown dimension', '?site_id=s&filter=secret:is:x', 'filter'],
    ['an unknown operator', '?site_id=s&filter=page:like:x', 'filter'],
    ['one bad filter of two', '?site_id=s&filter=page:is:x&filter=nope', 'filter'],
    ['an unknown comparison', '?site_id=s&compare=twin', 'compare'],
    ['a limit of 0', '?site_id=s&limit=0', 'limit'],
    ['bots=maybe', '?site_id=s&bots=maybe', 'bots'],
  ])('422 for %s', async (_, query, field) => {
    const answer = await ask(query.replace('site_id=s', `site_id=${site}`));
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body)).toEqual(['detail']);
    const details = answer.body.detail as { type: string; loc: unknown[]; msg: string }[];
    for (const detail of details)
      expect(detail).toMatchObject({
        type: expect.any(String) as string,
        msg: expect.any(String) as string,
      });
    expect(details.map(({ loc }) => loc.slice(0, 2))).toContainEqual(['query', field]);
  });

  it.each([
    'page:matches:(',
    'page:matches:[a',
    'page:matches:*',
    'page:matches:(?=x)',
    'page:matches:a{2,1}',
    'source:matches_not:(',
    'props.x:matches:(',
  ])('400 for the pattern of %s', async (filter) => {
    const answer = await ask(`?site_id=${site}&filter=${encodeURIComponent(filter)}`);
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 400,
      code: 'analytics.bad_pattern',
    });
    expect((await ask(`?site_id=${site}`)).status).toBe(200);
  });

  it('treats SQL in filters as plain text', async () => {
    for (const value of ["'; DROP TABLE events; --", '$1', '%', '\\', '"', '\u0000']) {
      for (const operator of ['is', 'contains']) {
        const answer = await ask(
          `?site_id=${site}&filter=${encodeURIComponent(`page:${operator}:${value}`)}`,
        );
        expect(answer.status).toBe(200);
        expect(answer.body.totals).toMatchObject({ pageviews: 0 });
      }
    }
    expect((await ask(`?site_id=${site}&period=7d`)).body.totals).toMatchObject({ pageviews: 4 });
  });
});
