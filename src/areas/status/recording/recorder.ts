import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '../../../lib/clock.ts';
import { dayMs, hourMs } from '../../../lib/durations.ts';
import { withTimeout } from '../../../lib/concurrency/with-timeout.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { ChecksLog } from './checks-log.ts';
import { type Downtime, downtimeOf } from './downtime.ts';
import { type Heartbeat, heartbeatStore } from './heartbeat-store.ts';
import type { StatusChange } from '../incidents/incident-changes.ts';
import type { Incidents } from '../incidents/incidents.ts';
import { runSchedule } from '../incidents/maintenance-schedule.ts';
import type { Maintenances } from '../incidents/maintenances.ts';
import { type Memory, shownDays } from './memory.ts';
import type { Probing } from './probing.ts';
import { spanStore } from './span-store.ts';

export interface RecorderDeps {
  db: Database;
  memory: Memory;
  log: ChecksLog;
  probing: Probing;
  incidents: Pick<Incidents, 'insertDowntime'>;
  maintenances: Pick<Maintenances, 'createSystemUpdate'>;
  clock: Clock;
  logger: Logger;
  /** Called after components or response times have changed in the database. */
  publishComponents: () => Promise<void>;
  publishChange: (change: StatusChange) => Promise<void>;
  /** Publishes the components whose state has changed. */
  announce: () => void;
}

const sampleMs = 1000;
const tickMs = 5000;
/** A holder that has not said for so long that it is alive has lost its place. */
const lostMs = 15_000;
/** A pause of the heartbeat that is an outage. */
const gapMs = 30_000;
const stopMs = 2000;
const timesMs = 60_000;
const cleanMs = hourMs;

/**
 * Writes down what becomes of the components. Of all replicas one does it: the one that holds the heartbeat. Who takes it
 * over and finds that it stood still, before this process was there, enters the time between as an outage.
 */
export function createRecorder({
  db,
  memory,
  log,
  probing,
  incidents,
  maintenances,
  clock,
  logger,
  publishComponents,
  publishChange,
  announce,
}: RecorderDeps) {
  const me = randomUUID();
  let startedAt = clock.now();
  let isHolder = false;
  let keptTimesAt = clock.now();
  let cleanedAt = 0;
  let seen: { at: number; since: number } | undefined;
  let ticking: Promise<void> | undefined;
  const timers: NodeJS.Timeout[] = [];

  /** Also true where the holder's time stands still: it may have been ahead of ours when it died. */
  function isFree({ at, holder }: Heartbeat, now: number): boolean {
    if (holder === null || at === null || at < now - lostMs) return true;
    if (seen?.at !== at) seen = { at, since: now };
    return now - seen.since > lostMs;
  }

  /** Null: nothing to enter. */
  function downtimeSince(at: number | null, now: number): Downtime | undefined {
    if (at === null || startedAt - at <= gapMs) return undefined;
    const { components, incidents: known } = memory.loaded();
    return downtimeOf(
      { from: at, to: startedAt },
      components.filter(({ source }) => source === 'builtin').map(({ id }) => id),
      known.filter(({ kind }) => kind === 'maintenance'),
      now,
    );
  }

  async function take(now: number): Promise<void> {
    const found = await heartbeatStore.read(db);
    await memory.refresh(found.version);
    if (!isFree(found, now) || memory.loaded().version < 0) return;
    const taken = await db.transaction().execute(async (transaction) => {
      const heartbeat = await heartbeatStore.read(transaction, { forUpdate: true });
      if (!isFree(heartbeat, now)) return undefined;
      await heartbeatStore.take(transaction, me, new Date(now));
      const downtime = downtimeSince(heartbeat.at, now);
      if (downtime === undefined) return { downtime };
      await incidents.insertDowntime(transaction, downtime.incident);
      await spanStore.insert(transaction, downtime.spans);
      return { downtime };
    });
    isHolder = taken !== undefined;
    if (taken?.downtime !== undefined)
      await publishChange({
        event: 'incident.resolved',
        incident: taken.downtime.incident,
        update: taken.downtime.incident.updates[0],
      });
  }

  /** Says that this process is alive, or tries to become the one that records. */
  async function beat(now: number): Promise<void> {
    const held = isHolder ? await heartbeatStore.beat(db, me, new Date(now)) : undefined;
    if (held !== undefined) return memory.refresh(held.version);
    if (isHolder) probing.forget();
    isHolder = false;
    return take(now);
  }

  async function keepTimes(): Promise<void> {
    const taken = probing
      .takeTimes()
      .filter(({ componentId }) => memory.loaded().components.some(({ id }) => id === componentId));
    if (taken.length === 0) return;
    try {
      await db.transaction().execute(async (transaction) => {
        await spanStore.addResponseTimes(transaction, taken);
        await heartbeatStore.grow(transaction);
      });
    } catch (error) {
      probing.giveBack(taken);
      throw error;
    }
    await publishComponents();
  }

  async function work(): Promise<void> {
    const now = clock.now();
    await beat(now);
    if (!isHolder) {
      log.forget();
      return;
    }
    await runSchedule(maintenances, clock, memory.loaded().incidents);
    if (await log.flush()) await publishComponents();
    if (Math.abs(now - keptTimesAt) >= timesMs) {
      keptTimesAt = now;
      await keepTimes();
    }
    if (Math.abs(now - cleanedAt) >= cleanMs) {
      cleanedAt = now;
      await spanStore.deleteBefore(db, now - (shownDays + 1) * dayMs);
    }
  }

  /** What cannot be done while the database is away is done when it is back. */
  const tick = (): Promise<void> =>
    (ticking ??= work()
      .catch((error: unknown) => logger.debug({ err: error }, 'the status could not be recorded'))
      .finally(() => {
        ticking = undefined;
      }));

  async function handOver(): Promise<void> {
    await ticking;
    if (!isHolder) return;
    try {
      await log.flush();
      await keepTimes();
      await heartbeatStore.release(db, me, new Date(clock.now()));
    } catch (error) {
      logger.debug({ err: error }, 'the status could not be recorded at the end');
    }
  }

  function sample(): void {
    log.observe();
    if (!isHolder) return;
    probing.runDue();
    probing.noteMeasured();
    announce();
  }

  return {
    isHolder: (): boolean => isHolder,

    /** One turn, as the timer makes it every five seconds. Never rejects. */
    tick,

    /** One look at the checks, as the timer takes it every second. */
    sample,

    /** Begins to record, or to wait until nobody else does. */
    start: (): void => {
      startedAt = clock.now();
      log.observe();
      timers.push(
        setInterval(sample, sampleMs).unref(),
        setInterval(() => void tick(), tickMs).unref(),
      );
      void tick();
    },

    /** Writes what waits, and gives the heartbeat back, so that another one can take it at once. Takes two seconds at most, and never rejects. */
    stop: async (): Promise<void> => {
      timers.splice(0).forEach((timer) => clearInterval(timer));
      await withTimeout(handOver(), stopMs, () => undefined);
      probing.forget();
      isHolder = false;
    },
  };
}

export type Recorder = ReturnType<typeof createRecorder>;
