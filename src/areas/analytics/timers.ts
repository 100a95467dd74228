import type { Logger } from 'pino';
import type { Ingest } from './ingest.ts';
import type { Salts } from './salts.ts';

const dropsMs = 10_000;
const saltsMs = 5 * 60_000;

/** Starts what analytics does from time to time: drop counters to the journal, salts made and destroyed. */
export function startTimers({ ingest, salts, logger }: { ingest: Ingest; salts: Salts; logger: Logger }): () => void {
  const timers = [
    setInterval(() => void ingest.flushDrops(), dropsMs),
    setInterval(() => {
      salts.refresh().catch((err: unknown) => logger.warn({ err }, 'the visitor salts could not be renewed'));
    }, saltsMs),
  ];
  for (const timer of timers) timer.unref();
  return () => timers.forEach((timer) => clearInterval(timer));
}
