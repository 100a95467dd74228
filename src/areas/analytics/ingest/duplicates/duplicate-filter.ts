import { idKeyBytes, type IdSet, writeIdKey } from '../../../../lib/id-set.ts';
import type { JournalEvent } from '../../store/journal-record.ts';

/** Detects duplicate events by their client-chosen ids. */
export function createDuplicateFilter(ids: IdSet) {
  const key = new Uint32Array(idKeyBytes / 4);
  const toKey = (event: JournalEvent) => {
    writeIdKey(key, event.s, event.i);
    return key;
  };

  return {
    /** Records the id. Returns true if it is new, or if the event has no client-chosen id. */
    isNew: (event: JournalEvent, now: number): boolean =>
      event.k === undefined || ids.add(toKey(event), now),

    isKnown: (event: JournalEvent): boolean => ids.has(toKey(event)),

    /** Removes the ids of events that could not be stored. */
    forget(events: readonly JournalEvent[]): void {
      for (const event of events) if (event.k !== undefined) ids.remove(toKey(event));
    },
  };
}

export type DuplicateFilter = ReturnType<typeof createDuplicateFilter>;
