import { type Selectable, sql } from 'kysely';
import { createBatcher } from '../../platform/database/batcher.ts';
import { statementOver } from '../../platform/database/statement-over.ts';
import { cancellable, type Database } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { Channel } from './provider.ts';

export type DeliveryStatus = Selectable<Tables['deliveries']>['status'];

export type DeliveryCount = Pick<Selectable<Tables['deliveries']>, 'channel' | 'status'> & {
  count: number;
};

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

export interface EnteredDelivery {
  id: string;
  status: DeliveryStatus;
  /** False when a delivery with the same key exists. */
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

/** A message as the log knows it: without its content, and with its recipient as a hash. */
export interface LoggedDelivery {
  id: string;
  channel: Channel;
  template: string;
  toHash: string;
  status: DeliveryStatus;
  /** Why the last attempt failed: `smtp_550`, `timeout`. */
  errorCode: string | null;
  /** Whether the message was kept in the outbox of development instead of being sent. */
  isKept: boolean;
  createdAt: Date;
}

/** Duration of a claim. Less than the 30 s after which the job of a dead process is retried. */
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
// `was` is always 'queued'. With a literal, the planner would scan the whole table.
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

const insertSql = (given: string): string => `
  insert into deliveries (id, key_hash, channel, template, to_hash, status, attempts, provider,
    expires_at, created_at, updated_at)
  select id, key_hash, channel, template, to_hash, 'queued', 0, provider, expires_at, now, now
  from ${given} on conflict (key_hash) do nothing returning id`;

const claimSql = (given: string): string => `
  update deliveries set attempts = given.attempt, updated_at = given.now from ${given}
  where deliveries.id = given.id and status = given.was
    and (attempts < given.attempt or updated_at < given.stale) returning deliveries.id`;

const settleSql = (given: string): string => `
  update deliveries set status = given.status, attempts = given.attempts,
    provider = given.provider, provider_reference = given.reference,
    error_code = given.error_code, updated_at = given.now
  from ${given} where deliveries.id = given.id and deliveries.status = given.was`;

/** The delivery log in SQL. Recipients and idempotency keys are stored as hashes only. */
export function createDeliveryStore(db: Database) {
  const insert = statementOver<{ id: string }, typeof newColumns>(db, newColumns, insertSql);
  const takeAttempt = statementOver<{ id: string }, typeof claimColumns>(
    db,
    claimColumns,
    claimSql,
  );
  const settle = statementOver<never, typeof outcomeColumns>(db, outcomeColumns, settleSql);
  const outcomes = createBatcher(async (attempts: readonly Outcome[]) => {
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
    enter,
    withdraw,
    claim,
    /** Records the outcome of an attempt, unless the delivery is settled. */
    note: outcomes.add,
    expire,
    statesOf,
    listTo,
    countSince,
    deleteOlderThan,
  };

  /** How many messages were queued since then, by channel and status. */
  async function countSince(time: Date, signal?: AbortSignal): Promise<DeliveryCount[]> {
    return cancellable(db, signal)
      .selectFrom('deliveries')
      .select(['channel', 'status', sql<number>`count(*)::int`.as('count')])
      .where('created_at', '>=', time)
      .groupBy(['channel', 'status'])
      .execute();
  }

  /** The newest messages to these recipients, newest first. */
  async function listTo(
    toHashes: readonly string[],
    limit: number,
    signal?: AbortSignal,
  ): Promise<LoggedDelivery[]> {
    const rows = await cancellable(db, signal)
      .selectFrom('deliveries')
      .select(['id', 'channel', 'template', 'to_hash', 'status', 'error_code', 'provider'])
      .select('created_at')
      .where(sql<boolean>`to_hash = any(${toHashes}::text[])`)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(({ to_hash: toHash, error_code: errorCode, created_at, provider, ...row }) => ({
      ...row,
      toHash,
      errorCode,
      isKept: provider === 'outbox',
      createdAt: created_at,
    }));
  }

  /** Enters deliveries whose key is new. Returns the stored ones, in the same order. */
  async function enter(deliveries: readonly NewDelivery[]): Promise<EnteredDelivery[]> {
    const inserted = await insert(
      deliveries.map(({ keyHash, toHash, expiresAt, ...rest }) => ({
        ...rest,
        key_hash: keyHash,
        to_hash: toHash,
        expires_at: expiresAt,
      })),
    );
    const ids = new Set(inserted.map(({ id }) => id));
    const repeated = deliveries.filter(({ id }) => !ids.has(id)).map(({ keyHash }) => keyHash);
    const existing = repeated.length === 0 ? undefined : await findByKey(repeated);
    return deliveries.map(({ id, keyHash, now }) => {
      const stored = ids.has(id) ? undefined : existing?.get(keyHash);
      return {
        id: stored?.id ?? id,
        status: stored?.status ?? 'queued',
        isNew: stored === undefined,
        enteredAt: stored?.created_at ?? now,
      };
    });
  }

  /** Removes new deliveries that could not be queued, so that their keys can be used again. */
  async function withdraw(ids: readonly string[]): Promise<void> {
    await db
      .deleteFrom('deliveries')
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .where('status', '=', 'queued')
      .where('attempts', '=', 0)
      .execute();
  }

  /**
   * Claims an attempt at queued deliveries. No other process gets the same attempt until the claim
   * expires. `busy` are deliveries claimed by another process; those in neither set are settled.
   */
  async function claim(
    ids: readonly string[],
    attempt: number,
    now: Date,
  ): Promise<{ claimed: Set<string>; busy: Set<string> }> {
    const stale = new Date(now.getTime() - claimMs);
    const rows = await takeAttempt(ids.map((id) => ({ id, was: 'queued', attempt, now, stale })));
    const claimed = new Set(rows.map(({ id }) => id));
    const states = await statesOf(ids.filter((id) => !claimed.has(id)));
    const busy = new Set([...states].flatMap(([id, state]) => (state === 'queued' ? [id] : [])));
    return { claimed, busy };
  }

  /** Settles queued deliveries that expired before `expiredBefore`, because their job is gone. */
  async function expire(expiredBefore: Date, now: Date): Promise<void> {
    await db
      .updateTable('deliveries')
      .set({ status: 'expired', updated_at: now })
      .where('status', '=', 'queued')
      .where('expires_at', '<', expiredBefore)
      .execute();
  }

  async function statesOf(ids: readonly string[]): Promise<ReadonlyMap<string, DeliveryStatus>> {
    if (ids.length === 0) return new Map();
    const rows = await db
      .selectFrom('deliveries')
      .select(['id', 'status'])
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .execute();
    return new Map(rows.map(({ id, status }) => [id, status]));
  }

  async function deleteOlderThan(time: Date): Promise<void> {
    await db.deleteFrom('deliveries').where('created_at', '<', time).execute();
  }

  async function findByKey(keyHashes: readonly string[]) {
    const rows = await db
      .selectFrom('deliveries')
      .select(['id', 'status', 'key_hash', 'created_at'])
      .where(sql<boolean>`key_hash = any(${keyHashes}::text[])`)
      .execute();
    return new Map(rows.map((row) => [row.key_hash, row]));
  }
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;
