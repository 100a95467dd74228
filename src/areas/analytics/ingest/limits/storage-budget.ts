import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { dayMs } from '../../../../lib/durations.ts';
import { clientKey } from '../../../../lib/net/ip.ts';
import type { Resources } from '../../../../platform/resources.ts';

const maxCounts = 50_000;

interface Count {
  /** Today's bytes of all replicas, as of the last sync. */
  total: number;
  /** Bytes not synced to Redis yet. */
  pending: number;
}

const addressName = (ip: string): string => `a ${clientKey(ip)}`;
const siteName = (site: number): string => `s ${site}`;

/**
 * Counts the bytes that an address and a site write to the journal per UTC day. The process counts
 * in memory and syncs with Redis every second: events never wait, the limits may be exceeded by the
 * traffic of that second, and without Redis each replica enforces its own count.
 */
export function createStorageBudget({ config, redis, keys, clock, logger }: Resources) {
  // Redis may persist its data to disk, so it gets hashes of addresses.
  const key = keys('analytics-stored-bytes');
  const perAddress = config.RATE_LIMIT ? config.STORED_BYTES_PER_ADDRESS : 0;
  const perSite = config.RATE_LIMIT ? config.STORED_BYTES_PER_SITE : 0;
  /** By name, for the current UTC day. */
  const counts = new LRUCache<string, Count>({ max: maxCounts });
  const changed = new Set<string>();
  let day = Math.floor(clock.now() / dayMs);

  return {
    isAddressSpent: (ip: string): boolean => perAddress > 0 && isSpent(addressName(ip), perAddress),

    isSiteSpent: (site: number): boolean => perSite > 0 && isSpent(siteName(site), perSite),

    /** Charges `bytes` to an address, and splits them over `sites`, one entry per event. */
    charge(ip: string, sites: readonly number[], bytes: number): void {
      startDay();
      if (perAddress > 0) add(addressName(ip), bytes);
      if (perSite > 0) for (const site of sites) add(siteName(site), bytes / sites.length);
    },

    /** Returns seconds until the budgets reset. */
    secondsLeft: (): number => Math.ceil((dayMs - (clock.now() % dayMs)) / 1000),

    /** Syncs counts with the other replicas. Call it every second. Never rejects. */
    sync: (): Promise<void> =>
      syncCounts().catch((err: unknown) =>
        logger.debug({ err }, 'the stored bytes could not be counted in Redis'),
      ),
  };

  function startDay(): void {
    const today = Math.floor(clock.now() / dayMs);
    if (today === day) return;
    day = today;
    counts.clear();
    changed.clear();
  }

  function isSpent(name: string, limit: number): boolean {
    startDay();
    const { total, pending } = counts.get(name) ?? { total: 0, pending: 0 };
    return total + pending >= limit;
  }

  function add(name: string, bytes: number): void {
    const count = counts.get(name) ?? { total: 0, pending: 0 };
    count.pending += bytes;
    counts.set(name, count);
    changed.add(name);
  }

  /** Adds the unsynced bytes to the shared totals in Redis, and reads the new totals. */
  async function syncCounts(): Promise<void> {
    startDay();
    const today = day;
    const unsynced = [...changed].map((name) => ({ name, bytes: counts.peek(name)?.pending ?? 0 }));
    if (unsynced.length === 0 || redis.status !== 'ready') return;
    const toField = (name: string): string =>
      createHmac('sha256', key).update(name).digest('base64url').slice(0, 22);
    const hash = `analytics:stored:${today}`;
    const pipeline = redis.pipeline();
    for (const { name, bytes } of unsynced) pipeline.hincrby(hash, toField(name), Math.ceil(bytes));
    pipeline.expire(hash, (2 * dayMs) / 1000);
    const results = await pipeline.exec();
    if (today !== day) return;
    for (const [index, { name, bytes }] of unsynced.entries()) {
      const [error, total] = results?.[index] ?? [new Error('no answer'), undefined];
      if (error === null && typeof total === 'number') setTotal(name, bytes, total);
    }
  }

  /** Takes the total of all replicas, which has `bytes` of this one. */
  function setTotal(name: string, bytes: number, total: number): void {
    const count = counts.peek(name);
    if (count === undefined) return;
    count.total = total;
    count.pending -= bytes;
    if (count.pending <= 0) changed.delete(name);
  }
}

export type StorageBudget = ReturnType<typeof createStorageBudget>;
