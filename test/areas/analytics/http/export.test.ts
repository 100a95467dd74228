import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { asAdmin } from '../../../support/app.ts';
import { listen } from '../../../support/sockets.ts';
import { type Row, rowsIn } from '../site-data.ts';
import {
  batch,
  beginRequest,
  expectReadersOnly,
  exportUrl,
  newSite,
  track,
  useAnalytics,
  view,
} from '../support.ts';

const analytics = await useAnalytics();

const ask = (body?: object, by = analytics.admin) => by.post(exportUrl, body);

/** Starts an export over a real socket and resolves with the response once its headers arrive. */
async function startExport(port: number, body: object): Promise<IncomingMessage> {
  const headers = { ...asAdmin, 'content-type': 'application/json' };
  const request = beginRequest(port, 'POST', exportUrl, headers);
  request.end(JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

describe('an export of events', () => {
  const [site, other] = [newSite(), newSite()];
  const idOf = (digit: number) => `018f0000-0000-7000-8000-00000000000${digit}`;
  const event = (digit: number, day: string, more: object = {}) =>
    view(site, { id: idOf(digit), timestamp: `2026-01-${day}T12:00:00Z`, ...more });
  const title = 'He said "no", twice\nand left';
  beforeAll(() =>
    analytics.fill(
      event(1, '01', { title, props: { plan: 'a,b' } }),
      event(2, '02', { event: 'buy', revenue: { amount: '9.5000', currency: 'EUR' } }),
      event(3, '03', { url: '/ü?x=1' }),
      event(4, '02', { site_id: other }),
    ),
  );

  /** The last digits of the ids. */
  const digits = (rows: readonly Row[]) =>
    rows
      .map(({ id }) => id.slice(-1))
      .sort()
      .join('');

  it.each([
    'half\ud800',
    'half\udfff',
    '\ud83d',
    'gpj.\u202eexe',
    'a\u2028b',
    'a\u2066b',
    'a\u0085b',
  ])('cannot hold the site id %j, which events may not have', async (name) => {
    expect(await analytics.tracker.post(track, view(name))).toMatchObject({ status: 422 });
  });

  it('holds a site whose id has a replacement character', async () => {
    expect(await analytics.tracker.post(track, view('half\ufffd'))).toMatchObject({ status: 200 });
    await analytics.app.applied();
    for (const format of ['ndjson', 'csv', 'parquet'])
      expect(await ask({ format, site_id: site })).toMatchObject({ status: 200 });
    const url = `/analytics/sites/${encodeURIComponent('half\ufffd')}`;
    expect(await analytics.admin.patch(url, { closed: true })).toMatchObject({ status: 200 });
    const rows = rowsIn((await ask({ site_id: 'half\ufffd' })).text);
    expect(rows.map(({ site_id: of }) => of)).toEqual(['half\ufffd']);
  });

  it.each([exportUrl, exportUrl.slice(0, -1)])(
    'at %s without a body has all events of all sites as NDJSON',
    async (url) => {
      const answer = await analytics.admin.post(url);
      expect(answer).toMatchObject({
        status: 200,
        headers: {
          'content-type': 'application/x-ndjson; charset=utf-8',
          'content-disposition': 'attachment; filename="events.ndjson"',
          'cache-control': 'no-store',
        },
      });
      const rows = rowsIn(answer.text);
      expect(digits(rows.filter(({ site_id: of }) => of === site || of === other))).toBe('1234');
      expect(rows.find((row) => row.id.endsWith('1'))).toMatchObject({
        timestamp: '2026-01-01T12:00:00.000Z',
        site_id: site,
        event: 'pageview',
        title,
        props: { plan: 'a,b' },
        bot: false,
      });
    },
  );

  it.each([
    [{ site_id: site }, '123'],
    [{ site_id: site, from: '2026-01-02' }, '23'],
    [{ site_id: site, to: '2026-01-02' }, '1'],
    [{ from: '2026-01-02T12:00:00Z', to: '2026-01-02T12:00:00.001Z' }, '24'],
    [{ filter: 'event:is:buy' }, '2'],
    [{ filter: ['event:is:pageview', 'page:is:/'], site_id: site }, '1'],
  ])('of %j has the selected events', async (selection, expected) => {
    expect(digits(rowsIn((await ask(selection)).text))).toBe(expected);
  });

  it('has the id and the requested columns, each once', async () => {
    const columns = ['event', 'revenue_currency', 'event'];
    const { text } = await ask({ site_id: site, filter: 'event:is:buy', columns });
    expect(rowsIn(text)).toEqual([{ id: idOf(2), event: 'buy', revenue_currency: 'EUR' }]);
  });

  it('is CSV as in RFC 4180', async () => {
    const columns = ['event', 'title', 'pathname'];
    const answer = await ask({ format: 'csv', site_id: site, columns, to: '2026-01-03' });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="events.csv"',
    });
    expect(answer.text).toMatch(/^id,event,title,pathname\n/);
    expect(answer.text).toContain(
      `\n"${idOf(1)}","pageview","He said ""no"", twice\nand left","/"\n`,
    );
    expect(answer.text).toContain(`\n"${idOf(2)}","buy",,"/"\n`);
  });

  it('is a Parquet file that DuckDB reads', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'export-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const { headers, bytes } = await ask({ format: 'parquet', site_id: site });
    expect(headers).toMatchObject({
      'content-type': 'application/vnd.apache.parquet',
      'content-disposition': 'attachment; filename="events.parquet"',
    });
    const file = join(folder, 'events.parquet');
    await writeFile(file, bytes);
    const database = await DuckDBInstance.create(':memory:');
    const connection = await database.connect();
    const result = await connection.runAndReadAll(
      `SELECT id, event, site_id FROM '${file}' ORDER BY id`,
    );
    expect(result.getRows().map((row) => row.join(' '))).toEqual([
      `${idOf(1)} pageview ${site}`,
      `${idOf(2)} buy ${site}`,
      `${idOf(3)} pageview ${site}`,
    ]);
    connection.closeSync();
  });

  it.each([
    ['ndjson', /^$/],
    ['csv', /^id,timestamp,[\w,]+\n$/],
    ['parquet', /^PAR1/],
  ])('as %s is valid when no event matches', async (format, text) => {
    expect(await ask({ format, site_id: site, from: '2030-01-01' })).toMatchObject({
      status: 200,
      text: expect.stringMatching(text) as string,
    });
  });

  it('requires a key that may read', async () => {
    await expectReadersOnly(analytics, (by) => ask({}, by));
  });

  it.each([
    [{ site_id: 'nobody' }, 404, 'analytics.site_unknown'],
    [{ filter: 'page:matches:(' }, 400, 'analytics.bad_pattern'],
    [{ filter: 'page:matches:(', format: 'parquet' }, 400, 'analytics.bad_pattern'],
  ])('of %j is refused before anything is sent', async (body, status, code) => {
    expect(await ask(body)).toBeProblem(status, code);
  });

  it.each([
    [{ format: 'xlsx' }, 'format'],
    [{ from: 'yesterday' }, 'from'],
    [{ to: '2026-13-01' }, 'to'],
    [{ columns: [] }, 'columns'],
    [{ columns: ['ip'] }, 'columns.0'],
    [{ filter: 'x' }, 'filter'],
    [{ site_id: '' }, 'site_id'],
  ])('of %j is invalid', async (body, field) => {
    expect(await ask(body)).toBeInvalid(`body.${field}`);
  });
});

describe('a client that disconnects during an export', () => {
  async function storeEvents(site: string, count: number): Promise<void> {
    for (let sent = 0; sent < count; sent += 2000) {
      // Incompressible data spans many blocks of the file, which are not all read up front.
      const events = Array.from({ length: 2000 }, () =>
        view(site, { id: randomUUID(), props: { text: randomUUID() } }),
      );
      await analytics.store(batch, { events }, analytics.admin);
    }
    await analytics.app.applied();
  }

  it('leaves no message port open', async () => {
    const port = await listen(analytics.app);
    const site = newSite();
    await storeEvents(site, 20_000);
    const ports = () =>
      process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
    const idle = ports();
    const finished = () => analytics.app.log().split('export finished').length - 1;
    const earlier = finished();
    for (let times = 0; times < 6; times += 1) {
      const format = times % 3 === 2 ? 'parquet' : 'ndjson';
      const response = await startExport(port, { site_id: site, format });
      await once(response, 'readable');
      response.destroy();
    }
    await vi.waitFor(() => expect(ports()).toBe(idle), { timeout: 10_000 });
    // A Parquet file of this size is sent before the client disconnects.
    const before = finished();
    expect(before - earlier).toBeLessThanOrEqual(2);
    expect(await analytics.rows(site)).toHaveLength(20_000);
    expect(finished()).toBe(before + 1);
    expect(await analytics.store(track, view(site))).toMatchObject({ accepted: 1 });
  }, 60_000);
});
