import { randomUUID } from 'node:crypto';
import type { Database } from '../../../platform/database/database.ts';
import type { Downtime } from './downtime.ts';
import { type Heartbeat, heartbeatStore } from './heartbeat-store.ts';
import type { StateCache } from './state-cache.ts';

/** A holder that has not beaten for so long has lost its place. */
const lostMs = 15_000;

export interface LeadershipDeps {
  db: Database;
  cache: Pick<StateCache, 'refresh' | 'stored'>;
  /** Stores that nobody recorded since `beatAt` (Unix ms; null: never), within the takeover. */
  insertDowntime: (
    transaction: Database,
    beatAt: number | null,
    now: number,
  ) => Promise<Downtime | undefined>;
  publishDowntime: (downtime: Downtime) => Promise<void>;
  /** Another replica has taken over. */
  onLost: () => void;
}

/** Elects the replica that records: the one that beats in the heartbeat row. */
export function createLeadership({
  db,
  cache,
  insertDowntime,
  publishDowntime,
  onLost,
}: LeadershipDeps) {
  const me = randomUUID();
  let isHolder = false;
  let seen: { at: number; since: number } | undefined;

  /** Also when the holder's time stands still: its clock may have been ahead of ours. */
  function isFree({ at, holder }: Heartbeat, now: number): boolean {
    if (holder === null || at === null || at < now - lostMs) return true;
    if (seen?.at !== at) seen = { at, since: now };
    return now - seen.since > lostMs;
  }

  async function tryTake(now: number): Promise<void> {
    const found = await heartbeatStore.read(db);
    await cache.refresh(found.version);
    if (!isFree(found, now) || cache.stored().version < 0) return;
    const taken = await db.transaction().execute(async (transaction) => {
      const heartbeat = await heartbeatStore.read(transaction, { forUpdate: true });
      if (!isFree(heartbeat, now)) return undefined;
      await heartbeatStore.take(transaction, me, new Date(now));
      return { downtime: await insertDowntime(transaction, heartbeat.at, now) };
    });
    isHolder = taken !== undefined;
    if (taken?.downtime !== undefined) await publishDowntime(taken.downtime);
  }

  return {
    isHolder: (): boolean => isHolder,

    /** Says that this replica is alive, or tries to become the one that records. */
    async beat(now: number): Promise<void> {
      const held = isHolder ? await heartbeatStore.beat(db, me, new Date(now)) : undefined;
      if (held !== undefined) return cache.refresh(held.version);
      if (isHolder) onLost();
      isHolder = false;
      return tryTake(now);
    },

    /** Frees the heartbeat, so that another replica can take it at once. */
    release: (now: number): Promise<void> => heartbeatStore.release(db, me, new Date(now)),

    /** Holds nothing any more, whatever the database says. */
    forget(): void {
      isHolder = false;
    },
  };
}

export type Leadership = ReturnType<typeof createLeadership>;
