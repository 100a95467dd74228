import { createHmac } from 'node:crypto';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Clock } from '../../../../lib/clock.ts';
import { dayMs } from '../../../../lib/durations.ts';
import { clientKey } from '../../../../lib/net/ip.ts';

const maxCounts = 50_000;

interface Count {
  /** Bytes of all replicas today, as of the last sync. */
  total: number;
  /** Bytes that Redis does not know yet. */
  pending: number;
}

export interface StorageBudgetOptions {
  redis: Redis;
  /** Addresses are stored under a keyed hash: Redis writes its data to the disk. */
  key: Buffer;
  clock: Clock;
  logger: Logger;
  /** Bytes a day; 0 means no limit. */
  perAddress: number;
  perSite: number;
}

/** Bytes by name, of the current UTC day. */
function createDailyCounts(clock: Clock) {
  const counts = new LRUCache<string, Count>({ max: maxCounts });
  const changed = new Set<string>();
  let day = Math.floor(clock.now() / dayMs);

  return {
    today(): number {
      const today = Math.floor(clock.now() / dayMs);
      if (today !== day) {
        day = today;
        counts.clear();
        changed.clear();
      }
      return day;
    },

    bytes(name: string): number {
      const count = counts.get(name);
      return count === undefined ? 0 : count.total + count.pending;
    },

    add(name: string, bytes: number): void {
      const count = counts.get(name) ?? { total: 0, pending: 0 };
      count.pending += bytes;
      counts.set(name, count);
      changed.add(name);
    },

    /** Names and bytes that Redis does not know yet. */
    unsynced: () => [...changed].map((name) => ({ name, bytes: counts.peek(name)?.pending ?? 0 })),

    /** Redis has counted these bytes on `syncedDay`, and knows of `total`. */
    synced(name: string, bytes: number, total: number, syncedDay: number): void {
      const count = counts.peek(name);
      if (count === undefined || syncedDay !== day) return;
      count.total = total;
      count.pending -= bytes;
      if (count.pending <= 0) changed.delete(name);
    },
  };
}

type DailyCounts = ReturnType<typeof createDailyCounts>;

/** Adds the unsynced bytes to those of the other replicas, and reads the new totals. */
async function syncCounts(redis: Redis, key: Buffer, counts: DailyCounts): Promise<void> {
  const today = counts.today();
  const unsynced = counts.unsynced();
  if (unsynced.length === 0 || redis.status !== 'ready') return;
  const fieldOf = (name: string): string =>
    createHmac('sha256', key).update(name).digest('base64url').slice(0, 22);
  const hash = `analytics:stored:${today}`;
  const pipeline = redis.pipeline();
  for (const { name, bytes } of unsynced) pipeline.hincrby(hash, fieldOf(name), Math.ceil(bytes));
  pipeline.expire(hash, (2 * dayMs) / 1000);
  const results = await pipeline.exec();
  for (const [index, { name, bytes }] of unsynced.entries()) {
    const [error, total] = results?.[index] ?? [new Error('no answer'), undefined];
    if (error === null && typeof total === 'number') counts.synced(name, bytes, total, today);
  }
}

/**
 * Counts the bytes that an address and a site bring into the journal in a UTC day. The process
 * counts by itself and syncs with Redis every second: events wait for nothing, the limits may be
 * exceeded by what comes within that second, and without Redis each replica uses its own count.
 */
export function createStorageBudget({
  redis,
  key,
  clock,
  logger,
  perAddress,
  perSite,
}: StorageBudgetOptions) {
  const counts = createDailyCounts(clock);
  const addressName = (ip: string): string => `a ${clientKey(ip)}`;
  const siteName = (site: number): string => `s ${site}`;

  function isSpent(name: string, limit: number): boolean {
    counts.today();
    return counts.bytes(name) >= limit;
  }

  return {
    isAddressSpent: (ip: string): boolean => perAddress > 0 && isSpent(addressName(ip), perAddress),

    isSiteSpent: (site: number): boolean => perSite > 0 && isSpent(siteName(site), perSite),

    /** Counts `bytes` for an address and for sites, one entry for each event. */
    charge(ip: string, sites: readonly number[], bytes: number): void {
      counts.today();
      if (perAddress > 0) counts.add(addressName(ip), bytes);
      if (perSite > 0) for (const site of sites) counts.add(siteName(site), bytes / sites.length);
    },

    /** Seconds until the budgets begin anew. */
    secondsLeft: (): number => Math.ceil((dayMs - (clock.now() % dayMs)) / 1000),

    /** Exchanges counts with the other replicas. Call it every second. Never rejects. */
    sync: (): Promise<void> =>
      syncCounts(redis, key, counts).catch((err: unknown) =>
        logger.debug({ err }, 'the stored bytes could not be counted in Redis'),
      ),
  };
}

export type StorageBudget = ReturnType<typeof createStorageBudget>;
