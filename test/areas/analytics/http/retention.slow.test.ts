import { beforeAll, describe, expect } from 'vitest';
import { it } from '../../../support/test.ts';
import { expectReadersOnly, newSite, useSharedAnalytics, view } from '../support.ts';

const now = Date.parse('2026-03-31T10:00:00Z');
const analytics = await useSharedAnalytics({ clock: { now: () => now } });
const site = newSite();

beforeAll(() => {
  const event = (identity: object, day: string, more: object = {}) =>
    view(site, { timestamp: `${day}T12:00:00Z`, ...identity, ...more });
  const [ann, ben, cem] = [{ user_id: 'ann' }, { anonymous_id: 'ben' }, { user_id: 'cem' }];
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  // Ann was first seen long ago, Ben comes back twice under an anonymous id, Cem signs in during a
  // visit that began anonymously.
  return analytics.fill(
    event(ann, '2025-11-05'),
    event(ann, '2026-03-17'),
    event(ben, '2026-03-10'),
    event(ben, '2026-03-16'),
    event(ben, '2026-03-30', { url: '/again' }),
    event({}, '2026-03-18', { session_id: 'v1', user_agent: firefox }),
    event(cem, '2026-03-18', { session_id: 'v1' }),
    event(cem, '2026-03-30', { session_id: 'v2' }),
    event({}, '2026-03-19'),
    event({}, '2026-03-26'),
    event({ user_id: 'robot' }, '2026-03-20', { bot: true }),
    event({ user_id: 'dan' }, '2026-03-20', { event: 'web_vitals', lcp: 1 }),
  );
});

const ask = (query = '', by = analytics.admin, of = site) =>
  by.get<{ cohorts: { visitors: number[] }[] }>(`/analytics/retention?site_id=${of}${query}`);
const visitors = async (query: string) =>
  (await ask(query)).body.cohorts.map(({ visitors: counts }) => counts);

describe('retention', () => {
  it('counts identified users by the week of their first event, and their returns', async () => {
    const { status, body } = await ask('&unit=week&cohorts=4&timezone=Europe/Berlin');
    const cohort = (start: string, counts: number[], returned: (number | null)[]) => ({
      start: `2026-03-${start}`,
      size: counts[0],
      visitors: counts,
      returned,
      partial: true,
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        site_id: site,
        unit: 'week',
        timezone: 'Europe/Berlin',
        persons: 'named',
        cohorts: [
          cohort('09T00:00:00.000+01:00', [1, 1, 0, 1], [100, 100, 0, 100]),
          cohort('16T00:00:00.000+01:00', [1, 0, 1], [100, 0, 100]),
          cohort('23T00:00:00.000+01:00', [0, 0], [null, null]),
          cohort('30T00:00:00.000+02:00', [0], [null]),
        ],
      },
    });
  });

  it('has days, months, filters and bots, and eight weeks by default', async () => {
    expect(await visitors('&unit=month&cohorts=5')).toEqual([
      [1, 0, 0, 0, 1],
      [0, 0, 0, 0],
      [0, 0, 0],
      [0, 0],
      [2],
    ]);
    const days = await visitors('&unit=day&cohorts=15');
    expect(days).toHaveLength(15);
    expect(days[1]).toEqual([1, ...Array.from({ length: 11 }, () => 0), 1, 0]);
    expect((await visitors('&cohorts=3&bots=true'))[0]).toEqual([2, 0, 1]);
    expect(await visitors('&cohorts=2&filter=page:is:/again')).toEqual([[0, 0], [1]]);
    expect(await visitors('')).toHaveLength(8);
  });

  it('requires a key that may read figures', async () => {
    await expectReadersOnly(analytics, (by) => ask('', by));
  });

  it.each([
    '&unit=year',
    '&cohorts=1',
    '&cohorts=25',
    '&cohorts=x',
    '&timezone=Mars/Olympus',
    '&timezone=',
    '&filter=page',
    '&bots=maybe',
  ])('is refused with %s', async (query) => {
    expect(await ask(query)).toMatchObject({ status: 422 });
  });

  it.each([
    ['', newSite(), 404, 'analytics.site_unknown'],
    ['&filter=page:matches:(', site, 400, 'analytics.bad_pattern'],
  ])('with "%s" of the site %s is a %i', async (query, of, status, code) => {
    expect(await ask(query, analytics.admin, of)).toBeProblem(status, code);
  });

  it('is refused for a site that no store can name', async () => {
    expect(await ask('', analytics.admin, 'a%00b')).toMatchObject({ status: 422 });
  });
});
