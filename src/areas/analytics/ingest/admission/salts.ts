import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../../lib/clock.ts';
import { dayMs, hourMs } from '../../../../lib/durations.ts';
import type { SaltStore } from '../store.ts';

const isoDay = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);

/**
 * Manages the random daily salts of visitor hashes, 16 bytes each. Today's and yesterday's exist;
 * tomorrow's is created an hour ahead. Older ones are deleted, so that a hash can't be recomputed
 * after 48 hours. If the store is down at midnight, a local salt is used, and stored later.
 */
export function createSalts({ store, clock }: { store: SaltStore; clock: Clock }) {
  const salts = new Map<number, Buffer>();
  const stored = new Set<number>();

  async function ensure(day: number): Promise<void> {
    if (stored.has(day)) return;
    salts.set(day, await store.ensure(isoDay(day), salts.get(day) ?? randomBytes(16)));
    stored.add(day);
  }

  function deleteBefore(day: number): void {
    for (const saltDay of salts.keys()) if (saltDay < day) salts.delete(saltDay);
    for (const storedDay of stored) if (storedDay < day) stored.delete(storedDay);
  }

  function localSalt(day: number): Buffer {
    const salt = salts.get(day) ?? randomBytes(16);
    salts.set(day, salt);
    return salt;
  }

  return {
    /** Creates missing salts and deletes old ones. Call it at start, then every few minutes. */
    async refresh(): Promise<void> {
      const now = clock.now();
      const today = Math.floor(now / dayMs);
      deleteBefore(today - 1);
      await ensure(today - 1);
      await ensure(today);
      if (now % dayMs > dayMs - hourMs) await ensure(today + 1);
      await store.destroyBefore(isoDay(today - 1));
    },

    at(now: number): { day: number; today: Buffer; yesterday: Buffer } {
      const day = Math.floor(now / dayMs);
      return { day, today: localSalt(day), yesterday: localSalt(day - 1) };
    },
  };
}

export type Salts = ReturnType<typeof createSalts>;
