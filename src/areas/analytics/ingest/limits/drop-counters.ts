import type { Clock } from '../../../../lib/clock.ts';
import { hourMs } from '../../../../lib/durations.ts';
import type { DropsRecord } from '../../store/journal-record.ts';

/** Counts dropped events per site, hour and reason. Site 0 means an unknown site. */
export function createDropCounters({ clock }: { clock: Clock }) {
  let counts = new Map<string, { s: number; hour: number; reason: string; n: number }>();

  function add(s: number, hour: number, reason: string, n: number): void {
    const key = `${s} ${hour} ${reason}`;
    const entry = counts.get(key);
    if (entry === undefined) counts.set(key, { s, hour, reason, n });
    else entry.n += n;
  }

  /** Adds back counts that could not be written. */
  function restore(record: DropsRecord): void {
    for (const { s, hour, reason, n } of record.d) add(s, hour, reason, n);
  }

  /** Returns the counts for the journal, and resets them. */
  function take(): DropsRecord | undefined {
    if (counts.size === 0) return undefined;
    const d = [...counts.values()];
    counts = new Map();
    return { kind: 'drops', d };
  }

  return {
    count: (siteId: number, reason: string, n = 1): void =>
      add(siteId, Math.floor(clock.now() / hourMs) * hourMs, reason, n),

    take,
    restore,

    /** Passes the counts to `write`, and keeps them if it fails. Never rejects. */
    async flush(write: (record: DropsRecord) => Promise<void>): Promise<void> {
      const record = take();
      if (record === undefined) return;
      try {
        await write(record);
      } catch {
        restore(record);
      }
    },
  };
}

export type DropCounters = ReturnType<typeof createDropCounters>;
