import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { type ComponentRecord, componentStore } from '../components/component-store.ts';
import type { ComponentStatus } from '../model.ts';
import { isMaintained } from '../state.ts';
import { heartbeatStore } from './heartbeat-store.ts';
import type { KnownObservation } from './observations.ts';
import { spanStore } from './span-store.ts';
import type { StateCache, StoredState } from './state-cache.ts';

interface CheckChange {
  componentId: string;
  status: ComponentStatus;
  /** Unix ms. */
  at: number;
}

export interface ChecksLogDeps {
  db: Database;
  cache: Pick<StateCache, 'stored' | 'observations'>;
  clock: Clock;
}

/** Changes that wait while the database is away. Older ones are dropped. */
const maxWaiting = 2000;

/** The status that the open span of a component's check says. */
const recordedStatus = ({ spans }: StoredState, id: string): ComponentStatus =>
  spans.find(
    ({ componentId, cause, endedAt }) =>
      componentId === id && cause === 'check' && endedAt === null,
  )?.status ?? 'operational';

/** When a check or maintenance last began or ended: no result from before counts. */
const lastEdge = ({ spans }: StoredState, id: string): number =>
  Math.max(
    0,
    ...spans
      .filter(
        ({ componentId, cause }) =>
          componentId === id && (cause === 'check' || cause === 'maintenance'),
      )
      .flatMap(({ beganAt, endedAt }) => [beganAt, endedAt ?? 0]),
  );

/** What has to be written so that the database says what the check of a component says now. */
function differenceOf(
  stored: StoredState,
  { id, source, checkStatus, checkSince }: ComponentRecord,
  observed: KnownObservation | undefined,
  now: number,
): CheckChange[] {
  // What this process does not check any more has no outage that goes on.
  const unseen =
    source === 'builtin'
      ? { status: 'operational' as const, since: now }
      : { status: checkStatus, since: checkSince };
  const { status, since, isKnown } = observed ?? { ...unseen, isKnown: true };
  const shown = isMaintained(stored.incidents, id) ? 'operational' : status;
  const isNews = isKnown && (shown !== recordedStatus(stored, id) || status !== checkStatus);
  return isNews ? [{ componentId: id, status, at: Math.max(since, lastEdge(stored, id)) }] : [];
}

/** Writes the changes of components that are not archived, and what their checks say now. */
async function writeChanges(
  { db, cache }: ChecksLogDeps,
  changes: readonly CheckChange[],
): Promise<void> {
  const { incidents } = cache.stored();
  const observed = cache.observations();
  await db.transaction().execute(async (transaction) => {
    // What somebody archives meanwhile must not get a span that nobody ends.
    const ids = changes.map(({ componentId }) => componentId);
    const present = await componentStore.lockPresent(transaction, ids);
    const own = changes.filter(({ componentId }) => present.has(componentId));
    for (const { componentId, status, at } of own) {
      const shown = isMaintained(incidents, componentId) ? 'operational' : status;
      await spanStore.setCheckStatus(transaction, componentId, shown, at);
    }
    for (const id of present) {
      const last = own.findLast((change) => change.componentId === id);
      const now = observed.get(id) ?? (last && { status: last.status, since: last.at });
      if (now !== undefined)
        await componentStore.setCheck(transaction, id, now.status, new Date(now.since));
    }
    await heartbeatStore.bumpVersion(transaction);
  });
}

/** Turns what the checks say into spans. What could not be written waits, with its times. */
export function createChecksLog(deps: ChecksLogDeps) {
  const { cache, clock } = deps;
  const last = new Map<string, ComponentStatus>();
  let waiting: CheckChange[] = [];

  function differences(): CheckChange[] {
    const observed = cache.observations();
    const stored = cache.stored();
    return stored.components.flatMap((component) =>
      differenceOf(stored, component, observed.get(component.id), clock.now()),
    );
  }

  return {
    /** Notes what has changed since the last call. Call it every second. */
    observe(): void {
      // Before the first read nobody knows what was recorded, nor then what is a change.
      if (cache.stored().version < 0) return;
      for (const [componentId, { status, since, isKnown }] of cache.observations()) {
        if (!isKnown || last.get(componentId) === status) continue;
        // The first time the difference to what is recorded counts.
        if (last.has(componentId)) waiting.push({ componentId, status, at: since });
        last.set(componentId, status);
      }
      if (waiting.length > maxWaiting) waiting = waiting.slice(-maxWaiting);
    },

    /** Drops what waits: another replica records. */
    reset(): void {
      waiting = [];
    },

    /**
     * Writes what waits, or else what differs. Resolves to whether anything was written; rejects
     * while the database is away, and nothing is lost.
     */
    async flush(): Promise<boolean> {
      const taken = waiting.slice();
      const known = new Set(cache.stored().components.map(({ id }) => id));
      const changes =
        taken.length > 0
          ? taken.filter(({ componentId }) => known.has(componentId))
          : differences();
      if (changes.length > 0) await writeChanges(deps, changes);
      waiting = waiting.filter((each) => !taken.includes(each));
      return changes.length > 0;
    },
  };
}

export type ChecksLog = ReturnType<typeof createChecksLog>;
