import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { hourMs } from '../../../../src/lib/durations.ts';
import { it } from '../../../support/test.ts';
import { newSite, track, useSharedAnalytics, view } from '../support.ts';
import { invalidBody } from '../../../support/invalid.ts';

const analytics = await useSharedAnalytics();
const hoursAgo = (hours: number) => new Date(Date.now() - hours * hourMs).toISOString();
const json = { headers: { 'content-type': 'application/json' } };

describe('an event', () => {
  it.each(['/analytics/track', '/analytics/track/'])('sent to %s is stored', async (url) => {
    const site = newSite();
    const event = view(site, { event: 'signup', url: 'https://www.example.org/start?plan=a' });
    expect(await analytics.store(url, event)).toEqual({
      accepted: 1,
      duplicates: 0,
      rejected: [],
      dropped: [],
      request_id: expect.stringMatching(/^[\w.-]{8,}$/) as string,
    });
    expect(await analytics.rows(site)).toMatchObject([
      {
        event: 'signup',
        hostname: 'example.org',
        pathname: '/start',
        query: 'plan=a',
        site_id: site,
        bot: false,
      },
    ]);
  });

  it('may have the field names of other trackers', async () => {
    const site = newSite();
    for (const event of [
      {
        n: 'buy',
        u: 'https://shop.example/cart',
        d: site,
        r: 'https://duckduckgo.com/',
        p: { colour: 'red' },
      },
      { name: 'look', url: '/shelf', domain: site },
      { ...view(site, { event: 'wins', url: '/own' }), name: 'x', u: '/other', website: 'other' },
    ])
      await analytics.store(track, event);
    const rows = await analytics.rows(site);
    expect(rows.sort((a, b) => String(a.event).localeCompare(String(b.event)))).toMatchObject([
      { event: 'buy', pathname: '/cart', source: 'DuckDuckGo', props: { colour: 'red' } },
      { event: 'look', pathname: '/shelf' },
      { event: 'wins', pathname: '/own' },
    ]);
  });

  it('is stored with every field', async () => {
    const site = newSite();
    const fields = {
      id: randomUUID(),
      event: 'order',
      title: 'Thanks',
      user_id: 'u-1',
      screen: '1920x1080',
      interactive: false,
      scroll_depth: 40,
      engagement_ms: 1500,
      tag: 'beta',
    };
    const event = view(site, {
      ...fields,
      props: { size: 3, gift: true, note: 'ß' },
      revenue: { amount: 12.5, currency: 'EUR' },
      language: 'de-AT',
      lcp: 900,
      cls: 0.1,
      session_id: 's1',
    });
    await analytics.store(track, event);
    expect((await analytics.rows(site))[0]).toMatchObject({
      ...fields,
      props: { size: '3', gift: 'true', note: 'ß' },
      revenue_currency: 'EUR',
      browser: 'Chrome',
      device: 'desktop',
    });
  });

  it('is stored without the parts that are reported as dropped', async () => {
    const site = newSite();
    const many = Object.fromEntries(Array.from({ length: 32 }, (_, index) => [`p${index}`, index]));
    const event = view(site, { props: { ...many, deep: { a: 1 } } });
    const { accepted, dropped } = await analytics.store(track, event);
    expect(accepted).toBe(1);
    expect(dropped.map(({ reason }) => reason).sort()).toEqual([
      'prop_not_flat',
      'props_over_limit',
      'props_over_limit',
    ]);
    const [row] = await analytics.rows(site);
    expect(Object.keys(row?.props as object)).toHaveLength(30);
  });

  it('is stored without lone surrogates, which no export could write', async () => {
    const site = newSite();
    const text = JSON.stringify(
      view(site, { title: 'a HALF b \\ud800', props: { HALF: 1, OTHER: 2, '😀': '😀' } }),
    );
    const body = text.replaceAll('HALF', '\\ud800').replaceAll('OTHER', '\\udc01');
    expect(await analytics.tracker.post(track, body, json)).toMatchObject({ status: 200 });
    const [row] = await analytics.rows(site);
    expect(row).toMatchObject({ title: 'a \ufffd b \\ud800' });
    expect(row?.props).toEqual({ '\ufffd': '2', '😀': '😀' });
    expect(await analytics.figures(site, '&filter=props.x:is:1')).toMatchObject({
      totals: { pageviews: 0 },
    });
  });

  it('may have NUL characters in names and values', async () => {
    const site = newSite();
    const given = { title: 'a\u0000b', props: { 'a\u0000b': '1', 'a\u0000c': 'x\u0000y' } };
    await analytics.store(track, view(site, given));
    expect(await analytics.rows(site)).toMatchObject([given]);
  });

  it('may have its time in RFC 3339 or Unix milliseconds', async () => {
    const site = newSite();
    const time = hoursAgo(2);
    for (const timestamp of [time, Date.parse(time), time.replace('Z', '+00:00')])
      await analytics.store(track, view(site, { timestamp }));
    expect((await analytics.rows(site)).map((row) => row.timestamp)).toEqual([time, time, time]);
  });

  it('may have a Unix time of any unit, also as text, or another form of RFC 3339', async () => {
    const site = newSite();
    const ms = Math.floor(Date.now() / 1000) * 1000 - 2 * hourMs;
    const time = new Date(ms).toISOString();
    const forms = [
      ms / 1000,
      ms * 1000,
      ms * 1e6,
      String(ms),
      `${ms / 1000}.0`,
      time.replace('T', 't').replace('Z', 'z'),
      time.replace('T', ' ').replace('Z', '+00'),
    ];
    for (const timestamp of forms)
      expect(await analytics.store(track, view(site, { timestamp }))).toMatchObject({
        accepted: 1,
        dropped: [],
      });
    expect((await analytics.rows(site)).map((row) => row.timestamp)).toEqual(forms.map(() => time));
    for (const timestamp of [-1, '12 May', '', '1e9', 1e300, '2026-02-30T10:00:00Z'])
      expect(await analytics.tracker.post(track, view(site, { timestamp }))).toMatchObject({
        status: 422,
      });
    expect(await analytics.rows(site)).toHaveLength(forms.length);
  });

  it('is never stored with a time in the future: over a minute, that is reported', async () => {
    const site = newSite();
    const send = (ahead: number) =>
      analytics.store(track, view(site, { timestamp: Date.now() + ahead }));
    expect((await send(20_000)).dropped).toEqual([]);
    expect((await send(hourMs)).dropped).toEqual([
      { index: 0, reason: 'timestamp_clamped', field: 'timestamp' },
    ]);
    for (const row of await analytics.rows(site))
      expect(Date.parse(String(row.timestamp))).toBeLessThanOrEqual(Date.now());
  });

  it('may be of any age with a write key, of at most 72 hours without', async () => {
    const site = newSite();
    const send = (timestamp: string, by = analytics.tracker) =>
      by.post(track, view(site, { timestamp }));
    expect(await send('2019-03-01T12:00:00.000Z', analytics.admin)).toMatchObject({ status: 200 });
    expect(await send(hoursAgo(71))).toMatchObject({ status: 200 });
    expect(await send(hoursAgo(73))).toMatchObject({
      status: 422,
      body: {
        detail: [
          { type: 'value_error', loc: ['body', 'timestamp'], ctx: { code: 'timestamp_too_old' } },
        ],
      },
    });
    expect(await analytics.rows(site)).toHaveLength(2);
  });

  const event = { event: 'a', url: '/', site_id: 's' };
  it.each([
    ['nothing', undefined, 'body'],
    ['no event', { ...event, event: undefined }, 'body.event'],
    ['no url', { ...event, url: undefined }, 'body.url'],
    ['no site', { ...event, site_id: undefined }, 'body.site_id'],
    ['an empty event', { ...event, event: '  ' }, 'body.event'],
    ['control characters', { ...event, event: 'a\u0007' }, 'body.event'],
    ['C1 control characters', { ...event, event: 'a\u009b2J' }, 'body.event'],
    ['an id that is not a UUID', { ...event, id: '42' }, 'body.id'],
    ['a number as event', { ...event, event: 42 }, 'body.event'],
    ['another scheme', { ...event, url: 'javascript:alert(1)' }, 'body.url'],
    ['a url of 2,049 bytes', { ...event, url: `/${'ü'.repeat(1100)}` }, 'body.url'],
    ['an array', [], 'body'],
    ['an empty user id', { ...event, user_id: '' }, 'body.user_id'],
    ['a placeholder as user id', { ...event, user_id: 'undefined' }, 'body.user_id'],
    ['a placeholder as anonymous id', { ...event, anonymous_id: '0' }, 'body.anonymous_id'],
  ])('is refused with %s', async (_, payload, place) => {
    const body = payload === undefined ? '' : JSON.stringify(payload);
    const refused = await analytics.tracker.post(track, body, json);
    expect(refused).toBeInvalid(place);
    expect(refused.body).toEqual(
      invalidBody([
        expect.objectContaining({
          type: expect.any(String) as string,
          msg: expect.any(String) as string,
        }) as object,
      ]),
    );
  });

  it('that is not valid JSON is refused with the position of the fault', async () => {
    expect(await analytics.tracker.post(track, '{"event": ', json)).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'json_invalid', loc: ['body', 10] }] },
    });
  });

  it('that is refused is not stored; refusals for its meaning are counted', async () => {
    const site = newSite();
    await analytics.store(track, view(site));
    await analytics.tracker.post(track, view(site, { url: 'mailto:x@example.org' }));
    expect(await analytics.rows(site)).toHaveLength(1);
    expect(await analytics.figures(site)).toMatchObject({
      left_out: { dropped: { url_scheme: 1 } },
    });
  });
});
