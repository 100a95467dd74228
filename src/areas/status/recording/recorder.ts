import type { Logger } from 'pino';
import type { Clock } from '../../../lib/clock.ts';
import { withTimeout } from '../../../lib/concurrency/with-timeout.ts';
import { dayMs, hourMs } from '../../../lib/durations.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { StatusChange } from '../incidents/incident-changes.ts';
import type { Incidents } from '../incidents/service.ts';
import { runSchedule } from '../incidents/maintenance-schedule.ts';
import type { Maintenances } from '../incidents/maintenances.ts';
import type { ChecksLog } from './checks-log.ts';
import { type Downtime, downtimeOf } from './downtime.ts';
import { heartbeatStore } from '../history/heartbeat-store.ts';
import { createLeadership, type Leadership } from './leadership.ts';
import type { Probing } from './probing.ts';
import { spanStore } from '../history/span-store.ts';
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

const sampleIntervalMs = 1000;
const tickIntervalMs = 5000;
/** A heartbeat gap longer than this counts as downtime. */
const maxGapMs = 30_000;
const stopTimeoutMs = 2000;
const storeTimesIntervalMs = 60_000;
const cleanupIntervalMs = hourMs;

/** Records the time from `from` to `to` (Unix ms), without a running process, as an outage. */
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

/** The work of a tick: renew or acquire the heartbeat, then record if this replica holds it. */
function createTickWork(deps: RecorderDeps, leadership: Leadership) {
  const { db, cache, log, maintenances, clock, propagate } = deps;
  let timesStoredAt = clock.now();
  let cleanedAt = 0;

  return async (): Promise<void> => {
    const now = clock.now();
    await leadership.heartbeat(now);
    if (!leadership.isHolder()) {
      log.reset();
      return;
    }
    await runSchedule(maintenances, clock, cache.stored().incidents);
    if (await log.flush()) await propagate();
    if (Math.abs(now - timesStoredAt) >= storeTimesIntervalMs) {
      timesStoredAt = now;
      await storeTimes(deps);
    }
    if (Math.abs(now - cleanedAt) >= cleanupIntervalMs) {
      cleanedAt = now;
      await spanStore.deleteBefore(db, now - (shownDays + 1) * dayMs);
    }
  };
}

/** Creates the election of the recording replica. `startedAt` is the process start in Unix ms. */
const electRecorder = (deps: RecorderDeps, startedAt: () => number) =>
  createLeadership({
    db: deps.db,
    cache: deps.cache,
    onLost: () => deps.probing.reset(),
    insertDowntime: async (transaction, lastHeartbeatAt, now) =>
      lastHeartbeatAt === null || startedAt() - lastHeartbeatAt <= maxGapMs
        ? undefined
        : insertDowntime(deps, transaction, { from: lastHeartbeatAt, to: startedAt(), now }),
    publishDowntime: ({ incident }) =>
      deps.publishChange({ event: 'incident.resolved', incident, update: incident.updates[0] }),
  });

/** Stores queued changes and releases the heartbeat for another replica. */
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
 * Records the status of the components. Only the replica that holds the heartbeat does so. A
 * replica that takes over and finds a gap between the last heartbeat and its own start records the
 * gap as downtime.
 */
export function createRecorder(deps: RecorderDeps) {
  const { log, probing, clock, logger, publishComponents } = deps;
  let startedAt = clock.now();
  let ticking: Promise<void> | undefined;
  const timers: NodeJS.Timeout[] = [];
  const leadership = electRecorder(deps, () => startedAt);
  const work = createTickWork(deps, leadership);

  /** Work that fails while the database is unavailable is repeated at a later tick. */
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

    /** Runs every five seconds. Never rejects. */
    tick,

    /** Runs every second. */
    sample,

    /** Starts to record, or to stand by while another replica does. */
    start: (): void => {
      startedAt = clock.now();
      log.observe();
      timers.push(
        setInterval(sample, sampleIntervalMs).unref(),
        setInterval(() => void tick(), tickIntervalMs).unref(),
      );
      void tick();
    },

    /** Stores queued changes and releases the heartbeat, within two seconds. Never rejects. */
    stop: async (): Promise<void> => {
      timers.splice(0).forEach((timer) => clearInterval(timer));
      const ending = Promise.resolve(ticking).then(() => handOver(deps, leadership));
      await withTimeout(ending, stopTimeoutMs, () => undefined);
      probing.reset();
      leadership.resign();
    },
  };
}
