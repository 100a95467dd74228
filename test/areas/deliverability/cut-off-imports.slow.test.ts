import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { adminKey, asAdmin, freshApp, type FreshApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { findPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { listen } from '../../support/sockets.ts';

const zonesPath = '/api/v1/deliverability/zones';
const polling = { timeout: 10_000, interval: 20 };
const many = 300;
const zoneRows = Array.from({ length: many }, (_, at) => `Zone ${at},US,${10_000 + at}\r\n`);
const csv = `name,country,codes\r\n${zoneRows.join('')}`;
const before = { name: 'Before', country: 'US', codes: ['94107'] };

/** Two replicas over one PostgreSQL. */
describe.skipIf(findPostgres() === undefined)('an interrupted import of zones', () => {
  let server: TestPostgres;
  let admin: pg.Client;
  let one: FreshApp;
  let other: FreshApp;
  let port: number;

  beforeAll(async () => {
    server = await startPostgres();
    admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    one = await freshApp({ databaseUrl: server.url });
    other = await freshApp({ databaseUrl: server.url });
    port = await listen(one);
  }, 90_000);
  afterEach(() => admin.query('delete from delivery_zones; delete from audit_events'));
  afterAll(async () => {
    await Promise.all([one.close(), other.close()]);
    await admin.end();
    await server.stop();
  }, 60_000);

  const zonesOf = (app: FreshApp) => new TestClient(app).as(asAdmin).at(zonesPath);
  const storeBefore = () => zonesOf(one).post('/bulk', { zones: [before] });
  const importInto = (app: FreshApp) =>
    zonesOf(app).post('/import?replace=true', csv, { headers: { 'content-type': 'text/csv' } });

  /** Counts the stored zones, their intervals, and the audit entries of imports. */
  async function stored() {
    const {
      rows: [row],
    } = await admin.query<{
      zones: number;
      areas: number;
      notes: number;
    }>(`select
      (select count(*)::int from delivery_zones) zones,
      (select count(*)::int from delivery_intervals) areas,
      (select count(*)::int from audit_events
        where action = 'deliverability.zones_imported') notes`);
    return row;
  }

  /** Blocks the audit log, the last write of an import, until the returned function is called. */
  async function hold(): Promise<() => Promise<void>> {
    const holder = new pg.Client({ connectionString: server.url });
    await holder.connect();
    await holder.query('begin; lock table audit_events in access exclusive mode');
    let held = true;
    const letGo = async () => {
      if (held) await holder.end();
      held = false;
    };
    onTestFinished(letGo);
    return letGo;
  }

  const untilAtTheEnd = () =>
    vi.waitFor(async () => {
      const { rows } = await admin.query<{ pid: number }>(
        `select pid from pg_stat_activity
        where application_name = 'platform-service' and wait_event_type = 'Lock'
          and query ilike '%insert into audit_events%'`,
      );
      const [{ pid } = { pid: undefined }] = rows;
      if (pid === undefined) throw new Error('not there yet');
      return pid;
    }, polling);

  const head = (length: string) =>
    `POST ${zonesPath}/import?replace=true HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n` +
    `authorization: Bearer ${adminKey}\r\ncontent-type: text/csv\r\n${length}\r\n\r\n`;

  /** Sends text, and resets the connection once `isReady` resolves. */
  async function sendAndLeave(text: string, isReady: () => Promise<unknown>): Promise<void> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    await new Promise<void>((resolve) => void socket.write(text, () => resolve()));
    await isReady();
    socket.resetAndDestroy();
  }

  const againIsClean = async () => {
    const response = await importInto(other);
    expect(response.body).toMatchObject({ total: many });
    expect(await stored()).toMatchObject({ zones: many, areas: many });
  };

  const chunked = 'transfer-encoding: chunked';
  const half = csv.slice(0, csv.length / 2);
  it.each([
    ['of a length that was told', `content-length: ${csv.length}`, half],
    ['in chunks', chunked, `${csv.length.toString(16)}\r\n${csv}\r\n`],
    ['in chunks, in the middle of one', chunked, `${(csv.length * 2).toString(16)}\r\n${csv}`],
  ])('during upload, %s, stores nothing and deletes nothing', async (_name, length, body) => {
    await storeBefore();
    const arrived = once(one.http.server, 'request');
    let request: IncomingMessage | undefined;
    await sendAndLeave(head(length) + body, async () => {
      [request] = (await arrived) as [IncomingMessage];
    });
    await vi.waitFor(
      () => expect(request).toMatchObject({ destroyed: true, complete: false }),
      polling,
    );
    expect(await stored()).toEqual({ zones: 1, areas: 1, notes: 1 });
    await againIsClean();
  });

  it('after upload, by the client, is seen completely or not at all', async () => {
    await storeBefore();
    const letGo = await hold();
    await sendAndLeave(head(`content-length: ${csv.length}`) + csv, untilAtTheEnd);
    expect((await zonesOf(other).get('')).body).toMatchObject({
      total: 1,
      data: [{ name: 'Before' }],
    });
    await letGo();
    await vi.waitFor(
      async () => expect(await stored()).toEqual({ zones: many, areas: many, notes: 2 }),
      polling,
    );
    await againIsClean();
  });

  it('by a lost connection to the database changes nothing, and lets others write', async () => {
    await storeBefore();
    const letGo = await hold();
    const cut = importInto(one);
    const pid = await untilAtTheEnd();
    await admin.query('select pg_terminate_backend($1)', [pid]);
    expect(await cut).toMatchObject({ status: 503 });
    await letGo();
    expect(await stored()).toEqual({ zones: 1, areas: 1, notes: 1 });
    await againIsClean();
  });
});
