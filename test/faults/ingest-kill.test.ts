import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, open, readdir, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testRedisUrl } from '../support/redis.ts';
import { rounds } from '../support/rounds.ts';
import { compareIds, idsWhenStored, killRounds } from './ingest-kill.ts';
import { ask, asAdmin, post, startService as start, storedCount } from './ingest-service.ts';

const kills = rounds(20, 100);

async function settings(more: Record<string, string> = {}): Promise<Record<string, string>> {
  const dir = await mkdtemp(join(tmpdir(), 'ingest-kill-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return {
    DATA_DIR: dir,
    REDIS_URL: await testRedisUrl(),
    JOURNAL_SEGMENT_SIZE: '256KiB',
    LOG_LEVEL: 'warn',
    ...more,
  };
}

/** Sends events with new ids and returns the ids. Throws if an answer is not 200. */
async function send(port: number, count: number, more: object = {}): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  for (let at = 0; at < count; at += 500) {
    const events = ids
      .slice(at, at + 500)
      .map((id) => ({ event: 'pageview', url: '/', site_id: 'site', user_id: id, id, ...more }));
    const answer = await post(port, '/analytics/batch/', { events }, { headers: asAdmin });
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  }
  return ids;
}

const waitForCount = async (port: number, count: number): Promise<void> =>
  vi.waitFor(async () => expect(await storedCount(port)).toBe(count), {
    timeout: 20_000,
    interval: 50,
  });

test(
  `kill -9, ${kills} times, with retries: no answered event is lost, none is stored twice`,
  async () => {
    const figures = await killRounds({
      rounds: kills,
      env: await settings(),
      checkpointEvery: 5,
      onRound: ({ rounds: done, answered, broken }) => {
        if (done % 10 === 0)
          console.log(`${done} rounds: ${answered} events answered, ${broken} requests broken off`);
      },
    });
    console.log(JSON.stringify(figures));
    expect(figures.answered).toBeGreaterThan(kills * 20);
    expect(figures.broken).toBeGreaterThan(0);
    expect(figures).toMatchObject({ lost: 0, doubled: 0, foreign: 0 });
  },
  60_000 + kills * 15_000,
);

test('ids are remembered after a kill between commit and checkpoint, and two starts', async () => {
  const env = await settings({ JOURNAL_SEGMENT_SIZE: '16KiB' });
  const journal = join(env.DATA_DIR ?? '', 'journal');
  let service = await start(env);
  const ids = await send(service.port, 1000);
  await waitForCount(service.port, 1000);
  await service.kill('SIGKILL');

  // The second run checkpoints what the first has committed, and releases its journal segments.
  const before = await readdir(journal);
  service = await start(env);
  await send(service.port, 1);
  await vi.waitFor(
    async () =>
      expect((await readdir(journal)).filter((name) => before.slice(0, -1).includes(name))).toEqual(
        [],
      ),
    { timeout: 20_000, interval: 100 },
  );
  await service.kill('SIGKILL');

  service = await start(env);
  const events = ids.map((id) => ({
    event: 'pageview',
    url: '/',
    site_id: 'site',
    user_id: id,
    id,
  }));
  const repeated = await post(service.port, '/analytics/batch/', { events }, { headers: asAdmin });
  expect(JSON.parse(repeated.text)).toMatchObject({ accepted: 0, duplicates: 1000 });
  await service.kill('SIGTERM');
}, 90_000);

test('a kill while visits are being closed loses no visit and counts none twice', async () => {
  const env = await settings();
  const ids: string[] = [];
  for (const wait of [29_850, 30_050]) {
    const service = await start(env);
    const started = performance.now();
    // Visits that have ended: two hours old, one per visitor.
    ids.push(...(await send(service.port, 2000, { timestamp: Date.now() - 2 * 3_600_000 })));
    await delay(wait - (performance.now() - started));
    await service.kill('SIGKILL');
  }
  const service = await start(env);
  expect(compareIds(new Set(ids), await idsWhenStored(service.port, ids.length))).toEqual({
    lost: 0,
    doubled: 0,
    foreign: 0,
  });
  const { text } = await ask(service.port, '/analytics/dashboard/?site_id=site&period=7d', {
    headers: asAdmin,
  });
  expect((JSON.parse(text) as { totals: object }).totals).toMatchObject({
    events: ids.length,
    visits: ids.length,
    visitors: ids.length,
  });
  await service.kill('SIGTERM');
}, 150_000);

test.each(['overwritten in the middle', 'overwritten at the beginning', 'cut in half', 'removed'])(
  "with DuckDB's log %s after a kill, all events are replayed from the journal, each once",
  async (damage) => {
    const env = await settings();
    const dataDir = env.DATA_DIR ?? '';
    const log = join(dataDir, 'events.duckdb.wal');
    let service = await start(env);
    const ids = await send(service.port, 1000);
    await waitForCount(service.port, 1000);
    // A checkpoint, so that later events are only in the log.
    await vi.waitFor(
      async () => expect((await stat(log).catch(() => ({ size: 0 }))).size).toBe(0),
      { timeout: 20_000, interval: 100 },
    );
    for (let times = 1; times <= 5; times += 1) {
      ids.push(...(await send(service.port, 700)));
      await waitForCount(service.port, 1000 + 700 * times);
    }
    await service.kill('SIGKILL');
    const { size } = await stat(log);
    expect(size).toBeGreaterThan(10_000);
    if (damage === 'removed') await rm(log);
    else if (damage === 'cut in half') await truncate(log, Math.floor(size / 2));
    else {
      const file = await open(log, 'r+');
      await file.write(
        randomBytes(2000),
        0,
        2000,
        damage.endsWith('middle') ? Math.floor(size / 2) : 0,
      );
      await file.close();
    }

    service = await start(env);
    const events = ids
      .slice(0, 500)
      .map((id) => ({ event: 'pageview', url: '/', site_id: 'site', user_id: id, id }));
    const repeated = await post(
      service.port,
      '/analytics/batch/',
      { events },
      { headers: asAdmin },
    );
    expect(JSON.parse(repeated.text)).toMatchObject({ accepted: 0, duplicates: 500 });
    ids.push(...(await send(service.port, 100)));
    expect(compareIds(new Set(ids), await idsWhenStored(service.port, ids.length))).toEqual({
      lost: 0,
      doubled: 0,
      foreign: 0,
    });
    // DuckDB ignores a log without its beginning or its end. Any other unreadable log is set aside,
    // and that is logged.
    const setAside = (await readdir(dataDir)).filter((name) => name.includes('.wal.unreadable'));
    expect(setAside).toHaveLength(damage.endsWith('middle') ? 1 : 0);
    if (damage.endsWith('middle')) expect(service.output()).toContain('could not be read');
    expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  },
  90_000,
);
