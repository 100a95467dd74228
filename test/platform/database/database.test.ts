import fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { migrations } from '../../../src/app/migrations.ts';
import { openDatabase, pingDatabase } from '../../../src/platform/database/database.ts';
import { statementOver } from '../../../src/platform/database/statement-over.ts';
import { createStatementNames } from '../../../src/platform/database/statement-names.ts';
import { AppError } from '../../../src/platform/errors/errors.ts';
import { newServerDatabase } from '../../support/database-url.ts';
import { bundleProgram } from '../../support/typescript-process.ts';
import { availableEngines, hasPostgres, openWayTo, preparePglite, silent } from './engines.ts';

const now = new Date('2026-03-04T05:06:07.089Z');
const site = (key: string) => ({ site_id: key, created_at: now, registered_by: 'open' as const });

function capturingLogger() {
  const lines: string[] = [];
  return { lines, logger: pino({ level: 'debug' }, { write: (line: string) => lines.push(line) }) };
}

describe('a repeated statement', () => {
  it('has its own name from the second time on, and none after the name has failed', () => {
    const names = createStatementNames();
    expect(names.of('select 1')).toBeUndefined();
    const name = names.of('select 1');
    expect(name).toEqual(expect.any(String));
    expect(names.of('select 1')).toBe(name);
    names.of('select 2');
    expect(names.of('select 2')).not.toBe(name);
    names.forget('select 1');
    expect(names.of('select 1')).toBeUndefined();
  });

  it('has no name once the maximum is reached, as the server keeps them all', () => {
    const names = createStatementNames(2);
    const named = Array.from(
      { length: 50 },
      (_, at) => [names.of(`select ${at}`), names.of(`select ${at}`)][1],
    );
    expect(named.filter((name) => name !== undefined)).toHaveLength(2);
  });
});

describe.each(availableEngines)('the record store on $name', async ({ prepare }) => {
  const { options, remove } = await prepare({ hasTables: true });
  let db = await openDatabase(options);
  afterAll(async () => {
    await db.destroy();
    await remove();
  });

  const addSites = (...keys: string[]) => db.insertInto('sites').values(keys.map(site)).execute();
  const findSites = (...keys: string[]) =>
    db.selectFrom('sites').selectAll().where('site_id', 'in', keys).execute();

  it('returns the same JavaScript values for the same columns', async () => {
    const { rows } = await sql<Record<string, unknown>>`
      select timestamptz '2026-03-04 05:06:07.089+02' as at, date '2026-03-04' as day,
        9007199254740991::int8 as big, count(*) as n, '{"a":[1,null,"x"]}'::jsonb as doc,
        '\\x00ff10'::bytea as raw, array['a','b"c'] as list, true as yes, null as nothing,
        1.5::float8 as ratio, 12.30::numeric as price`.execute(db);
    expect(rows).toEqual([
      {
        at: new Date('2026-03-04T03:06:07.089Z'),
        day: '2026-03-04',
        big: 9007199254740991,
        n: 1,
        doc: { a: [1, null, 'x'] },
        raw: Buffer.from([0, 255, 16]),
        list: ['a', 'b"c'],
        yes: true,
        nothing: null,
        ratio: 1.5,
        price: '12.30',
      },
    ]);
    expect(rows[0]?.raw).toBeInstanceOf(Buffer);
  });

  it('stores and returns rows of every table', async () => {
    await db
      .insertInto('sites')
      .values({ ...site('model'), settings: JSON.stringify({ honour_gpc: true }) })
      .execute();
    const salt = { day: '2026-03-04', salt: Buffer.from('0123456789abcdef'), created_at: now };
    await db.insertInto('salts').values(salt).execute();
    const id = expect.any(Number) as number;
    expect(await findSites('model')).toEqual([
      { ...site('model'), id, closed: false, settings: { honour_gpc: true } },
    ]);
    expect(await db.selectFrom('salts').selectAll().execute()).toEqual([salt]);
  });

  it('lets other requests be served between the statements of a long row of them', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    const count = () => sql`select count(*) from generate_series(1, 20000)`.execute(db);
    await Promise.all(Array.from({ length: 100 }, count));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(10);
  });

  it('returns the number of changed rows', async () => {
    await addSites('count-1', 'count-2');
    const result = await db
      .updateTable('sites')
      .set({ closed: true })
      .where('site_id', 'like', 'count-%')
      .executeTakeFirstOrThrow();
    expect(result.numUpdatedRows).toBe(2n);
  });

  it('keeps working after errors, which have their SQLSTATE', async () => {
    await addSites('twice');
    await expect(addSites('twice')).rejects.toMatchObject({ code: '23505' });
    await expect(sql`select * from nowhere`.execute(db)).rejects.toMatchObject({ code: '42P01' });
    await expect(sql`select 1 / ${0}::int`.execute(db)).rejects.not.toBeInstanceOf(AppError);
    expect(await pingDatabase(db)).toBeGreaterThan(0);
  });

  it('rejects a text with U+0000 as a bad request', async () => {
    await expect(findSites('a\0b')).rejects.toMatchObject({ status: 400, code: 'request.invalid' });
    expect(await pingDatabase(db)).toBeGreaterThan(0);
  });

  it('accepts rows as arrays, with any texts', async () => {
    const texts = [
      ...['plain', '', 'NULL', 'a "quoted" one', 'back\\slash', '{braces, and commas}', "it's"],
      ...['Ω 😀', 'two\nlines', null],
    ];
    const rows = texts.map((text, at) => ({ text, number: at, at: new Date(now.getTime() + at) }));
    const columns = { text: 'text', number: 'integer', at: 'timestamptz' } as const;
    const echo = statementOver(db, columns, (given) => `select * from ${given} order by nth`);
    expect(await echo(rows)).toEqual(rows.map((row, at) => ({ ...row, nth: at + 1 })));
    expect(await echo([])).toEqual([]);
  });

  it('runs a prepared statement whose table has changed', async () => {
    await sql`create table changing (id integer)`.execute(db);
    await sql`insert into changing values (1)`.execute(db);
    const expectRow = async (row: object) => {
      for (let times = 0; times < 5; times += 1)
        expect((await sql`select * from changing`.execute(db)).rows).toEqual([row]);
    };
    await expectRow({ id: 1 });
    await sql`alter table changing add column name text default 'new'`.execute(db);
    await expectRow({ id: 1, name: 'new' });
    await sql`drop table changing`.execute(db);
  });

  it('runs a prepared statement that the connection has lost, as behind a pooler', async () => {
    const read = async () => (await sql`select 1 + 1 as two`.execute(db)).rows;
    for (let times = 0; times < 3; times += 1) expect(await read()).toEqual([{ two: 2 }]);
    await sql`deallocate all`.execute(db);
    for (let times = 0; times < 3; times += 1) expect(await read()).toEqual([{ two: 2 }]);
  });

  it('refuses a site name longer than 64 characters', async () => {
    await expect(addSites('x'.repeat(65))).rejects.toMatchObject({ code: '23514' });
  });

  it('rolls back a failed transaction completely', async () => {
    const failing = db.transaction().execute(async (transaction) => {
      await transaction.insertInto('sites').values(site('rolled-back')).execute();
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await findSites('rolled-back')).toEqual([]);
  });

  it('keeps other statements out of a transaction', async () => {
    const outside: Promise<unknown>[] = [];
    await db
      .transaction()
      .execute(async (transaction) => {
        await transaction.insertInto('sites').values(site('inside')).execute();
        outside.push(addSites('outside'));
        throw new Error('undo');
      })
      .catch(() => undefined);
    await Promise.all(outside);
    expect(await findSites('inside', 'outside')).toMatchObject([{ site_id: 'outside' }]);
  });

  it('answers many concurrent statements, each with its own rows', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => sql<{ n: number }>`select ${n}::int as n`.execute(db)),
    );
    expect(answers.map(({ rows }) => rows[0]?.n)).toEqual(Array.from({ length: 50 }, (_, n) => n));
  });

  it('keeps its rows when reopened, without a migration', async () => {
    await addSites('kept');
    await db.destroy();
    const { lines, logger } = capturingLogger();
    db = await openDatabase({ ...options, logger });
    expect(lines).toEqual([]);
    expect(await findSites('kept')).toHaveLength(1);
  });

  it('refuses a database from before the first release, and says what to do', async () => {
    const { '0001-users': _, ...others } = migrations;
    await expect(openDatabase({ ...options, migrations: others })).rejects.toThrow(
      /^The database has the migration 0001-users.* start with an empty database and an empty /,
    );
  });

  it('refuses a database of a newer version in one line, without changes', async () => {
    const newer = sql`insert into kysely_migration (name, timestamp)
        values ('9999-future', '2030')`;
    await newer.execute(db);
    await db.destroy();
    const opening = openDatabase(options);
    await expect(opening).rejects.toMatchObject({ name: 'DatabaseStartError' });
    await expect(opening).rejects.toThrow(/^The database has the migration 9999-future.*$/);
  });
});

describe('the embedded record store', () => {
  it('keeps its files private to its user from the first start on', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'svc-pglite-'));
    const db = await openDatabase({ migrations, dataDir, logger: silent });
    const entries = await fs.promises.readdir(dataDir, { recursive: true });
    const stats = await Promise.all(
      entries.map((entry) => fs.promises.stat(join(dataDir, entry)).catch(() => undefined)),
    );
    await db.destroy();
    await rm(dataDir, { recursive: true });
    expect(stats.length).toBeGreaterThan(500);
    expect(stats.filter((stat) => stat !== undefined && (stat.mode & 0o077) !== 0)).toEqual([]);
  });

  it('syncs a commit to disk before it resolves', async () => {
    const { options, remove } = await preparePglite({ hasTables: true });
    const db = await openDatabase(options);
    const original = fs.fsyncSync;
    const synced = vi.fn(original);
    fs.fsyncSync = synced;
    syncBuiltinESMExports();
    try {
      await db.insertInto('sites').values(site('durable')).execute();
      expect(synced.mock.calls.length).toBeGreaterThan(0);
      synced.mockClear();
      await db.selectFrom('sites').selectAll().execute();
      expect(synced).not.toHaveBeenCalled();
    } finally {
      fs.fsyncSync = original;
      syncBuiltinESMExports();
      await db.destroy();
      await remove();
    }
  }, 30_000);

  it('has every committed row after kill -9 in the middle of writing', async () => {
    const { options, remove } = await preparePglite({ hasTables: true });
    const program = await bundleProgram('insert-sites.ts');
    const { lines, kill } = await program.start(options.dataDir);
    await vi.waitFor(() => expect(lines.length).toBeGreaterThan(100), { timeout: 30_000 });
    await kill('SIGKILL');
    const acknowledged = Number(lines.at(-1));

    const db = await openDatabase(options);
    const { rows } = await sql<{ n: number }>`select count(*) as n from sites`.execute(db);
    expect(rows[0]?.n).toBeGreaterThanOrEqual(acknowledged);
    expect(rows[0]?.n).toBeLessThanOrEqual(acknowledged + 1);
    await db.destroy();
    await Promise.all([remove(), program.remove()]);
  }, 60_000);

  it('reports in one line that its folder is not a database', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'svc-pglite-'));
    await fs.promises.writeFile(join(dataDir, 'PG_VERSION'), '9\n');
    const opening = openDatabase({ migrations, dataDir, logger: silent });
    await expect(opening).rejects.toMatchObject({ name: 'DatabaseStartError' });
    await expect(opening).rejects.toThrow(/^The embedded PostgreSQL in \S+ cannot be used: .+$/);
    await rm(dataDir, { recursive: true });
  }, 30_000);
});

describe('a PostgreSQL server that cannot be reached', () => {
  it('fails the start with one line that shows the address but no password', async () => {
    const url = 'postgres://admin:hunter2@127.0.0.1:1/records';
    const refused = await openDatabase({ migrations, url, logger: silent }).catch(
      (error: unknown) => error,
    );
    expect(refused).toMatchObject({
      name: 'DatabaseStartError',
      message: 'PostgreSQL at 127.0.0.1:1/records cannot be used: connect ECONNREFUSED 127.0.0.1:1',
    });
    expect(String(refused)).not.toContain('hunter2');
  });
});

describe.runIf(hasPostgres)('a PostgreSQL server', () => {
  it('lets replicas start together: one migrates, and all come up', async () => {
    const { url, remove } = await newServerDatabase();
    const { lines, logger } = capturingLogger();
    const replicas = await Promise.all(
      Array.from({ length: 5 }, () => openDatabase({ migrations, url, logger })),
    );
    expect(lines.filter((line) => line.includes('database migrated'))).toHaveLength(1);
    for (const db of replicas)
      expect(await db.selectFrom('sites').selectAll().execute()).toEqual([]);
    await Promise.all(replicas.map((db) => db.destroy()));
    await remove();
  });

  it('causes a quick 503 when lost, and is used again once it is back', async () => {
    const { url, remove } = await newServerDatabase({ hasTables: true });
    const way = await openWayTo(url);
    const db = await openDatabase({ migrations, url: way.url, logger: silent });
    await pingDatabase(db);
    const underWay = sql`select pg_sleep(60)`.execute(db).catch((error: unknown) => error);
    await vi.waitFor(
      async () => {
        const sleeping = sql`select 1 from pg_stat_activity where datname = current_database()
          and query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`;
        expect((await sleeping.execute(db)).rows).toHaveLength(1);
      },
      { timeout: 10_000 },
    );
    way.cut();
    expect(await underWay).toMatchObject({ status: 503, code: 'request.unavailable' });
    const began = performance.now();
    const failures = await Promise.all(
      Array.from({ length: 20 }, () => pingDatabase(db).catch((error: unknown) => error)),
    );
    expect(performance.now() - began).toBeLessThan(2500);
    for (const failure of failures) {
      const headers = { 'retry-after': '1' };
      expect(failure).toMatchObject({ status: 503, code: 'request.unavailable', headers });
      expect((failure as Error).message).not.toContain('127.0.0.1');
    }
    await way.mend();
    await vi.waitFor(() => pingDatabase(db), { timeout: 5000 });
    await db.destroy();
    way.cut();
    await remove();
  }, 30_000);
});
