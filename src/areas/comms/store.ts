import { type Selectable, sql } from 'kysely';
import { createBatching } from '../../platform/batching.ts';
import { statementOver } from '../../platform/database/statement-over.ts';
import type { Database } from '../../platform/database/database.ts';
import type { DeliveriesTable } from './tables.ts';
import type { Channel } from './provider.ts';

export type DeliveryStatus = Selectable<DeliveriesTable>['status'];

export interface NewDelivery {
  id: string;
  keyHash: string;
  channel: Channel;
  template: string;
  toHash: string;
  provider: string;
  expiresAt: Date;
  now: Date;
}

export interface Entered {
  id: string;
  status: DeliveryStatus;
  /** False when there was one with its key. */
  isNew: boolean;
  enteredAt: Date;
}

export interface Outcome {
  id: string;
  status: DeliveryStatus;
  attempts: number;
  provider: string;
  reference: string | null;
  errorCode: string | null;
  now: Date;
}

/** How long an attempt keeps others from the same message: less than a job of a dead process waits, 30 s. */
const claimMs = 25_000;

const newColumns = {
  id: 'uuid',
  key_hash: 'text',
  channel: 'text',
  template: 'text',
  to_hash: 'text',
  provider: 'text',
  expires_at: 'timestamptz',
  now: 'timestamptz',
} as const;
// `was` is always 'queued': a condition on the table alone would have it read from its beginning.
const claimColumns = {
  id: 'uuid',
  was: 'text',
  attempt: 'integer',
  now: 'timestamptz',
  stale: 'timestamptz',
} as const;
const outcomeColumns = {
  id: 'uuid',
  was: 'text',
  status: 'text',
  attempts: 'integer',
  provider: 'text',
  reference: 'text',
  error_code: 'text',
  now: 'timestamptz',
} as const;

/** The rows of `deliveries`. Knows recipients and idempotency keys as hashes only. */
export function createDeliveryStore(db: Database) {
  const knownByKey = async (keyHashes: readonly string[]) => {
    const rows = await db
      .selectFrom('deliveries')
      .select(['id', 'status', 'key_hash', 'created_at'])
      .where(sql<boolean>`key_hash = any(${keyHashes}::text[])`)
      .execute();
    return new Map(rows.map((row) => [row.key_hash, row]));
  };

  const insert = statementOver<{ id: string }, typeof newColumns>(
    db,
    newColumns,
    (given) => `
    insert into deliveries (id, key_hash, channel, template, to_hash, status, attempts, provider, expires_at, created_at, updated_at)
    select id, key_hash, channel, template, to_hash, 'queued', 0, provider, expires_at, now, now from ${given}
    on conflict (key_hash) do nothing returning id`,
  );

  const take = statementOver<{ id: string }, typeof claimColumns>(
    db,
    claimColumns,
    (given) => `
    update deliveries set attempts = given.attempt, updated_at = given.now from ${given}
    where deliveries.id = given.id and status = given.was and (attempts < given.attempt or updated_at < given.stale) returning deliveries.id`,
  );

  const settle = statementOver<never, typeof outcomeColumns>(
    db,
    outcomeColumns,
    (given) => `
    update deliveries set status = given.status, attempts = given.attempts, provider = given.provider,
      provider_reference = given.reference, error_code = given.error_code, updated_at = given.now
    from ${given} where deliveries.id = given.id and deliveries.status = given.was`,
  );

  const outcomes = createBatching(async (attempts: readonly Outcome[]) => {
    await settle(
      attempts.map(({ errorCode, ...outcome }) => ({
        ...outcome,
        was: 'queued',
        error_code: errorCode,
      })),
    );
    return attempts;
  });

  return {
    /** Enters deliveries, except where there is one with the key, and gives those that are there, in the same order. */
    async enter(deliveries: readonly NewDelivery[]): Promise<Entered[]> {
      const made = await insert(
        deliveries.map(({ keyHash, toHash, expiresAt, ...same }) => ({
          ...same,
          key_hash: keyHash,
          to_hash: toHash,
          expires_at: expiresAt,
        })),
      );
      const ids = new Set(made.map(({ id }) => id));
      const others = deliveries.filter(({ id }) => !ids.has(id)).map(({ keyHash }) => keyHash);
      const known = others.length === 0 ? undefined : await knownByKey(others);
      return deliveries.map(({ id, keyHash, now }) => {
        const before = ids.has(id) ? undefined : known?.get(keyHash);
        return {
          id: before?.id ?? id,
          status: before?.status ?? 'queued',
          isNew: before === undefined,
          enteredAt: before?.created_at ?? now,
        };
      });
    },

    /** Takes new deliveries back that could not be queued, so that their keys may be sent again. */
    async withdraw(ids: readonly string[]): Promise<void> {
      await db
        .deleteFrom('deliveries')
        .where(sql<boolean>`id = any(${ids}::uuid[])`)
        .where('status', '=', 'queued')
        .where('attempts', '=', 0)
        .execute();
    },

    /**
     * Claims an attempt at queued deliveries: nobody else gets the same one, unless its process dies. `busy` are those
     * that somebody else tries just now; what is in neither list is settled.
     */
    async claim(
      ids: readonly string[],
      attempt: number,
      now: Date,
    ): Promise<{ claimed: Set<string>; busy: Set<string> }> {
      const stale = new Date(now.getTime() - claimMs);
      const taken = await take(ids.map((id) => ({ id, was: 'queued', attempt, now, stale })));
      const claimed = new Set(taken.map(({ id }) => id));
      const others = ids.filter((id) => !claimed.has(id));
      const busy =
        others.length === 0
          ? []
          : await db
              .selectFrom('deliveries')
              .select('id')
              .where(sql<boolean>`id = any(${others}::uuid[])`)
              .where('status', '=', 'queued')
              .execute();
      return { claimed, busy: new Set(busy.map(({ id }) => id)) };
    },

    /** Notes what became of an attempt, unless the delivery is settled. */
    note: outcomes.add,

    /** Settles queued deliveries that expired before `expiredBefore`: their job was lost, or never added. */
    async expire(expiredBefore: Date, now: Date): Promise<void> {
      await db
        .updateTable('deliveries')
        .set({ status: 'expired', updated_at: now })
        .where('status', '=', 'queued')
        .where('expires_at', '<', expiredBefore)
        .execute();
    },

    async deleteOlderThan(time: Date): Promise<void> {
      await db.deleteFrom('deliveries').where('created_at', '<', time).execute();
    },
  };
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;
