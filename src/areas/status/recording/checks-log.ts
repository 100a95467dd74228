import type { Resources } from '../../../platform/resources.ts';
import { type ComponentRecord, componentStore } from '../components/store.ts';
import type { ComponentStatus } from '../model.ts';
import { isMaintained } from '../incidents/activity.ts';
import { heartbeatStore } from '../history/heartbeat-store.ts';
import type { KnownObservation } from './observations.ts';
import { spanStore } from '../history/span-store.ts';
import type { StateCache, StoredState } from './state-cache.ts';

interface CheckChange {
  componentId: string;
  status: ComponentStatus;
  /** Unix ms. */
  at: number;
}

/** Maximum number of queued changes while the database is unavailable. Older ones are dropped. */
const maxQueued = 2000;

/** The status of the open check span of a component. */
const recordedStatus = ({ spans }: StoredState, id: string): ComponentStatus =>
  spans.find(
    ({ componentId, cause, endedAt }) =>
      componentId === id && cause === 'check' && endedAt === null,
  )?.status ?? 'operational';

/** When a check span or maintenance last began or ended: earlier results are outdated. */
const lastBoundary = ({ spans }: StoredState, id: string): number =>
  Math.max(
    0,
    ...spans
      .filter(
        ({ componentId, cause }) =>
          componentId === id && (cause === 'check' || cause === 'maintenance'),
      )
      .flatMap(({ beganAt, endedAt }) => [beganAt, endedAt ?? 0]),
  );

/** Returns the changes that make the stored status of a component match its check. */
function findDifferences(
  stored: StoredState,
  { id, source, checkStatus, checkSince }: ComponentRecord,
  observed: KnownObservation | undefined,
  now: number,
): CheckChange[] {
  // An outage must not continue for a component that this process does not check anymore.
  const fallback =
    source === 'builtin'
      ? { status: 'operational' as const, since: now }
      : { status: checkStatus, since: checkSince };
  const { status, since, isKnown } = observed ?? { ...fallback, isKnown: true };
  const reported = isMaintained(stored.incidents, id) ? 'operational' : status;
  const hasChanged = isKnown && (reported !== recordedStatus(stored, id) || status !== checkStatus);
  return hasChanged
    ? [{ componentId: id, status, at: Math.max(since, lastBoundary(stored, id)) }]
    : [];
}

/**
 * Records check results as spans. Changes that can't be written stay queued with their times.
 */
export function createChecksLog({
  db,
  cache,
  clock,
}: Pick<Resources, 'db' | 'clock'> & { cache: Pick<StateCache, 'stored' | 'observations'> }) {
  const last = new Map<string, ComponentStatus>();
  let queued: CheckChange[] = [];

  return { observe, reset, flush };

  /** Queues what has changed since the last call. Call it every second. */
  function observe(): void {
    // Before the first read the recorded status is unknown, so changes can't be detected.
    if (cache.stored().version < 0) return;
    for (const [componentId, { status, since, isKnown }] of cache.observations()) {
      if (!isKnown || last.get(componentId) === status) continue;
      // The first result is compared with the recorded status by `flush` instead.
      if (last.has(componentId)) queued.push({ componentId, status, at: since });
      last.set(componentId, status);
    }
    if (queued.length > maxQueued) queued = queued.slice(-maxQueued);
  }

  /** Drops queued changes, because another replica records. */
  function reset(): void {
    queued = [];
  }

  /**
   * Writes queued changes, or else differences to the recorded status. Resolves to true when
   * anything was written. Rejects while the database is unavailable, and keeps the queue.
   */
  async function flush(): Promise<boolean> {
    const batch = queued.slice();
    const known = new Set(cache.stored().components.map(({ id }) => id));
    const changes =
      batch.length > 0 ? batch.filter(({ componentId }) => known.has(componentId)) : differences();
    if (changes.length > 0) await writeChanges(changes);
    queued = queued.filter((each) => !batch.includes(each));
    return changes.length > 0;
  }

  function differences(): CheckChange[] {
    const observed = cache.observations();
    const stored = cache.stored();
    return stored.components.flatMap((component) =>
      findDifferences(stored, component, observed.get(component.id), clock.now()),
    );
  }

  /** Writes changes, and the current check status, of components that are not archived. */
  async function writeChanges(changes: readonly CheckChange[]): Promise<void> {
    const { incidents } = cache.stored();
    const observed = cache.observations();
    await db.transaction().execute(async (transaction) => {
      // A component that is archived concurrently must not get a span that never ends.
      const ids = changes.map(({ componentId }) => componentId);
      const present = await componentStore.lockPresent(transaction, ids);
      const own = changes.filter(({ componentId }) => present.has(componentId));
      for (const { componentId, status, at } of own) {
        const reported = isMaintained(incidents, componentId) ? 'operational' : status;
        await spanStore.setCheckStatus(transaction, componentId, reported, at);
      }
      for (const id of present) {
        const newest = own.findLast((change) => change.componentId === id);
        const now = observed.get(id) ?? (newest && { status: newest.status, since: newest.at });
        if (now !== undefined)
          await componentStore.setCheck(transaction, id, now.status, new Date(now.since));
      }
      await heartbeatStore.bumpVersion(transaction);
    });
  }
}

export type ChecksLog = ReturnType<typeof createChecksLog>;
