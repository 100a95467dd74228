import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readdir, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { copyEmbedded, copyFolder } from '../support/database-template.ts';
import { sharedStore } from '../support/shared-stores.ts';
import {
  eventOf,
  expectEachStored,
  killSettings,
  sendEvents,
  waitForCount,
} from './ingest-kill.ts';
import { asAdmin, post, startService, temporaryFolder } from './ingest-service.ts';

const logIn = (dataDir: string): string => join(dataDir, 'events.duckdb.wal');
const sizeOf = async (file: string): Promise<number> =>
  (await stat(file).catch(() => ({ size: 0 }))).size;

/**
 * Runs a service in a new folder, and kills it when its last 3,500 events are in DuckDB's log only.
 * Returns the folder, which the caller removes, and the ids of all events.
 */
async function fillAndKill(): Promise<{ folder: string; ids: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'damaged-log-'));
  await copyEmbedded(await sharedStore('embeddedTemplate'), folder);
  const service = await startService(await killSettings({ DATA_DIR: folder }));
  const ids = await sendEvents(service.port, 1000);
  await waitForCount(service.port, 1000);
  // A checkpoint, so that later events are only in the log.
  await vi.waitFor(async () => expect(await sizeOf(logIn(folder))).toBe(0), {
    timeout: 60_000,
    interval: 100,
  });
  for (let times = 1; times <= 5; times += 1) {
    ids.push(...(await sendEvents(service.port, 700)));
    await waitForCount(service.port, 1000 + 700 * times);
  }
  await service.kill('SIGKILL');
  expect(await sizeOf(logIn(folder))).toBeGreaterThan(10_000);
  return { folder, ids };
}

async function overwrite(file: string, position: number): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(randomBytes(2000), 0, 2000, position);
  await handle.close();
}

const damages: Record<string, (log: string) => Promise<void>> = {
  'overwritten in the middle': async (log) => overwrite(log, Math.floor((await sizeOf(log)) / 2)),
  'overwritten at the beginning': (log) => overwrite(log, 0),
  'cut in half': async (log) => truncate(log, Math.floor((await sizeOf(log)) / 2)),
  removed: (log) => rm(log),
};

describe("a start after a kill, with DuckDB's log", () => {
  let killed: ReturnType<typeof fillAndKill> | undefined;
  afterAll(async () => {
    if (killed !== undefined) await rm((await killed).folder, { recursive: true, force: true });
  });

  test.each(Object.entries(damages))(
    '%s, replays all events from the journal, each once',
    async (name, damage) => {
      killed ??= fillAndKill();
      const { folder, ids } = await killed;
      const dataDir = join(await temporaryFolder('damaged-log-'), 'data');
      await copyFolder(folder, dataDir);
      await damage(logIn(dataDir));

      const service = await startService(await killSettings({ DATA_DIR: dataDir }));
      const events = ids.slice(0, 500).map((id) => eventOf(id));
      const repeated = await post(
        service.port,
        '/analytics/batch/',
        { events },
        { headers: asAdmin },
      );
      expect(JSON.parse(repeated.text)).toMatchObject({ accepted: 0, duplicates: 500 });
      const all = [...ids, ...(await sendEvents(service.port, 100))];
      await expectEachStored(service.port, all);
      // DuckDB ignores a log without its beginning or its end. Any other unreadable log is set
      // aside, and that is logged.
      const setAside = (await readdir(dataDir)).filter((file) => file.includes('.wal.unreadable'));
      const isSetAside = name === 'overwritten in the middle';
      expect(setAside).toHaveLength(isSetAside ? 1 : 0);
      if (isSetAside) expect(service.output()).toContain('could not be read');
      expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    },
  );
});
