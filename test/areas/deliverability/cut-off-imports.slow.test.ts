import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { adminKey, asAdmin, freshApp, type FreshApp } from '../../support/app.ts';
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
  let [one, other]: FreshApp[] = [];
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
    await Promise.all([one?.close(), other?.close()]);
    await admin.end();
    await server.stop();
  }, 60_000);

  const post = (
    app: FreshApp | undefined,
    path: string,
    payload: string | object,
    type = 'text/csv',
  ) =>
    app?.http.inject({
      method: 'POST',
      url: `${zonesPath}${path}`,
      headers: { ...asAdmin, 'content-type': type },
      payload,
    });

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
    const response = await post(other, '/import?replace=true', csv);
    expect(response?.json()).toMatchObject({ total: many });
    expect(await stored()).toMatchObject({ zones: many, areas: many });
  };

  const chunked = 'transfer-encoding: chunked';
  const half = csv.slice(0, csv.length / 2);
  it.each([
    ['of a length that was told', `content-length: ${csv.length}`, half],
    ['in chunks', chunked, `${csv.length.toString(16)}\r\n${csv}\r\n`],
    ['in chunks, in the middle of one', chunked, `${(csv.length * 2).toString(16)}\r\n${csv}`],
  ])('during upload, %s, stores nothing and deletes nothing', async (_name, length, body) => {
    await post(one, '/bulk', { zones: [before] }, 'application/json');
    const arrived =
      one === undefined ? Promise.reject(new Error('no app')) : once(one.http.server, 'request');
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
    await post(one, '/bulk', { zones: [before] }, 'application/json');
    const letGo = await hold();
    await sendAndLeave(head(`content-length: ${csv.length}`) + csv, untilAtTheEnd);
    const listed = await other?.http.inject({ url: zonesPath, headers: asAdmin });
    expect(listed?.json<object>()).toMatchObject({ total: 1, data: [{ name: 'Before' }] });
    await letGo();
    await vi.waitFor(
      async () => expect(await stored()).toEqual({ zones: many, areas: many, notes: 2 }),
      polling,
    );
    await againIsClean();
  });

  it('by a lost connection to the database changes nothing, and lets others write', async () => {
    await post(one, '/bulk', { zones: [before] }, 'application/json');
    const letGo = await hold();
    const cut = post(one, '/import?replace=true', csv);
    const pid = await untilAtTheEnd();
    await admin.query('select pg_terminate_backend($1)', [pid]);
    expect((await cut)?.statusCode).toBe(503);
    await letGo();
    expect(await stored()).toEqual({ zones: 1, areas: 1, notes: 1 });
    await againIsClean();
  });
});
