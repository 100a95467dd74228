import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin } from '../../../support/app.ts';
import { type IngestClient, newSite, openIngest, track } from './ingest-client.ts';

let client: IngestClient;
beforeAll(async () => {
  client = await openIngest();
});
afterAll(() => client.close());

const view = (site: string, more: object = {}) => ({
  event: 'pageview',
  url: '/',
  site_id: site,
  ...more,
});
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

describe('POST /analytics/track › 200', () => {
  it.each(['/analytics/track', '/analytics/track/'])(
    '%s stores the event and reports it as accepted',
    async (url) => {
      const site = newSite();
      const result = await client.store(url, {
        event: 'signup',
        url: 'https://www.example.org/start?plan=a',
        site_id: site,
      });
      expect(result).toEqual({
        accepted: 1,
        duplicates: 0,
        rejected: [],
        dropped: [],
        request_id: expect.stringMatching(/^[\w.-]{8,}$/) as string,
      });
      const rows = await client.rows(site);
      expect(rows).toHaveLength(1);
      expect(rows[0]).toMatchObject({
        event: 'signup',
        hostname: 'example.org',
        pathname: '/start',
        query: 'plan=a',
        site_id: site,
        bot: false,
      });
    },
  );

  it('accepts the field names of other trackers', async () => {
    const site = newSite();
    await client.store(track, {
      n: 'buy',
      u: 'https://shop.example/cart',
      d: site,
      r: 'https://duckduckgo.com/',
      p: { colour: 'red' },
    });
    await client.store(track, { name: 'look', url: '/shelf', domain: site });
    await client.store(track, {
      name: 'ignored',
      event: 'wins',
      u: '/other',
      url: '/own',
      website: 'other',
      site_id: site,
    });
    const rows = await client.rows(site);
    expect(rows.sort((a, b) => String(a.event).localeCompare(String(b.event)))).toMatchObject([
      { event: 'buy', pathname: '/cart', source: 'DuckDuckGo', props: { colour: 'red' } },
      { event: 'look', pathname: '/shelf' },
      { event: 'wins', pathname: '/own' },
    ]);
  });

  it('stores every field', async () => {
    const site = newSite();
    const id = randomUUID();
    await client.store(
      track,
      view(site, {
        event: 'order',
        id,
        title: 'Thanks',
        props: { size: 3, gift: true, note: 'ß' },
        revenue: { amount: 12.5, currency: 'EUR' },
        user_id: 'u-1',
        screen: '1920x1080',
        language: 'de-AT',
        interactive: false,
        scroll_depth: 40,
        engagement_ms: 1500,
        lcp: 900,
        cls: 0.1,
        tag: 'beta',
        session_id: 's1',
      }),
    );
    expect((await client.rows(site))[0]).toMatchObject({
      id,
      event: 'order',
      title: 'Thanks',
      props: { size: '3', gift: 'true', note: 'ß' },
      revenue_currency: 'EUR',
      user_id: 'u-1',
      screen: '1920x1080',
      interactive: false,
      scroll_depth: 40,
      engagement_ms: 1500,
      tag: 'beta',
      browser: 'Chrome',
      device: 'desktop',
    });
  });

  it('reports the parts it left out', async () => {
    const site = newSite();
    const many = Object.fromEntries(Array.from({ length: 32 }, (_, index) => [`p${index}`, index]));
    const { accepted, dropped } = await client.store(
      track,
      view(site, { props: { ...many, deep: { a: 1 } } }),
    );
    expect(accepted).toBe(1);
    expect(dropped.map(({ reason }) => reason).sort()).toEqual([
      'prop_not_flat',
      'props_over_limit',
      'props_over_limit',
    ]);
    const [row] = await client.rows(site);
    expect(Object.keys(row?.props as object)).toHaveLength(30);
  });

  it('replaces lone surrogates, which no export could write', async () => {
    const site = newSite();
    const text = JSON.stringify(
      view(site, { title: 'a HALF b \\ud800', props: { HALF: 1, OTHER: 2, '😀': '😀' } }),
    );
    const body = text.replaceAll('HALF', '\\ud800').replaceAll('OTHER', '\\udc01');
    expect(
      (await client.ask('POST', track, { 'content-type': 'application/json' }, body)).status,
    ).toBe(200);
    const [row] = await client.rows(site);
    expect(row).toMatchObject({ title: 'a \ufffd b \\ud800' });
    expect(row?.props).toEqual({ '\ufffd': '2', '😀': '😀' });
    expect(await client.figures(site, '&filter=props.x:is:1')).toMatchObject({
      totals: { pageviews: 0 },
    });
  });

  it('keeps NUL characters in names and values', async () => {
    const site = newSite();
    await client.store(
      track,
      view(site, { title: 'a\u0000b', props: { 'a\u0000b': 1, 'a\u0000c': 'x\u0000y' } }),
    );
    expect(await client.rows(site)).toMatchObject([
      { title: 'a\u0000b', props: { 'a\u0000b': '1', 'a\u0000c': 'x\u0000y' } },
    ]);
  });

  it('accepts an RFC 3339 timestamp or Unix milliseconds', async () => {
    const site = newSite();
    const time = hoursAgo(2);
    await client.store(track, view(site, { timestamp: time }));
    await client.store(track, view(site, { timestamp: Date.parse(time) }));
    await client.store(track, view(site, { timestamp: time.replace('Z', '+00:00') }));
    expect((await client.rows(site)).map((row) => row.timestamp)).toEqual([time, time, time]);
  });

  it('clamps a time in the future, and reports it when over a minute', async () => {
    const site = newSite();
    const soon = await client.store(track, view(site, { timestamp: Date.now() + 20_000 }));
    const later = await client.store(track, view(site, { timestamp: Date.now() + 3_600_000 }));
    expect({ soonDropped: soon.dropped, laterDropped: later.dropped }).toEqual({
      soonDropped: [],
      laterDropped: [{ index: 0, reason: 'timestamp_clamped', field: 'timestamp' }],
    });
    for (const row of await client.rows(site))
      expect(Date.parse(String(row.timestamp))).toBeLessThanOrEqual(Date.now());
  });

  it('accepts a time of any age with a write key, of at most 72 hours without', async () => {
    const site = newSite();
    const old = '2019-03-01T12:00:00.000Z';
    expect((await client.ask('POST', track, asAdmin, view(site, { timestamp: old }))).status).toBe(
      200,
    );
    expect(
      (await client.ask('POST', track, {}, view(site, { timestamp: hoursAgo(71) }))).status,
    ).toBe(200);
    const refused = await client.ask('POST', track, {}, view(site, { timestamp: hoursAgo(73) }));
    expect(refused.status).toBe(422);
    expect(refused.body.detail).toMatchObject([
      { type: 'value_error', loc: ['body', 'timestamp'], ctx: { code: 'timestamp_too_old' } },
    ]);
    expect(await client.rows(site)).toHaveLength(2);
  });
});

describe('POST /analytics/track › 422', () => {
  const bad: [string, unknown, (string | number)[]][] = [
    ['nothing', undefined, ['body']],
    ['no event', { url: '/', site_id: 's' }, ['body', 'event']],
    ['no url', { event: 'a', site_id: 's' }, ['body', 'url']],
    ['no site', { event: 'a', url: '/' }, ['body', 'site_id']],
    ['an empty event', { event: '  ', url: '/', site_id: 's' }, ['body', 'event']],
    ['control characters', { event: 'a\u0007', url: '/', site_id: 's' }, ['body', 'event']],
    ['C1 control characters', { event: 'a\u009b2J', url: '/', site_id: 's' }, ['body', 'event']],
    ['an id that is not a UUID', { event: 'a', url: '/', site_id: 's', id: '42' }, ['body', 'id']],
    ['a number as event', { event: 42, url: '/', site_id: 's' }, ['body', 'event']],
    [
      'another scheme (semantic)',
      { event: 'a', url: 'javascript:alert(1)', site_id: 's' },
      ['body', 'url'],
    ],
    [
      'a url of 2,049 bytes',
      { event: 'a', url: `/${'ü'.repeat(1100)}`, site_id: 's' },
      ['body', 'url'],
    ],
    ['an array', [], ['body']],
    ['an empty user id', { event: 'a', url: '/', site_id: 's', user_id: '' }, ['body', 'user_id']],
    [
      'a placeholder as user id',
      { event: 'a', url: '/', site_id: 's', user_id: 'undefined' },
      ['body', 'user_id'],
    ],
  ];

  it.each(bad)('refuses %s', async (_, payload, loc) => {
    const answer = await client.ask(
      'POST',
      track,
      { 'content-type': 'application/json' },
      payload === undefined ? '' : JSON.stringify(payload),
    );
    expect(answer.status).toBe(422);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(Object.keys(answer.body)).toEqual(['detail']);
    expect((answer.body.detail as { loc: unknown }[]).map((detail) => detail.loc)).toContainEqual(
      loc,
    );
    for (const detail of answer.body.detail as object[])
      expect(detail).toMatchObject({
        type: expect.any(String) as string,
        msg: expect.any(String) as string,
      });
  });

  it('refuses invalid JSON, with its position', async () => {
    const answer = await client.ask(
      'POST',
      track,
      { 'content-type': 'application/json' },
      '{"event": ',
    );
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toMatchObject([{ type: 'json_invalid', loc: ['body', 10] }]);
  });

  it('stores nothing of a refused event, and counts semantic refusals', async () => {
    const site = newSite();
    await client.store(track, view(site));
    await client.ask('POST', track, {}, view(site, { url: 'mailto:x@example.org' }));
    expect(await client.rows(site)).toHaveLength(1);
    expect(await client.figures(site)).toMatchObject({ left_out: { dropped: { url_scheme: 1 } } });
  });
});
