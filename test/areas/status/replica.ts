import { brandNamed } from '../../support/brand.ts';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { createAudit } from '../../../src/areas/audit/service.ts';
import { createAuditStore } from '../../../src/areas/audit/store.ts';
import type { HealthStatus } from '../../../src/areas/health/monitor.ts';
import { createHealth } from '../../../src/areas/health/service.ts';
import { createStatus } from '../../../src/areas/status/service.ts';
import { minuteMs } from '../../../src/lib/durations.ts';
import type { BusEvent } from '../../../src/platform/bus/types.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { type Engine, openTestDatabase, silent } from '../../platform/database/engines.ts';

export interface TestClock {
  now: () => number;
  /** Lets time pass. Returns the new time. */
  pass: (ms: number) => number;
}

/**
 * Opens a replica whose checks return the given results. Its timers run, but the clock does not.
 * `redis` is the result of the first Redis check.
 */
export async function openReplica(
  database: Database,
  clock: TestClock,
  redis: HealthStatus = 'pass',
) {
  const found: Record<'database' | 'redis', HealthStatus> = { database: 'pass', redis };
  const health = createHealth({ clock });
  health.register(
    'database:responseTime',
    async () => ({ status: found.database, observedValue: 2, observedUnit: 'ms' }),
    { title: 'Database', componentType: 'datastore' },
  );
  health.register('redis:responseTime', async () => ({ status: found.redis }), {
    title: 'Redis',
    componentType: 'datastore',
  });
  const published: [string, BusEvent][] = [];
  const noticed: string[] = [];
  const status = createStatus({
    db: database,
    health,
    publisher: { publishInBackground: (channel, event) => void published.push([channel, event]) },
    audit: createAudit({ store: createAuditStore(database), clock, logger: silent }),
    clock,
    logger: silent,
    baseUrl: 'https://svc.example',
    brand: brandNamed('Platform Service'),
    subscriptions: {
      notifySubscribers: async ({ incident, update }) =>
        void noticed.push(`${incident.name}: ${update.status}`),
    },
  });
  const checkOnce = async () => {
    await health.start();
    health.stop();
    status.recorder.sample();
  };
  /** Runs the checks twice, a millisecond apart: a single bad result is not reported. */
  const check = async () => {
    await checkOnce();
    clock.pass(1);
    await checkOnce();
  };
  await checkOnce();
  await status.refresh();
  status.start();
  await status.recorder.tick();
  status.recorder.sample();
  const day = (id: string) =>
    status
      .state()
      .components.find((component) => component.id === id)
      ?.days.at(-1)?.ms;
  return { status, found, published, noticed, check, checkOnce, day, tick: status.recorder.tick };
}

/** Gives a suite a clock and a database. Both are set back before each test. */
export function useReplicas(engine: Engine) {
  const begin = Date.UTC(2026, 5, 1, 12);
  let now = begin;
  let db: Database;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ db, close } = await openTestDatabase(engine));
  }, 60_000);
  afterAll(() => close());
  beforeEach(async () => {
    now = begin;
    await db.deleteFrom('status_components').execute();
    await db.deleteFrom('status_incidents').execute();
    await db.updateTable('status_heartbeat').set({ at: null, holder: null }).execute();
  });
  const opened: Replica[] = [];
  afterEach(() => Promise.all(opened.splice(0).map(({ status }) => status.stop())));
  const clock: TestClock = { now: () => now, pass: (ms) => (now += ms) };
  return {
    clock,
    /** Sets the clock to a time after the begin of the test. */
    setTime: (minutes: number, seconds = 0): void => {
      now = begin + minutes * minuteMs + seconds * 1000;
    },
    db: () => db,
    /** Opens a replica, which stops after the test at the latest. */
    open: async (redis?: HealthStatus): Promise<Replica> => {
      const replica = await openReplica(db, clock, redis);
      opened.push(replica);
      return replica;
    },
    spans: () => spansOf(db),
  };
}

export type Replica = Awaited<ReturnType<typeof openReplica>>;

/** Every span, oldest first: component, status, cause, start and end. */
export const spansOf = async (db: Database) =>
  (
    await db
      .selectFrom('status_spans')
      .select(['component_id', 'status', 'cause', 'began_at', 'ended_at'])
      .orderBy('began_at')
      .orderBy('component_id')
      .execute()
  ).map((row) => [
    row.component_id,
    row.status,
    row.cause,
    row.began_at.getTime(),
    row.ended_at?.getTime() ?? null,
  ]);
