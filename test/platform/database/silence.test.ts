import { Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPostgresPool } from '../../../src/platform/database/postgres-pool.ts';
import { createSilenceDetector } from '../../../src/platform/database/silence.ts';
import { isStoreUnavailable } from '../../../src/platform/errors/store-failures.ts';
import type { Tables } from '../../../src/platform/database/tables.ts';
import { openStoreProxy } from '../../faults/store-proxy.ts';
import { newServerDatabase } from '../../support/database-url.ts';
import { hasPostgres, outcome, silent } from './engines.ts';

describe('statements on a silent server', () => {
  it('fail together when it does not answer on a new connection either', async () => {
    const silence = createSilenceDetector({ silenceMs: 5, isReachable: async () => false });
    const all = [
      silence.watched(new Promise(() => undefined)),
      silence.watched(new Promise(() => undefined)),
    ].map(outcome);
    for (const error of await Promise.all(all)) expect(isStoreUnavailable(error)).toBe(true);
  });

  it('continue while it answers probes, and fail once it does not', async () => {
    const answers = [true, true, false];
    const isReachable = vi.fn(async () => answers.shift() ?? false);
    const silence = createSilenceDetector({ silenceMs: 5, isReachable });
    expect(isStoreUnavailable(await outcome(silence.watched(new Promise(() => undefined))))).toBe(
      true,
    );
    expect(isReachable).toHaveBeenCalledTimes(3);
  });

  it('continue when another statement is answered during the probe', async () => {
    let asked = 0;
    let instant = 0;
    const silence = createSilenceDetector({
      silenceMs: 5,
      now: () => (instant += 10),
      isReachable: async () => {
        asked += 1;
        if (asked === 1) silence.heard();
        return false;
      },
    });
    await outcome(silence.watched(new Promise(() => undefined)));
    expect(asked).toBe(2);
  });

  it('cause no probe while none is waiting', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const isReachable = vi.fn(async () => true);
    const silence = createSilenceDetector({ silenceMs: 5, isReachable });
    expect(await silence.watched(Promise.resolve('answer'))).toBe('answer');
    await vi.advanceTimersByTimeAsync(1000);
    expect(isReachable).not.toHaveBeenCalled();
  });
});

describe.runIf(hasPostgres)('on PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof newServerDatabase>>;
  beforeAll(async () => {
    database = await newServerDatabase();
  }, 60_000);
  afterAll(() => database.remove());

  /** The statement timeout is longer than the test. */
  async function openOver(url: string, silenceMs: number): Promise<Kysely<Tables>> {
    const limits = { max: 3, queryTimeoutMs: 3_600_000, silenceMs };
    const pool = await createPostgresPool({ url, logger: silent, ...limits });
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
    onTestFinished(() => db.destroy());
    return db;
  }

  it('gives up statements and transactions of a silent server, and reconnects', async () => {
    const way = await openStoreProxy(database.url);
    const db = await openOver(way.url, 200);
    const sleep = (within: Kysely<Tables>) => sql`select pg_sleep(3600)`.execute(within);
    await sql`select 1`.execute(db);
    const underWay = [sleep(db), db.transaction().execute(sleep)].map(outcome);
    const sleeping = sql`select from pg_stat_activity
      where datname = current_database() and query like 'select pg_sleep%' and state = 'active'`;
    const countSleeping = async () => (await sleeping.execute(db)).rows.length;
    await vi.waitFor(async () => expect(await countSleeping()).toBe(2), { timeout: 5000 });
    await way.setState('silent');
    for (const error of await Promise.all(underWay)) {
      expect(error).toMatchObject({
        status: 503,
        code: 'request.unavailable',
        headers: { 'retry-after': '1' },
        cause: { message: expect.stringContaining('PostgreSQL gives no answer') as string },
      });
    }
    await way.setState('open');
    await vi.waitFor(() => sql`select 1`.execute(db), { timeout: 5000 });
  }, 20_000);

  it('a slow statement continues while the server is reachable', async () => {
    const db = await openOver(database.url, 50);
    expect(await outcome(sql`select pg_sleep(0.5)`.execute(db))).toBe('answered');
  });
});
