import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { dayMs } from '../../../../lib/durations.ts';
import { clientKey } from '../../../../lib/net/ip.ts';
import type { Resources } from '../../../../platform/resources.ts';
import { analyticsErrors } from '../../errors.ts';
import type { Rejection } from '../../sites/rules.ts';
import type { JournalEvent } from '../../store/journal-record.ts';
import type { RequestContext } from '../request-context.ts';
import type { DropCounters } from './drop-counters.ts';

const maxCounts = 50_000;

interface Count {
  /** Today's bytes of all replicas, as of the last sync. */
  total: number;
  /** Bytes not synced to Redis yet. */
  pending: number;
}

const addressName = (ip: string): string => `a ${clientKey(ip)}`;
const siteName = (site: number): string => `s ${site}`;

export const siteBudgetSpent: Rejection = {
  code: 'site_budget',
  message: 'this site reached its daily limit of stored bytes; retry tomorrow',
  field: 'site_id',
};

/**
 * Rejects requests whose address or site has used up its daily bytes. Trusted requests are exempt.
 * Counts the bytes that an address and a site write to the journal per UTC day. The process counts
 * in memory and syncs with Redis every second: events never wait, the limits may be exceeded by the
 * traffic of that second, and without Redis each replica enforces its own count.
 */
export function createStorageBudget(
  { config, redis, keys, clock, logger }: Resources,
  drops: DropCounters,
) {
  // Redis may persist its data to disk, so it gets hashes of addresses.
  const key = keys('analytics-stored-bytes');
  const perAddress = config.RATE_LIMIT ? config.STORED_BYTES_PER_ADDRESS : 0;
  const perSite = config.RATE_LIMIT ? config.STORED_BYTES_PER_SITE : 0;
  /** By name, for the current UTC day. */
  const counts = new LRUCache<string, Count>({ max: maxCounts });
  const changed = new Set<string>();
  let day = Math.floor(clock.now() / dayMs);

  return {
    isAddressSpent,

    isSiteSpent: ({ isTrusted }: RequestContext, site: number): boolean =>
      !isTrusted && perSite > 0 && isSpent(siteName(site), perSite),

    /** Charges the bytes of a journal record to the address and, split by event, to the sites. */
    charge(json: string, events: readonly JournalEvent[], { isTrusted, ip }: RequestContext): void {
      if (isTrusted) return;
      startDay();
      const bytes = Buffer.byteLength(json);
      if (perAddress > 0) add(addressName(ip), bytes);
      if (perSite > 0) for (const { s } of events) add(siteName(s), bytes / events.length);
    },

    /** Throws `analytics.address_budget`, and counts the events of the request as dropped. */
    checkAddress(request: RequestContext, events: number): void {
      if (!isAddressSpent(request)) return;
      drops.count(0, 'address_budget', events);
      throw analyticsErrors.address_budget({ headers: untilTomorrow() });
    },

    /** Throws `analytics.site_budget` if all events were rejected for that reason. */
    checkSites(rejected: readonly { code: string }[], events: number): void {
      if (rejected.length === events && rejected.every(({ code }) => code === siteBudgetSpent.code))
        throw analyticsErrors.site_budget({ headers: untilTomorrow() });
    },

    /** Syncs counts with the other replicas. Call it every second. Never rejects. */
    sync: (): Promise<void> =>
      syncCounts().catch((err: unknown) =>
        logger.debug({ err }, 'the stored bytes could not be counted in Redis'),
      ),
  };

  function isAddressSpent({ isTrusted, ip }: RequestContext): boolean {
    return !isTrusted && perAddress > 0 && isSpent(addressName(ip), perAddress);
  }

  /** The budgets reset at midnight, UTC. */
  function untilTomorrow() {
    return { 'retry-after': String(Math.ceil((dayMs - (clock.now() % dayMs)) / 1000)) };
  }

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
