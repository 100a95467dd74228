import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import { minuteMs } from '../../lib/durations.ts';

/** What arrived on a replica without the event store. */
export type MisroutedKind = 'event' | 'link' | 'query';

/** How long after the last one the health check warns, in ms. */
const recentMs = 10 * minuteMs;

const names = { event: 'events', link: 'scans_and_taps', query: 'queries' } as const;

/**
 * Counts requests for analytics on a replica with ANALYTICS=off, and logs them at most once a
 * minute. Events and queries are refused, so their senders notice; a scan or a tap still redirects,
 * so that only this shows that it was lost.
 */
export function createMisroutedCounter({ clock, logger }: { clock: Clock; logger: Logger }) {
  const total = { events: 0, scans_and_taps: 0, queries: 0 };
  let sinceLog = { ...total };
  let lastAt = -Infinity;
  let loggedAt = -Infinity;

  function warn(now: number): void {
    logger.warn(
      { ...sinceLog, setting: 'ANALYTICS' },
      'analytics is off on this replica: scans and taps were lost, events and queries refused; ' +
        'route their paths to the replica that has it (docs/operations.md)',
    );
    sinceLog = { events: 0, scans_and_taps: 0, queries: 0 };
    loggedAt = now;
  }

  return {
    note(kind: MisroutedKind): void {
      const now = clock.now();
      total[names[kind]] += 1;
      sinceLog[names[kind]] += 1;
      lastAt = now;
      if (now - loggedAt >= minuteMs) warn(now);
    },

    /** Counts since the start, and whether the last one is less than ten minutes ago. */
    figures: () => ({ ...total, isRecent: clock.now() - lastAt < recentMs }),
  };
}

export type MisroutedCounter = ReturnType<typeof createMisroutedCounter>;
