import { withTimeout } from '../../../lib/concurrency/with-timeout.ts';
import { dayMs, hourMs } from '../../../lib/durations.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { StatusParts } from '../context.ts';
import type { StatusChange } from '../incidents/incident-changes.ts';
import type { Incidents } from '../incidents/service.ts';
import type { Maintenances } from '../incidents/maintenances.ts';
import type { ChecksLog } from './checks-log.ts';
import { type Downtime, downtimeOf } from './downtime.ts';
import { heartbeatStore } from '../history/heartbeat-store.ts';
import { createLeadership } from './leadership.ts';
import type { Prober } from './prober.ts';
import { spanStore } from '../history/span-store.ts';
import { shownDays, type StateCache } from './state-cache.ts';

interface RecorderParts extends StatusParts {
  cache: StateCache;
  log: ChecksLog;
  prober: Prober;
  incidents: Pick<Incidents, 'insertDowntime'>;
  maintenances: Pick<Maintenances, 'runSchedule'>;
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

/**
 * Records the status of the components. Only the replica that holds the heartbeat does so. A
 * replica that takes over and finds a gap between the last heartbeat and its own start records the
 * gap as downtime.
 */
export function createRecorder(parts: RecorderParts) {
  const { db, cache, log, prober, incidents, maintenances, clock, logger, propagate } = parts;
  let startedAt = clock.now();
  let timesStoredAt = clock.now();
  let cleanedAt = 0;
  let ticking: Promise<void> | undefined;
  const timers: NodeJS.Timeout[] = [];
  const leadership = createLeadership({
    db,
    cache,
    onLost: () => prober.reset(),
    insertDowntime,
    publishDowntime: ({ incident }) =>
      parts.publishChange({ event: 'incident.resolved', incident, update: incident.updates[0] }),
  });
  return { isHolder: leadership.isHolder, tick, sample, start, stop };

  /**
   * Runs every five seconds. Never rejects: work that fails while the database is unavailable is
   * repeated at a later tick.
   */
  function tick(): Promise<void> {
    return (ticking ??= work()
      .catch((error: unknown) => logger.debug({ err: error }, 'the status could not be recorded'))
      .finally(() => {
        ticking = undefined;
      }));
  }

  /** Runs every second. */
  function sample(): void {
    log.observe();
    if (!leadership.isHolder()) return;
    prober.runDue();
    prober.recordResponseTimes();
    parts.publishComponents();
  }

  /** Starts to record, or to stand by while another replica does. */
  function start(): void {
    startedAt = clock.now();
    log.observe();
    timers.push(
      setInterval(sample, sampleIntervalMs).unref(),
      setInterval(() => void tick(), tickIntervalMs).unref(),
    );
    void tick();
  }

  /** Stores queued changes and releases the heartbeat, within two seconds. Never rejects. */
  async function stop(): Promise<void> {
    timers.splice(0).forEach((timer) => clearInterval(timer));
    await withTimeout(Promise.resolve(ticking).then(handOver), stopTimeoutMs, () => undefined);
    prober.reset();
    leadership.resign();
  }

  /** Renews or acquires the heartbeat, then records if this replica holds it. */
  async function work(): Promise<void> {
    const now = clock.now();
    await leadership.heartbeat(now);
    if (!leadership.isHolder()) {
      log.reset();
      return;
    }
    await maintenances.runSchedule(cache.stored().incidents);
    if (await log.flush()) await propagate();
    if (Math.abs(now - timesStoredAt) >= storeTimesIntervalMs) {
      timesStoredAt = now;
      await storeTimes();
    }
    if (Math.abs(now - cleanedAt) >= cleanupIntervalMs) {
      cleanedAt = now;
      await spanStore.deleteBefore(db, now - (shownDays + 1) * dayMs);
    }
  }

  /** Records the time without a running process, until the start of this one, as an outage. */
  async function insertDowntime(
    transaction: Database,
    lastHeartbeatAt: number | null,
    now: number,
  ): Promise<Downtime | undefined> {
    if (lastHeartbeatAt === null || startedAt - lastHeartbeatAt <= maxGapMs) return undefined;
    const { components, incidents: known } = cache.stored();
    const downtime = downtimeOf(
      { from: lastHeartbeatAt, to: startedAt },
      components.filter(({ source }) => source === 'builtin').map(({ id }) => id),
      known.filter(({ kind }) => kind === 'maintenance'),
      now,
    );
    if (downtime === undefined) return undefined;
    await incidents.insertDowntime(transaction, downtime.incident);
    await spanStore.insert(transaction, downtime.spans);
    return downtime;
  }

  async function storeTimes(): Promise<void> {
    const known = cache.stored().components;
    const times = prober
      .takeTimes()
      .filter(({ componentId }) => known.some(({ id }) => id === componentId));
    if (times.length === 0) return;
    try {
      await db.transaction().execute(async (transaction) => {
        await spanStore.addResponseTimes(transaction, times);
        await heartbeatStore.bumpVersion(transaction);
      });
    } catch (error) {
      prober.putBackTimes(times);
      throw error;
    }
    await propagate();
  }

  /** Stores queued changes and releases the heartbeat for another replica. */
  async function handOver(): Promise<void> {
    if (!leadership.isHolder()) return;
    try {
      await log.flush();
      await storeTimes();
      await leadership.release(clock.now());
    } catch (error) {
      logger.debug({ err: error }, 'the status could not be recorded at the end');
    }
  }
}
