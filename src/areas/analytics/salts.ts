import { randomBytes } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';

const dayMs = 86_400_000;

export interface SaltStore {
  /** Stores the salt unless the day has one, and gives the day's salt. */
  ensure(day: string, salt: Buffer): Promise<Buffer>;
  /** Destroys the salts of days before `day` (YYYY-MM-DD). */
  destroyBefore(day: string): Promise<void>;
}

const isoDay = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);

/**
 * The random daily salts behind the visitor hashes (16 bytes each). Today's and yesterday's exist, tomorrow's is
 * made an hour ahead; older ones are destroyed, so that a hash can't be made again after 48 hours.
 */
export function createSalts({ store, clock }: { store: SaltStore; clock: Clock }) {
  const salts = new Map<number, Buffer>();

  async function ensure(day: number): Promise<void> {
    if (!salts.has(day)) salts.set(day, await store.ensure(isoDay(day), randomBytes(16)));
  }

  /** The newest salt that is not after `day`: an unreachable database at midnight must not stop the counting. */
  function latest(day: number): Buffer {
    for (let back = day; back > day - 3; back--) {
      const salt = salts.get(back);
      if (salt !== undefined) return salt;
    }
    throw new Error('the visitor salts have not been loaded');
  }

  return {
    /** Makes what is missing and destroys what is too old. Call at start and then every few minutes. */
    async refresh(): Promise<void> {
      const now = clock.now();
      const today = Math.floor(now / dayMs);
      await ensure(today - 1);
      await ensure(today);
      if (now % dayMs > dayMs - 3_600_000) await ensure(today + 1);
      await store.destroyBefore(isoDay(today - 1));
      for (const day of salts.keys()) if (day < today - 1) salts.delete(day);
    },

    at(now: number): { day: number; today: Buffer; yesterday: Buffer } {
      const day = Math.floor(now / dayMs);
      return { day, today: latest(day), yesterday: salts.get(day - 1) ?? latest(day) };
    },
  };
}

export type Salts = ReturnType<typeof createSalts>;
