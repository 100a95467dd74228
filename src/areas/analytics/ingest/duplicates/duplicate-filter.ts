import { idKeyBytes, type IdSet, writeIdKey } from '../../../../lib/id-set.ts';
import { analyticsErrors } from '../../errors.ts';
import type { JournalEvent } from '../journal-record.ts';
import type { RecentIds } from './recent-ids.ts';

/**
 * How long an event with an id of its own waits, after a start, for the ids that came before it.
 */
const patienceMs = 1500;

export type Memory = Pick<RecentIds, 'ids' | 'isLoaded' | 'isLoadedWithin'>;

async function waitFor(memory: Memory): Promise<void> {
  if (!(await memory.isLoadedWithin(patienceMs)))
    throw analyticsErrors.ids_loading({ headers: { 'retry-after': '5' } });
}

/**
 * Does `next` once it is known which ids came before: at once, but for the first moments after a
 * start.
 */
export function onceRemembered<T>(
  memory: Memory,
  hasId: boolean,
  next: () => Promise<T>,
): Promise<T> {
  return !hasId || memory.isLoaded() ? next() : waitFor(memory).then(next);
}

/** Tells events that came before from new ones, by the ids that clients chose. */
export function createDuplicateFilter(ids: IdSet) {
  const key = new Uint32Array(idKeyBytes / 4);
  const keyOf = (event: JournalEvent) => {
    writeIdKey(key, event.s, event.i);
    return key;
  };

  return {
    /** True the first time, and for every event without an id of its own. */
    isNew: (event: JournalEvent, now: number): boolean =>
      event.k === undefined || ids.add(keyOf(event), now),

    isKnown: (event: JournalEvent): boolean => ids.has(keyOf(event)),

    /** Takes back events that could not be stored. */
    forget(events: readonly JournalEvent[]): void {
      for (const event of events) if (event.k !== undefined) ids.remove(keyOf(event));
    },
  };
}
