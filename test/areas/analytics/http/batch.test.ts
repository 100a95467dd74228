import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin } from '../../../support/app.ts';
import { batch, type IngestClient, newSite, openIngest, type Result } from './ingest-client.ts';

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
const views = (site: string, count: number) =>
  Array.from({ length: count }, (_, index) => view(site, { url: `/${index}` }));

describe('POST /analytics/batch › 200', () => {
  it.each(['/analytics/batch', '/analytics/batch/'])(
    '%s stores all events of all sites',
    async (url) => {
      const [one, two] = [newSite(), newSite()];
      const result = await client.store(url, {
        events: [view(one), view(two), view(one, { event: 'buy' })],
      });
      expect(result).toMatchObject({ accepted: 3, duplicates: 0, rejected: [], dropped: [] });
      expect(await client.rows(one)).toHaveLength(2);
      expect(await client.rows(two)).toHaveLength(1);
    },
  );

  it('stores the valid events and lists the invalid ones with index, reason and id', async () => {
    const site = newSite();
    const [good, bad] = [randomUUID(), randomUUID()];
    const result = await client.store(batch, {
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
    expect(result.accepted).toBe(2);
    expect(result.rejected.map(({ index, code, field }) => [index, code, field])).toEqual([
      [1, 'invalid', 'event'],
      [2, 'invalid', undefined],
      [3, 'url_scheme', 'url'],
      [4, 'invalid', undefined],
      [5, 'invalid', 'id'],
      [6, 'timestamp_too_old', 'timestamp'],
    ]);
    expect(result.rejected[0]?.id).toBe(bad);
    expect(result.rejected[4]?.id).toBe('not-a-uuid');
    for (const { message } of result.rejected) expect(message).not.toBe('');
    const rows = await client.rows(site);
    expect(rows.map((row) => row.pathname).sort()).toEqual(['/', '/last']);
    expect(rows.map((row) => row.id)).toContain(good);
    // Two of the invalid events name no site, so they count for every site.
    expect(await client.figures(site)).toMatchObject({
      left_out: { dropped: { invalid: 4, url_scheme: 1, timestamp_too_old: 1 } },
    });
  });

  it('answers 200 with every event in `rejected` when all are invalid', async () => {
    const result = await client.store(batch, { events: [{}, 1] });
    expect(result).toMatchObject({ accepted: 0, rejected: [{ index: 0 }, { index: 1 }] });
  });

  it('rejects an event of more than 32 KiB and stores the others', async () => {
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
    const answer = await client.ask(
      'POST',
      batch,
      { 'content-type': 'application/json' },
      JSON.stringify({ events }).replace('"NESTED"', deep),
    );
    expect(answer.status).toBe(200);
    const result = answer.body as unknown as Result;
    expect(result.accepted).toBe(1);
    expect(result.rejected.map(({ index, code, id: named }) => [index, code, named])).toEqual([
      [1, 'event_too_large', id],
      [2, 'event_too_large', id],
      [3, 'event_too_large', undefined],
    ]);
    const fits = await client.store(batch, { events: [big(31 * 1024)] });
    expect(fits).toMatchObject({ accepted: 1, rejected: [] });
    expect(await client.rows(site)).toHaveLength(2);
    expect(await client.figures(site)).toMatchObject({
      left_out: { dropped: { event_too_large: 3 } },
    });
  });

  it('corrects clock skew by sent_at', async () => {
    const site = newSite();
    const wrong = Date.now() - 40 * 24 * 3_600_000;
    const result = await client.store(batch, {
      sent_at: wrong,
      events: [
        view(site, { timestamp: wrong - 60_000 }),
        view(site, { timestamp: new Date(wrong - 1000).toISOString() }),
      ],
    });
    expect(result).toMatchObject({ accepted: 2, rejected: [] });
    const [rows, now] = [await client.rows(site), Date.now()];
    const [near = NaN, far = NaN] = rows
      .map((row) => now - Date.parse(String(row.timestamp)))
      .sort((a, b) => a - b);
    expect(near).toBeLessThan(16_000);
    expect(far - near).toBe(59_000);
  });

  it('stores plausible times despite an absurd sent_at', async () => {
    const site = newSite();
    for (const sentAt of [
      0,
      8_000_000_000_000_000,
      '9999-12-31T23:59:59Z',
      '0000-01-01T00:00:00Z',
    ]) {
      for (const headers of [{}, asAdmin]) {
        const answer = await client.ask('POST', batch, headers, {
          sent_at: sentAt,
          events: [view(site, { timestamp: Date.now() }), view(site)],
        });
        expect(answer.status).toBe(200);
      }
    }
    const times = (await client.rows(site)).map((row) => Date.parse(String(row.timestamp)));
    expect(times.length).toBeGreaterThanOrEqual(8);
    for (const time of times) expect(time).toBeLessThanOrEqual(Date.now());
    expect(client.app.log()).not.toContain('could not be stored');
  });
});

describe('POST /analytics/batch › limits', () => {
  it('accepts 500 events without a key and 2,000 with a write key', async () => {
    const site = newSite();
    const reader = await client.keyWith('analytics:read');
    const writer = await client.keyWith('analytics:write');
    const status = async (count: number, headers = {}) =>
      (await client.ask('POST', batch, headers, { events: views(site, count) })).status;
    expect({
      first: await status(500),
      second: await status(501),
      third: await status(501, reader),
      fourth: await status(2000, writer),
      fifth: await status(2001, writer),
    }).toEqual({ first: 200, second: 413, third: 413, fourth: 200, fifth: 413 });
    const refused = await client.ask('POST', batch, {}, { events: views(site, 501) });
    expect(refused.body).toMatchObject({ status: 413, code: 'analytics.too_many_events' });
    expect(await client.rows(site)).toHaveLength(2500);
  });

  it.each([
    ['no events', { events: [] }, ['body', 'events']],
    ['events that are not a list', { events: {} }, ['body', 'events']],
    ['a bare list', [{}], ['body']],
    ['a bad sent_at', { events: [{}], sent_at: 'soon' }, ['body', 'sent_at']],
  ])('refuses %s with 422', async (_, payload, loc) => {
    const answer = await client.ask('POST', batch, {}, payload);
    expect(answer.status).toBe(422);
    const locations = (answer.body.detail as { loc: unknown[] }[]).map((detail) =>
      detail.loc.slice(0, loc.length),
    );
    expect(locations).toContainEqual(loc);
  });
});
