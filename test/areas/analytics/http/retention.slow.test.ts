import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin } from '../../../support/app.ts';
import { batch, type IngestClient, newSite, openIngest } from './ingest-client.ts';

let client: IngestClient;
const site = newSite();
const now = Date.parse('2026-03-31T10:00:00Z');
beforeAll(async () => {
  client = await openIngest({ clock: { now: () => now } });
  const event = (identity: object, day: string, more: object = {}) => ({
    event: 'pageview',
    url: '/',
    site_id: site,
    timestamp: `${day}T12:00:00Z`,
    ...identity,
    ...more,
  });
  const [ann, ben, cem] = [{ user_id: 'ann' }, { anonymous_id: 'ben' }, { user_id: 'cem' }];
  await client.store(
    batch,
    {
      events: [
        // Ann was first seen long ago, Ben comes back twice under an anonymous id, Cem signs in
        // during a visit that began anonymously.
        event(ann, '2025-11-05'),
        event(ann, '2026-03-17'),
        event(ben, '2026-03-10'),
        event(ben, '2026-03-16'),
        event(ben, '2026-03-30', { url: '/again' }),
        event({}, '2026-03-18', {
          session_id: 'v1',
          user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        }),
        event(cem, '2026-03-18', { session_id: 'v1' }),
        event(cem, '2026-03-30', { session_id: 'v2' }),
        event({}, '2026-03-19'),
        event({}, '2026-03-26'),
        event({ user_id: 'robot' }, '2026-03-20', { bot: true }),
        event({ user_id: 'dan' }, '2026-03-20', { event: 'web_vitals', lcp: 1 }),
      ],
    },
    asAdmin,
  );
  await client.app.applied();
});
afterAll(() => client.close());

const ask = (query = '', headers: Record<string, string> = asAdmin, name = site) =>
  client.ask('GET', `/analytics/retention?site_id=${name}${query}`, headers);
const visitors = async (query: string) =>
  ((await ask(query)).body.cohorts as { visitors: number[] }[]).map(
    ({ visitors: counts }) => counts,
  );

describe('GET /analytics/retention', () => {
  it('counts identified users by the week of their first event, and their returns', async () => {
    const { status, body } = await ask('&unit=week&cohorts=4&timezone=Europe/Berlin');
    expect(status).toBe(200);
    expect(body).toEqual({
      site_id: site,
      unit: 'week',
      timezone: 'Europe/Berlin',
      persons: 'named',
      cohorts: [
        {
          start: '2026-03-09T00:00:00.000+01:00',
          size: 1,
          visitors: [1, 1, 0, 1],
          returned: [100, 100, 0, 100],
          partial: true,
        },
        {
          start: '2026-03-16T00:00:00.000+01:00',
          size: 1,
          visitors: [1, 0, 1],
          returned: [100, 0, 100],
          partial: true,
        },
        {
          start: '2026-03-23T00:00:00.000+01:00',
          size: 0,
          visitors: [0, 0],
          returned: [null, null],
          partial: true,
        },
        {
          start: '2026-03-30T00:00:00.000+02:00',
          size: 0,
          visitors: [0],
          returned: [null],
          partial: true,
        },
      ],
    });
  });

  it('supports days, months, filters and bots, and defaults to eight weeks', async () => {
    expect(await visitors('&unit=month&cohorts=5')).toEqual([
      [1, 0, 0, 0, 1],
      [0, 0, 0, 0],
      [0, 0, 0],
      [0, 0],
      [2],
    ]);
    expect(await visitors('&unit=day&cohorts=15')).toHaveLength(15);
    expect((await visitors('&unit=day&cohorts=15'))[1]).toEqual(
      [1, ...Array.from({ length: 11 }, () => 0), 1, 0].slice(0, 14),
    );
    expect((await visitors('&cohorts=3&bots=true'))[0]).toEqual([2, 0, 1]);
    expect(await visitors('&cohorts=2&filter=page:is:/again')).toEqual([[0, 0], [1]]);
    expect(await visitors('')).toHaveLength(8);
  });

  it('requires a key that may read figures', async () => {
    const [reader, writer] = [
      await client.keyWith('analytics:read'),
      await client.keyWith('analytics:write'),
    ];
    const answers = [await ask('', reader), await ask('', writer), await ask('', {})];
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 401]);
    for (const { text } of answers.slice(1)) expect(text).not.toContain('cohorts');
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
  ])('422 for %s', async (query) => {
    expect((await ask(query)).status).toBe(422);
  });

  it('404 for an unknown site, 400 for an invalid pattern', async () => {
    expect(await ask('', asAdmin, newSite())).toMatchObject({
      status: 404,
      body: { code: 'analytics.site_unknown' },
    });
    expect(await ask('', asAdmin, 'a%00b')).toMatchObject({ status: 404 });
    expect(await ask('&filter=page:matches:(')).toMatchObject({
      status: 400,
      body: { code: 'analytics.bad_pattern' },
    });
  });
});
