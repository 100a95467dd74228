import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openStores } from '../../src/app/stores.ts';
import { parseConfig } from '../../src/config.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createLogger } from '../../src/platform/process/logger.ts';
import { newWorker } from '../support/app.ts';
import { testDatabaseUrl } from '../support/database-url.ts';

/** Blocks the event loop for longer than Redis may take to answer. */
function block(): void {
  const until = performance.now() + 1100;
  while (performance.now() < until);
}

it('a start on a busy machine waits for its own Redis instead of failing', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'busy-start-'));
  const lines: string[] = [];
  const isWaiting = () => lines.some((line) => line.includes('a store is away, waiting for it'));
  const logger = createLogger({
    level: 'warn',
    destination: { write: (line) => lines.push(line) },
  });
  const config = parseConfig({
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    DATABASE_URL: await testDatabaseUrl({ hasTables: true }),
  });
  // Redis makes it when it has started.
  const appendOnly = join(dataDir, 'redis/appendonlydir');
  const ended = new AbortController();
  const opening = openStores({ config, clock: systemClock, logger, newWorker }).finally(() => {
    ended.abort();
  });
  while (!ended.signal.aborted && !isWaiting()) {
    if (existsSync(appendOnly)) block();
    await turn();
  }
  const stores = await opening;
  expect(isWaiting()).toBe(true);
  expect(await stores.redis.ping()).toBe('PONG');
  await stores.close();
  await rm(dataDir, { recursive: true, force: true });
});
