import { createHmac } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../../lib/clock.ts';
import { clientKey } from '../../../../lib/net/ip.ts';
import { dayMs } from '../../../../lib/durations.ts';

const mostCounted = 50_000;

interface Count {
  /** Bytes of all replicas today, as far as Redis has told. */
  total: number;
  /** Bytes that Redis does not know yet. */
  pending: number;
}

export interface StorageBudgetOptions {
  redis: Redis;
  /** Addresses are kept under a keyed hash: Redis writes its data to the disk. */
  key: Buffer;
  clock: Clock;
  logger: Logger;
  /** Bytes a day; 0 lifts the limit. */
  perAddress: number;
  perSite: number;
}

/**
 * Counts the bytes that one address and one site bring into the journal in a day (UTC). The process
 * counts by itself and adds its count to that of all replicas in Redis every second (`sync`): an
 * event waits for nothing, the limits may be passed by what comes within that second, and while
 * Redis is away each replica goes on by its own count.
 */
export function createStorageBudget({
  redis,
  key,
  clock,
  logger,
  perAddress,
  perSite,
}: StorageBudgetOptions) {
  const counts = new LRUCache<string, Count>({ max: mostCounted });
  const changed = new Set<string>();
  let day = Math.floor(clock.now() / dayMs);

  function turnDay(): void {
    const today = Math.floor(clock.now() / dayMs);
    if (today === day) return;
    day = today;
    counts.clear();
    changed.clear();
  }

  function isSpent(name: string, limit: number): boolean {
    if (limit === 0) return false;
    turnDay();
    const count = counts.get(name);
    return count !== undefined && count.total + count.pending >= limit;
  }

  function add(name: string, bytes: number, limit: number): void {
    if (limit === 0) return;
    const count = counts.get(name) ?? { total: 0, pending: 0 };
    count.pending += bytes;
    counts.set(name, count);
    changed.add(name);
  }

  const addressName = (ip: string): string => `a ${clientKey(ip)}`;
  const siteName = (site: number): string => `s ${site}`;
  const fieldOf = (name: string): string =>
    createHmac('sha256', key).update(name).digest('base64url').slice(0, 22);

  async function reconcile(names: readonly string[], today: number): Promise<void> {
    const hash = `analytics:stored:${today}`;
    const counted = names.map((name) => ({ name, bytes: counts.peek(name)?.pending ?? 0 }));
    const pipeline = redis.pipeline();
    for (const { name, bytes } of counted) pipeline.hincrby(hash, fieldOf(name), Math.ceil(bytes));
    pipeline.expire(hash, (2 * dayMs) / 1000);
    const results = await pipeline.exec();
    for (const [index, { name, bytes }] of counted.entries()) {
      const [error, total] = results?.[index] ?? [new Error('no answer'), undefined];
      const count = counts.peek(name);
      if (error !== null || typeof total !== 'number' || count === undefined || today !== day)
        continue;
      count.total = total;
      count.pending -= bytes;
      if (count.pending <= 0) changed.delete(name);
    }
  }

  return {
    isAddressSpent: (ip: string): boolean => isSpent(addressName(ip), perAddress),
    isSiteSpent: (site: number): boolean => isSpent(siteName(site), perSite),

    /** Counts `bytes` that were brought for these sites, one entry for each event. */
    charge(ip: string, sites: readonly number[], bytes: number): void {
      turnDay();
      add(addressName(ip), bytes, perAddress);
      for (const site of sites) add(siteName(site), bytes / sites.length, perSite);
    },

    /** Seconds until the budgets begin anew. */
    secondsLeft: (): number => Math.ceil((dayMs - (clock.now() % dayMs)) / 1000),

    /** Adds what was counted to that of the other replicas, and learns theirs. Never rejects. */
    async sync(): Promise<void> {
      turnDay();
      if (changed.size === 0 || redis.status !== 'ready') return;
      await reconcile([...changed], day).catch((err: unknown) =>
        logger.debug({ err }, 'the stored bytes could not be counted in Redis'),
      );
    },
  };
}

export type StorageBudget = ReturnType<typeof createStorageBudget>;
