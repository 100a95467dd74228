import { idKeyBytes, type IdSet, writeIdKey } from '../../../../lib/id-set.ts';
import type { JournalEvent } from '../journal-record.ts';

/** Tells repeated events from new ones by the ids that clients chose. */
export function createDuplicateFilter(ids: IdSet) {
  const key = new Uint32Array(idKeyBytes / 4);
  const keyOf = (event: JournalEvent) => {
    writeIdKey(key, event.s, event.i);
    return key;
  };

  return {
    /** True the first time, and for every event without a client-chosen id. */
    isNew: (event: JournalEvent, now: number): boolean =>
      event.k === undefined || ids.add(keyOf(event), now),

    isKnown: (event: JournalEvent): boolean => ids.has(keyOf(event)),

    /** Forgets events that could not be stored. */
    forget(events: readonly JournalEvent[]): void {
      for (const event of events) if (event.k !== undefined) ids.remove(keyOf(event));
    },
  };
}

export type DuplicateFilter = ReturnType<typeof createDuplicateFilter>;
