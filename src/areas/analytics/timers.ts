import type { Logger } from 'pino';
import type { AnalyticsContext } from './compose.ts';

const dropsMs = 10_000;
const saltsMs = 5 * 60_000;
const sitesMs = 60_000;
const budgetMs = 1000;

/** Starts the periodic tasks of analytics. Returns a function that stops them. */
export function startTimers({
  ingest,
  salts,
  sites,
  storageBudget,
  logger,
}: Pick<AnalyticsContext, 'ingest' | 'salts' | 'sites' | 'storageBudget'> & {
  logger: Logger;
}): () => void {
  const timers = [
    setInterval(() => void ingest.flushDrops(), dropsMs),
    setInterval(() => void storageBudget.sync(), budgetMs),
    setInterval(() => {
      salts
        .refresh()
        .catch((err: unknown) => logger.warn({ err }, 'the visitor salts could not be renewed'));
    }, saltsMs),
    // Redis may have been down when another replica announced a change.
    setInterval(() => {
      sites
        .load()
        .catch((err: unknown) => logger.warn({ err }, 'the sites could not be read again'));
    }, sitesMs),
  ];
  for (const timer of timers) timer.unref();
  return () => timers.forEach((timer) => clearInterval(timer));
}
