import { comparePositions, type Position } from '../../../platform/journal/position.ts';

/** Events that this process has accepted, and how many of them the figures do not have yet. */
export interface BacklogFigures {
  /** Since the start. */
  accepted: number;
  /** Null while uncounted events from before the start are left. */
  pending: number | null;
}

/**
 * Counts events that are durable and not in the event store yet. `journalEnd`: once the store has
 * reached it nothing is pending, whatever was counted.
 */
export function createBacklog(journalEnd: () => Position) {
  let accepted = 0;
  let pending = 0;
  let isKnown = false;
  return {
    /** So many more events are durable. */
    stored(events: number): void {
      accepted += events;
      pending += events;
    },

    /** The store has everything up to here, with so many more events. */
    applied(position: Position, events: number): void {
      pending -= events;
      if (comparePositions(position, journalEnd()) < 0) return;
      pending = 0;
      isKnown = true;
    },

    figures: (): BacklogFigures => ({ accepted, pending: isKnown ? Math.max(0, pending) : null }),
  };
}

export type Backlog = ReturnType<typeof createBacklog>;
