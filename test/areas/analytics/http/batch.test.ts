import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { dayMs } from '../../../../src/lib/durations.ts';
import { batch, newSite, type Result, useAnalytics, view } from '../support.ts';

const analytics = await useAnalytics();

const views = (site: string, count: number) =>
  Array.from({ length: count }, (_, index) => view(site, { url: `/${index}` }));

describe('a batch of events', () => {
  it.each(['/analytics/batch', '/analytics/batch/'])(
    'sent to %s is stored with the events of all sites',
    async (url) => {
      const [one, two] = [newSite(), newSite()];
      const events = [view(one), view(two), view(one, { event: 'buy' })];
      expect(await analytics.store(url, { events })).toMatchObject({
        accepted: 3,
        duplicates: 0,
        rejected: [],
        dropped: [],
      });
      expect(await analytics.rows(one)).toHaveLength(2);
      expect(await analytics.rows(two)).toHaveLength(1);
    },
  );

  it('is stored but for invalid events, which are listed with index, reason and id', async () => {
    const site = newSite();
    const [good, bad] = [randomUUID(), randomUUID()];
    const { accepted, rejected } = await analytics.store(batch, {
      events: [
        view(site, { id: good }),
        { url: '/', site_id: site, id: bad },
        'nonsense',
        view(site, { url: 'ftp://example.org/' }),
        null,
        view(site, { id: 'not-a-uuid' }),
        view(site, { timestamp: '2001-01-01T00:00:00Z', id: randomUUID() }),
        view(site, { url: '/last' }),
      ],
    });
    expect(accepted).toBe(2);
    expect(rejected.map(({ index, code, field }) => [index, code, field])).toEqual([
      [1, 'invalid', 'event'],
      [2, 'invalid', undefined],
      [3, 'url_scheme', 'url'],
      [4, 'invalid', undefined],
      [5, 'invalid', 'id'],
      [6, 'timestamp_too_old', 'timestamp'],
    ]);
    expect(rejected[0]?.id).toBe(bad);
    expect(rejected[4]?.id).toBe('not-a-uuid');
    for (const { message } of rejected) expect(message).not.toBe('');
    const rows = await analytics.rows(site);
    expect(rows.map((row) => row.pathname).sort()).toEqual(['/', '/last']);
    expect(rows.map((row) => row.id)).toContain(good);
    // Two of the invalid events name no site, so they count for every site.
    expect(await analytics.figures(site)).toMatchObject({
      left_out: { dropped: { invalid: 4, url_scheme: 1, timestamp_too_old: 1 } },
    });
  });

  it('is answered with 200 even when all of its events are rejected', async () => {
    expect(await analytics.store(batch, { events: [{}, 1] })).toMatchObject({
      accepted: 0,
      rejected: [{ index: 0 }, { index: 1 }],
    });
  });

  it('is stored but for events of more than 32 KiB', async () => {
    const site = newSite();
    const id = randomUUID();
    const big = (bytes: number, text = 'x') =>
      view(site, { id, unknown: text.repeat(bytes / Buffer.byteLength(text)) });
    const events = [
      view(site),
      big(33 * 1024),
      big(33 * 1024, 'ü'),
      view(site, { props: { nested: 'NESTED' } }),
    ];
    const [open, close] = ['['.repeat(40), ']'.repeat(40)];
    const deep = `${open}${' '.repeat(33 * 1024)}"${'x'.repeat(33 * 1024)}"${close}`;
    const { status, body } = await analytics.tracker
      .as({ 'content-type': 'application/json' })
      .post<Result>(batch, JSON.stringify({ events }).replace('"NESTED"', deep));
    expect({ status, accepted: body.accepted }).toEqual({ status: 200, accepted: 1 });
    expect(body.rejected.map(({ index, code, id: named }) => [index, code, named])).toEqual([
      [1, 'event_too_large', id],
      [2, 'event_too_large', id],
      [3, 'event_too_large', undefined],
    ]);
    expect(await analytics.store(batch, { events: [big(31 * 1024)] })).toMatchObject({
      accepted: 1,
      rejected: [],
    });
    expect(await analytics.rows(site)).toHaveLength(2);
    expect(await analytics.figures(site)).toMatchObject({
      left_out: { dropped: { event_too_large: 3 } },
    });
  });

  it('is corrected for the clock skew that its sent_at shows', async () => {
    const site = newSite();
    const wrong = Date.now() - 40 * dayMs;
    const events = [
      view(site, { timestamp: wrong - 60_000 }),
      view(site, { timestamp: new Date(wrong - 1000).toISOString() }),
    ];
    expect(await analytics.store(batch, { sent_at: wrong, events })).toMatchObject({
      accepted: 2,
      rejected: [],
    });
    const [rows, now] = [await analytics.rows(site), Date.now()];
    const [near = NaN, far = NaN] = rows
      .map((row) => now - Date.parse(String(row.timestamp)))
      .sort((a, b) => a - b);
    expect(near).toBeLessThan(16_000);
    expect(far - near).toBe(59_000);
  });

  it.each([0, 8_000_000_000_000_000, '9999-12-31T23:59:59Z', '0000-01-01T00:00:00Z'])(
    'is stored with plausible times despite the sent_at %s',
    async (sentAt) => {
      const site = newSite();
      for (const sender of [analytics.tracker, analytics.admin]) {
        const events = [view(site, { timestamp: Date.now() }), view(site)];
        expect(await sender.post(batch, { sent_at: sentAt, events })).toMatchObject({
          status: 200,
        });
      }
      const times = (await analytics.rows(site)).map((row) => Date.parse(String(row.timestamp)));
      expect(times.length).toBeGreaterThanOrEqual(2);
      for (const time of times) expect(time).toBeLessThanOrEqual(Date.now());
      expect(analytics.app.log()).not.toContain('could not be stored');
    },
  );

  it('may have 500 events without a key and 2,000 with a write key', async () => {
    const site = newSite();
    const reader = await analytics.key('analytics:read');
    const writer = await analytics.key('analytics:write');
    const { tracker } = analytics;
    const send = (by = tracker, count = 1) => by.post(batch, { events: views(site, count) });
    expect(await send(tracker, 500)).toMatchObject({ status: 200 });
    expect(await send(tracker, 501)).toBeProblem(413, 'analytics.too_many_events');
    expect(await send(reader, 501)).toBeProblem(413, 'analytics.too_many_events');
    expect(await send(writer, 2000)).toMatchObject({ status: 200 });
    expect(await send(writer, 2001)).toBeProblem(413, 'analytics.too_many_events');
    expect(await analytics.rows(site)).toHaveLength(2500);
  });

  it.each([
    ['no events', { events: [] }, 'body.events'],
    ['events that are not a list', { events: {} }, 'body.events'],
    ['a bare list', [{}], 'body'],
    ['a bad sent_at', { events: [{}], sent_at: 'soon' }, 'body.sent_at'],
  ])('is refused with %s', async (_, payload, place) => {
    expect(await analytics.tracker.post(batch, payload)).toBeInvalid(place);
  });
});
