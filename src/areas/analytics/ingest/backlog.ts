import { comparePositions, type Position } from '../../../platform/journal/position.ts';

/** Events that were accepted by this process, and how many of them the figures have. */
export interface BacklogFigures {
  /** Since the start. */
  accepted: number;
  /**
   * Accepted and not in the figures yet; null while some are left from before the start, which
   * nobody has counted.
   */
  pending: number | null;
}

/**
 * Counts what is durable and not in the event store yet. `durable` is the end of the journal:
 * whenever the store has reached it, nothing is left, whatever was counted before.
 */
export function createBacklog(durable: () => Position) {
  let accepted = 0;
  let waiting = 0;
  let isKnown = false;
  return {
    /** So many events are durable. */
    stored(events: number): void {
      accepted += events;
      waiting += events;
    },

    /** The store has everything up to here, with so many more events. */
    applied(position: Position, events: number): void {
      waiting -= events;
      if (comparePositions(position, durable()) < 0) return;
      waiting = 0;
      isKnown = true;
    },

    figures: (): BacklogFigures => ({ accepted, pending: isKnown ? Math.max(0, waiting) : null }),
  };
}

export type Backlog = ReturnType<typeof createBacklog>;
