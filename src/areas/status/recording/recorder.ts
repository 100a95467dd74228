import type { Logger } from 'pino';
import type { Clock } from '../../../lib/clock.ts';
import { withTimeout } from '../../../lib/concurrency/with-timeout.ts';
import { dayMs, hourMs } from '../../../lib/durations.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { StatusChange } from '../incidents/incident-changes.ts';
import type { Incidents } from '../incidents/incidents.ts';
import { runSchedule } from '../incidents/maintenance-schedule.ts';
import type { Maintenances } from '../incidents/maintenances.ts';
import type { ChecksLog } from './checks-log.ts';
import { type Downtime, downtimeOf } from './downtime.ts';
import { heartbeatStore } from './heartbeat-store.ts';
import { createLeadership, type Leadership } from './leadership.ts';
import type { Probing } from './probing.ts';
import { spanStore } from './span-store.ts';
import { shownDays, type StateCache } from './state-cache.ts';

export interface RecorderDeps {
  db: Database;
  cache: StateCache;
  log: ChecksLog;
  probing: Probing;
  incidents: Pick<Incidents, 'insertDowntime'>;
  maintenances: Pick<Maintenances, 'createSystemUpdate'>;
  clock: Clock;
  logger: Logger;
  /** Called after components or response times have changed in the database. */
  propagate: () => Promise<void>;
  publishChange: (change: StatusChange) => Promise<void>;
  /** Publishes the components whose state has changed. */
  publishComponents: () => void;
}

const sampleMs = 1000;
const tickMs = 5000;
/** A pause of the heartbeat that is an outage. */
const gapMs = 30_000;
const stopMs = 2000;
const storeTimesMs = 60_000;
const cleanMs = hourMs;

/** Stores the time between `from` and `to` (Unix ms), when no process ran, as an outage. */
async function insertDowntime(
  { cache, incidents }: RecorderDeps,
  transaction: Database,
  { from, to, now }: { from: number; to: number; now: number },
): Promise<Downtime | undefined> {
  const { components, incidents: known } = cache.stored();
  const downtime = downtimeOf(
    { from, to },
    components.filter(({ source }) => source === 'builtin').map(({ id }) => id),
    known.filter(({ kind }) => kind === 'maintenance'),
    now,
  );
  if (downtime === undefined) return undefined;
  await incidents.insertDowntime(transaction, downtime.incident);
  await spanStore.insert(transaction, downtime.spans);
  return downtime;
}

async function storeTimes({ db, cache, probing, propagate }: RecorderDeps): Promise<void> {
  const known = cache.stored().components;
  const times = probing
    .takeTimes()
    .filter(({ componentId }) => known.some(({ id }) => id === componentId));
  if (times.length === 0) return;
  try {
    await db.transaction().execute(async (transaction) => {
      await spanStore.addResponseTimes(transaction, times);
      await heartbeatStore.bumpVersion(transaction);
    });
  } catch (error) {
    probing.putBackTimes(times);
    throw error;
  }
  await propagate();
}

/** What a replica does at every tick: it claims the heartbeat, and records if it holds that. */
function createTickWork(deps: RecorderDeps, leadership: Leadership) {
  const { db, cache, log, maintenances, clock, propagate } = deps;
  let timesStoredAt = clock.now();
  let cleanedAt = 0;

  return async (): Promise<void> => {
    const now = clock.now();
    await leadership.beat(now);
    if (!leadership.isHolder()) {
      log.reset();
      return;
    }
    await runSchedule(maintenances, clock, cache.stored().incidents);
    if (await log.flush()) await propagate();
    if (Math.abs(now - timesStoredAt) >= storeTimesMs) {
      timesStoredAt = now;
      await storeTimes(deps);
    }
    if (Math.abs(now - cleanedAt) >= cleanMs) {
      cleanedAt = now;
      await spanStore.deleteBefore(db, now - (shownDays + 1) * dayMs);
    }
  };
}

/** The election of the replica that records. `startedAt` (Unix ms) is when this process began. */
const electRecorder = (deps: RecorderDeps, startedAt: () => number) =>
  createLeadership({
    db: deps.db,
    cache: deps.cache,
    onLost: () => deps.probing.reset(),
    insertDowntime: async (transaction, beatAt, now) =>
      beatAt === null || startedAt() - beatAt <= gapMs
        ? undefined
        : insertDowntime(deps, transaction, { from: beatAt, to: startedAt(), now }),
    publishDowntime: ({ incident }) =>
      deps.publishChange({ event: 'incident.resolved', incident, update: incident.updates[0] }),
  });

/** Stores what waits, and lets another replica record. */
async function handOver(deps: RecorderDeps, leadership: Leadership): Promise<void> {
  if (!leadership.isHolder()) return;
  try {
    await deps.log.flush();
    await storeTimes(deps);
    await leadership.release(deps.clock.now());
  } catch (error) {
    deps.logger.debug({ err: error }, 'the status could not be recorded at the end');
  }
}

/**
 * Stores what becomes of the components. Of all replicas one does it: the one that holds the
 * heartbeat. A replica that takes it over, and finds that it stood still before the replica was
 * there, stores the time between as an outage.
 */
export function createRecorder(deps: RecorderDeps) {
  const { log, probing, clock, logger, publishComponents } = deps;
  let startedAt = clock.now();
  let ticking: Promise<void> | undefined;
  const timers: NodeJS.Timeout[] = [];
  const leadership = electRecorder(deps, () => startedAt);
  const work = createTickWork(deps, leadership);

  /** What can't be done while the database is away is done when it is back. */
  const tick = (): Promise<void> =>
    (ticking ??= work()
      .catch((error: unknown) => logger.debug({ err: error }, 'the status could not be recorded'))
      .finally(() => {
        ticking = undefined;
      }));

  function sample(): void {
    log.observe();
    if (!leadership.isHolder()) return;
    probing.runDue();
    probing.recordResponseTimes();
    publishComponents();
  }

  return {
    isHolder: leadership.isHolder,

    /** The work of every five seconds. Never rejects. */
    tick,

    /** The work of every second. */
    sample,

    /** Begins to record, or to wait until no other replica does. */
    start: (): void => {
      startedAt = clock.now();
      log.observe();
      timers.push(
        setInterval(sample, sampleMs).unref(),
        setInterval(() => void tick(), tickMs).unref(),
      );
      void tick();
    },

    /** Stores what waits and frees the heartbeat, in two seconds. Never rejects. */
    stop: async (): Promise<void> => {
      timers.splice(0).forEach((timer) => clearInterval(timer));
      const ending = Promise.resolve(ticking).then(() => handOver(deps, leadership));
      await withTimeout(ending, stopMs, () => undefined);
      probing.reset();
      leadership.forget();
    },
  };
}
