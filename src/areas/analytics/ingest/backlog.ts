import { comparePositions, type Position } from '../../../platform/journal/position.ts';

/** Events accepted by this process, and how many of them are not in the figures yet. */
export interface BacklogFigures {
  /** Since the process started. */
  accepted: number;
  /** Null while events from before the start, which are not counted, are pending. */
  pending: number | null;
}

/**
 * Counts events that are durable but not in the event store yet. Once the store has reached
 * `journalEnd`, nothing is pending, and the count is reset.
 */
export function createBacklog(journalEnd: () => Position) {
  let accepted = 0;
  let pending = 0;
  let isKnown = false;
  return {
    /** Counts newly durable events. */
    stored(events: number): void {
      accepted += events;
      pending += events;
    },

    /** Subtracts newly stored events. The store has everything before `position`. */
    applied(position: Position, events: number): void {
      pending -= events;
      if (comparePositions(position, journalEnd()) < 0) return;
      pending = 0;
      isKnown = true;
    },

    figures: (): BacklogFigures => ({ accepted, pending: isKnown ? Math.max(0, pending) : null }),
  };
}
