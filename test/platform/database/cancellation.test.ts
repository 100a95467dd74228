import { once } from 'node:events';
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { migrations } from '../../../src/app/migrations.ts';
import { cancellable, openDatabase } from '../../../src/platform/database/database.ts';
import { createPostgresPool } from '../../../src/platform/database/postgres-pool.ts';
import type { Tables } from '../../../src/platform/database/tables.ts';
import { adminKey, freshApp } from '../../support/app.ts';
import { selfSignedCertificate } from '../../support/certificate.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { engines, hasPostgres, outcome, silent } from './engines.ts';

const polling = { timeout: 4000, interval: 20 };

describe.runIf(hasPostgres)('a read whose client disconnects, on PostgreSQL', () => {
  let server: TestPostgres;
  let other: pg.Client;

  beforeAll(async () => {
    server = await startPostgres();
    other = new pg.Client({ connectionString: server.url });
    await other.connect();
    await (await openDatabase({ migrations, url: server.url, logger: silent })).destroy();
  }, 60_000);

  afterAll(async () => {
    await other.end();
    await server.stop();
  });

  /** The table stays locked until the test ends or this is called. */
  async function hold(table: string): Promise<() => Promise<void>> {
    const holder = new pg.Client({ connectionString: server.url });
    await holder.connect();
    await holder.query(`begin; lock table ${table} in access exclusive mode`);
    let held = true;
    const letGo = async () => {
      if (held) await holder.end();
      held = false;
    };
    onTestFinished(letGo);
    return letGo;
  }

  /** Returns the service's statements that wait for a table. */
  async function waiting(table: string): Promise<string[]> {
    const { rows } = await other.query<{ query: string }>(
      "select query from pg_stat_activity where application_name = 'platform-service' and state " +
        "= 'active' and wait_event_type = 'Lock' and query ilike $1",
      [`%${table}%`],
    );
    return rows.map(({ query }) => query);
  }

  const untilWaiting = (table: string, count = 1) =>
    vi.waitFor(async () => expect(await waiting(table)).toHaveLength(count), polling);

  /** Waits for one sleeping statement in this part of the connections. */
  const untilSleeping = (part: string) =>
    vi.waitFor(async () => {
      const sleeping = `select from ${part} query = 'select pg_sleep(3600)' and state = 'active'`;
      expect((await other.query(sleeping)).rowCount).toBe(1);
    }, polling);

  /** One connection, whose statement timeout is longer than the test. */
  async function openPool(url = server.url) {
    const limits = { max: 1, queryTimeoutMs: 3_600_000 };
    const pool = await createPostgresPool({ url, logger: silent, ...limits });
    const over = (way: PostgresPool) =>
      new Kysely<Tables>({ dialect: new PostgresDialect({ pool: way }) });
    const db = over(pool);
    onTestFinished(() => db.destroy());
    return { db, until: (signal: AbortSignal) => over(pool.watching(signal)) };
  }

  it('is cancelled on the server while it waits for a lock, and frees its connection', async () => {
    const { db, until } = await openPool();
    await hold('audit_events');
    const gone = new AbortController();
    const left = outcome(until(gone.signal).selectFrom('audit_events').selectAll().execute());
    await untilWaiting('audit_events');
    const reason = new Error('gone');
    gone.abort(reason);
    expect(await left).toBe(reason);
    expect(await waiting('audit_events')).toEqual([]);
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  });

  it('never cancels the next statement, at any time of the abort', async () => {
    const { db, until } = await openPool();
    for (let round = 0; round < 20; round += 1) {
      const gone = new AbortController();
      const left = outcome(sql`select pg_sleep(3600)`.execute(until(gone.signal)));
      if (round % 2 === 0) await untilSleeping('pg_stat_activity where');
      const reason = new Error('gone');
      gone.abort(reason);
      expect(await outcome(sql`select pg_sleep(0.02)`.execute(db))).toBe('answered');
      expect(await left).toBe(reason);
    }
  }, 30_000);

  it('is cancelled over verified TLS if its connection uses TLS', async () => {
    const { rows } = await other.query<{ data_directory: string }>('show data_directory');
    const folder = await mkdtemp(join(tmpdir(), 'test-postgres-tls-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const made = selfSignedCertificate();
    await Promise.all([writeFile(key, made.key, { mode: 0o600 }), writeFile(cert, made.cert)]);
    const { uid, gid } = await stat(rows[0]?.data_directory ?? '');
    for (const path of [folder, key, cert]) await chown(path, uid, gid);
    for (const statement of [
      `alter system set ssl_key_file = '${key}'`,
      `alter system set ssl_cert_file = '${cert}'`,
      'alter system set ssl = on',
      'select pg_reload_conf()',
    ])
      await other.query(statement);
    const url = `${server.url}?sslmode=verify-full&sslrootcert=${cert}`;
    await vi.waitFor(async () => {
      const client = new pg.Client({ connectionString: url });
      try {
        await client.connect();
      } finally {
        await client.end();
      }
    }, polling);
    const { until } = await openPool(url);
    const gone = new AbortController();
    const left = outcome(sql`select pg_sleep(3600)`.execute(until(gone.signal)));
    await untilSleeping('pg_stat_activity join pg_stat_ssl using (pid) where ssl and');
    const reason = new Error('gone');
    gone.abort(reason);
    expect(await left).toBe(reason);
  }, 20_000);

  it('leaves the queue for a connection at once', async () => {
    const { db, until } = await openPool();
    const letGo = await hold('signups');
    const first = outcome(db.selectFrom('signups').selectAll().execute());
    await untilWaiting('signups');
    const gone = new AbortController();
    const second = outcome(sql`select 2`.execute(until(gone.signal)));
    const reason = new Error('gone');
    gone.abort(reason);
    expect(await second).toBe(reason);
    expect(await waiting('signups')).toHaveLength(1);
    await letGo();
    expect(await first).toBe('answered');
    expect(await outcome(sql`select 3`.execute(db))).toBe('answered');
  });

  it('does not start when the client has disconnected before', async () => {
    const { until } = await openPool();
    const reason = new Error('gone');
    expect(await outcome(sql`select 1`.execute(until(AbortSignal.abort(reason))))).toBe(reason);
  });

  it.each([
    ['audit_events', '/api/v1/audit/'],
    ['api_keys', '/api/v1/api-keys/'],
    ['signups', '/api/v1/signups/'],
    ['delivery_zones', '/api/v1/deliverability/zones/'],
    ['status_incidents', '/api/v1/status/incidents/'],
    ['status_subscribers', '/api/v1/status/subscribers/'],
    ['devices', '/api/auth/blackops/dashboard/'],
  ])(
    'of %s over HTTP is cancelled when the socket is destroyed',
    async (table, path) => {
      const app = await sharedApp();
      await hold(table);
      const socket = connect((app.http.server.address() as AddressInfo).port, '127.0.0.1');
      await once(socket, 'connect');
      socket.on('error', () => undefined);
      socket.write(
        `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${adminKey}\r\n\r\n`,
      );
      await vi.waitFor(
        async () => expect((await waiting(table)).length).toBeGreaterThan(0),
        polling,
      );
      socket.destroy();
      await vi.waitFor(async () => expect(await waiting(table)).toEqual([]), polling);
    },
    15_000,
  );

  let app: ReturnType<typeof freshApp> | undefined;
  async function sharedApp() {
    app ??= freshApp({ databaseUrl: server.url }).then(async (built) => {
      await built.http.listen({ port: 0, host: '127.0.0.1' });
      return built;
    });
    return app;
  }
  afterAll(async () => (await app)?.close());
});

it('cancellable returns the same database when it is embedded', async () => {
  const [{ prepare }] = engines;
  const { options, remove } = await prepare({ hasTables: true });
  const db = await openDatabase(options);
  expect(cancellable(db, new AbortController().signal)).toBe(db);
  await db.destroy();
  await remove();
}, 30_000);
