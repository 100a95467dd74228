import { randomUUID } from 'node:crypto';
import type { Database } from '../../../platform/database/database.ts';
import type { Downtime } from './downtime.ts';
import { type Heartbeat, heartbeatStore } from '../history/heartbeat-store.ts';
import type { StateCache } from './state-cache.ts';

/** A holder without a heartbeat for this long loses the leadership. */
const leaseMs = 15_000;

interface LeadershipParts {
  db: Database;
  cache: Pick<StateCache, 'refresh' | 'stored'>;
  /**
   * Records the time since the last heartbeat as downtime, in the transaction of the takeover.
   * `beatAt` is Unix ms; null when no replica has ever recorded.
   */
  insertDowntime: (
    transaction: Database,
    lastHeartbeatAt: number | null,
    now: number,
  ) => Promise<Downtime | undefined>;
  publishDowntime: (downtime: Downtime) => Promise<void>;
  /** Called when another replica has taken over. */
  onLost: () => void;
}

/** Elects the replica that records: the holder of the heartbeat row. */
export function createLeadership({
  db,
  cache,
  insertDowntime,
  publishDowntime,
  onLost,
}: LeadershipParts) {
  const replicaId = randomUUID();
  let isHolder = false;
  let seen: { at: number; since: number } | undefined;

  /** Compares times only with itself as well: the holder's clock may be ahead of this one. */
  function isFree({ at, holder }: Heartbeat, now: number): boolean {
    if (holder === null || at === null || at < now - leaseMs) return true;
    if (seen?.at !== at) seen = { at, since: now };
    return now - seen.since > leaseMs;
  }

  async function tryAcquire(now: number): Promise<void> {
    const found = await heartbeatStore.read(db);
    await cache.refresh(found.version);
    if (!isFree(found, now) || cache.stored().version < 0) return;
    const acquired = await db.transaction().execute(async (transaction) => {
      const heartbeat = await heartbeatStore.read(transaction, { forUpdate: true });
      if (!isFree(heartbeat, now)) return undefined;
      await heartbeatStore.acquire(transaction, replicaId, new Date(now));
      return { downtime: await insertDowntime(transaction, heartbeat.at, now) };
    });
    isHolder = acquired !== undefined;
    if (acquired?.downtime !== undefined) await publishDowntime(acquired.downtime);
  }

  return {
    isHolder: (): boolean => isHolder,

    /** Renews the heartbeat of this replica, or tries to acquire it. */
    async heartbeat(now: number): Promise<void> {
      const renewed = isHolder
        ? await heartbeatStore.renew(db, replicaId, new Date(now))
        : undefined;
      if (renewed !== undefined) return cache.refresh(renewed.version);
      if (isHolder) onLost();
      isHolder = false;
      return tryAcquire(now);
    },

    /** Releases the heartbeat, so that another replica can acquire it at once. */
    release: (now: number): Promise<void> => heartbeatStore.release(db, replicaId, new Date(now)),

    /** Gives up the leadership locally, without the database. */
    resign(): void {
      isHolder = false;
    },
  };
}
