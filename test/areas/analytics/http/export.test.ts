import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { asAdmin } from '../../../support/app.ts';
import { batch, type IngestClient, newSite, openIngest, type Row, track } from './ingest-client.ts';

const exportUrl = '/analytics/export/events/';
const view = (site: string, more: object = {}) => ({
  event: 'pageview',
  url: '/',
  site_id: site,
  ...more,
});
const lines = (text: string): Row[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'export-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function listen(client: IngestClient): Promise<number> {
  await client.app.http.listen({ port: 0, host: '127.0.0.1' });
  return (client.app.http.server.address() as AddressInfo).port;
}

async function storeEvents(client: IngestClient, site: string, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 2000) {
    // Incompressible data spans many blocks of the file, which are not all read up front.
    const events = Array.from({ length: 2000 }, () =>
      view(site, { id: randomUUID(), props: { text: randomUUID() } }),
    );
    await client.store(batch, { events }, asAdmin);
  }
  await client.app.applied();
}

/** Starts an export over a real socket and resolves with the response once its headers arrive. */
async function startExport(port: number, body: object): Promise<IncomingMessage> {
  const request = httpRequest({
    port,
    path: exportUrl,
    method: 'POST',
    agent: false,
    headers: { ...asAdmin, 'content-type': 'application/json' },
  });
  request.on('error', () => undefined);
  request.end(JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

describe('POST /analytics/export/events', () => {
  let client: IngestClient;
  const site = newSite();
  const other = newSite();
  beforeAll(async () => {
    client = await openIngest();
    const day = (text: string) => ({ timestamp: `${text}T12:00:00Z` });
    await client.store(
      batch,
      {
        events: [
          view(site, {
            id: '018f0000-0000-7000-8000-000000000001',
            ...day('2026-01-01'),
            title: 'He said "no", twice\nand left',
            props: { plan: 'a,b' },
          }),
          view(site, {
            id: '018f0000-0000-7000-8000-000000000002',
            ...day('2026-01-02'),
            event: 'buy',
            revenue: { amount: '9.5000', currency: 'EUR' },
          }),
          view(site, {
            id: '018f0000-0000-7000-8000-000000000003',
            ...day('2026-01-03'),
            url: '/ü?x=1',
          }),
          view(other, { id: '018f0000-0000-7000-8000-000000000004', ...day('2026-01-02') }),
        ],
      },
      asAdmin,
    );
    await client.app.applied();
  });
  afterAll(() => client.close());

  const ask = (body?: object, headers: Record<string, string> = asAdmin) =>
    client.ask('POST', exportUrl, headers, body);
  const tails = (rows: readonly Row[]) =>
    rows
      .map(({ id }) => id.slice(-1))
      .sort()
      .join('');

  it('survives any site id that an anonymous client sends', async () => {
    const names = [
      'half\ud800',
      'half\udfff',
      '\ud83d',
      'gpj.\u202eexe',
      'a\u2028b',
      'a\u2066b',
      'a\u0085b',
    ];
    for (const name of names)
      expect({ name, status: (await client.ask('POST', track, {}, view(name))).status }).toEqual({
        name,
        status: 422,
      });
    expect((await client.ask('POST', track, {}, view('half\ufffd'))).status).toBe(200);
    await client.app.applied();
    for (const format of ['ndjson', 'csv', 'parquet'])
      expect({ format, status: (await ask({ format, site_id: site })).status }).toEqual({
        format,
        status: 200,
      });
    expect(
      (
        await client.ask('PATCH', `/analytics/sites/${encodeURIComponent('half\ufffd')}`, asAdmin, {
          closed: true,
        })
      ).status,
    ).toBe(200);
    const rest = await ask({ site_id: 'half\ufffd' });
    expect(lines(rest.text).map(({ site_id: of }) => of)).toEqual(['half\ufffd']);
  });

  it.each([exportUrl, exportUrl.slice(0, -1)])(
    '%s without a body returns all events of all sites as NDJSON',
    async (url) => {
      const answer = await client.ask('POST', url, asAdmin);
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/x-ndjson; charset=utf-8',
        'content-disposition': 'attachment; filename="events.ndjson"',
        'cache-control': 'no-store',
      });
      const rows = lines(answer.text);
      expect(tails(rows.filter(({ site_id: of }) => of === site || of === other))).toBe('1234');
      expect(rows.find((row) => row.id.endsWith('1'))).toMatchObject({
        timestamp: '2026-01-01T12:00:00.000Z',
        site_id: site,
        event: 'pageview',
        title: 'He said "no", twice\nand left',
        props: { plan: 'a,b' },
        bot: false,
      });
    },
  );

  it('selects by site, time, filter and columns', async () => {
    expect(tails(lines((await ask({ site_id: site })).text))).toBe('123');
    expect(tails(lines((await ask({ site_id: site, from: '2026-01-02' })).text))).toBe('23');
    expect(tails(lines((await ask({ site_id: site, to: '2026-01-02' })).text))).toBe('1');
    expect(
      tails(
        lines((await ask({ from: '2026-01-02T12:00:00Z', to: '2026-01-02T12:00:00.001Z' })).text),
      ),
    ).toBe('24');
    expect(tails(lines((await ask({ filter: 'event:is:buy' })).text))).toBe('2');
    expect(
      tails(lines((await ask({ filter: ['event:is:pageview', 'page:is:/'], site_id: site })).text)),
    ).toBe('1');
    const [row] = lines(
      (
        await ask({
          site_id: site,
          filter: 'event:is:buy',
          columns: ['event', 'revenue_currency', 'event'],
        })
      ).text,
    );
    expect(row).toEqual({
      id: '018f0000-0000-7000-8000-000000000002',
      event: 'buy',
      revenue_currency: 'EUR',
    });
  });

  it('returns CSV as in RFC 4180', async () => {
    const answer = await ask({
      format: 'csv',
      site_id: site,
      columns: ['event', 'title', 'pathname'],
      to: '2026-01-03',
    });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="events.csv"',
    });
    const [head, ...rest] = answer.text.split('\n');
    expect(head).toBe('id,event,title,pathname');
    expect(rest.join('\n')).toContain(
      '"018f0000-0000-7000-8000-000000000001","pageview","He said ""no"", twice\nand left","/"\n',
    );
    expect(rest.join('\n')).toContain('"018f0000-0000-7000-8000-000000000002","buy",,"/"\n');
  });

  it('returns a Parquet file', async () => {
    const folder = await temporaryFolder();
    const answer = await client.app.http.inject({
      method: 'POST',
      url: exportUrl,
      headers: asAdmin,
      payload: { format: 'parquet', site_id: site },
    });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/vnd.apache.parquet',
      'content-disposition': 'attachment; filename="events.parquet"',
    });
    const file = join(folder, 'events.parquet');
    await writeFile(file, answer.rawPayload);
    const database = await DuckDBInstance.create(':memory:');
    const connection = await database.connect();
    const result = await connection.runAndReadAll(
      `SELECT id, event, site_id FROM '${file}' ORDER BY id`,
    );
    expect(result.getRows().map((row) => row.join(' '))).toEqual(
      ['1 pageview', '2 buy', '3 pageview'].map(
        (text) => `018f0000-0000-7000-8000-00000000000${text} ${site}`,
      ),
    );
    connection.closeSync();
  });

  it.each(['ndjson', 'csv', 'parquet'])(
    'returns valid %s when no event matches',
    async (format) => {
      const answer = await ask({ format, site_id: site, from: '2030-01-01' });
      expect(answer.status).toBe(200);
      if (format === 'ndjson') expect(answer.text).toBe('');
      if (format === 'csv') expect(answer.text).toMatch(/^id,timestamp,[\w,]+\n$/);
      if (format === 'parquet') expect(answer.text).toMatch(/^PAR1/);
    },
  );

  it('requires a key that may read: 401, 403', async () => {
    const writer = await client.keyWith('analytics:write');
    expect((await ask({}, {})).status).toBe(401);
    expect((await ask({}, writer)).status).toBe(403);
    expect((await ask({}, await client.keyWith('analytics:read'))).status).toBe(200);
  });

  it('404 for an unknown site; 400 for a bad pattern, before anything is sent', async () => {
    expect((await ask({ site_id: 'nobody' })).body).toMatchObject({
      status: 404,
      code: 'analytics.site_unknown',
    });
    expect((await ask({ filter: 'page:matches:(' })).body).toMatchObject({
      status: 400,
      code: 'analytics.bad_pattern',
    });
    expect((await ask({ filter: 'page:matches:(', format: 'parquet' })).body).toMatchObject({
      status: 400,
      code: 'analytics.bad_pattern',
    });
  });

  it.each([
    [{ format: 'xlsx' }, 'format'],
    [{ from: 'yesterday' }, 'from'],
    [{ to: '2026-13-01' }, 'to'],
    [{ columns: [] }, 'columns'],
    [{ columns: ['ip'] }, 'columns'],
    [{ filter: 'x' }, 'filter'],
    [{ site_id: '' }, 'site_id'],
  ])('422 for %o', async (body, field) => {
    const answer = await ask(body);
    expect(answer.status).toBe(422);
    expect(
      (answer.body.detail as { loc: unknown[] }[]).map(({ loc }) => loc.slice(0, 2)),
    ).toContainEqual(['body', field]);
  });
});

describe('a client that disconnects during an export', () => {
  it('leaves no message port open', async () => {
    const client = await openIngest();
    onTestFinished(client.close);
    const port = await listen(client);
    const site = newSite();
    await storeEvents(client, site, 20_000);
    const ports = () =>
      process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
    const idle = ports();
    const finished = () => client.app.log().split('export finished').length - 1;
    for (let times = 0; times < 6; times += 1) {
      const response = await startExport(port, {
        site_id: site,
        format: times % 3 === 2 ? 'parquet' : 'ndjson',
      });
      await once(response, 'readable');
      response.destroy();
    }
    await vi.waitFor(() => expect(ports()).toBe(idle), { timeout: 10_000 });
    // A Parquet file of this size is sent before the client disconnects.
    expect(finished()).toBeLessThanOrEqual(2);
    const before = finished();
    expect(await client.rows(site)).toHaveLength(20_000);
    expect(finished()).toBe(before + 1);
    expect((await client.ask('POST', track, {}, view(site, { id: randomUUID() }))).status).toBe(
      200,
    );
  }, 60_000);
});
