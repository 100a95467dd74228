import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { cancellable, type Database } from '../../platform/database/database.ts';
import { statementOver } from '../../platform/database/statement-over.ts';
import type { AuditEventsTable } from './tables.ts';
import type { AuditOutcome } from './actions.ts';

export type AuditRow = Selectable<AuditEventsTable>;
export type NewAuditRow = Omit<AuditRow, 'details'> & { details: string };

export interface AuditFilter {
  /** Any of these. */
  actions?: readonly string[] | undefined;
  actorId?: string | undefined;
  targetId?: string | undefined;
  outcome?: AuditOutcome | undefined;
  /** Unix milliseconds, included. */
  since?: number | undefined;
  /** Unix milliseconds, not included. */
  until?: number | undefined;
  /** Only rows older than the one with this id. */
  after?: string | undefined;
}

const columns = {
  id: 'uuid',
  at: 'timestamptz',
  action: 'text',
  outcome: 'text',
  reason: 'text',
  actor_kind: 'text',
  actor_id: 'text',
  target_kind: 'text',
  target_id: 'text',
  address: 'text',
  request_id: 'text',
  details: 'text',
} as const;

/**
 * The id below which all ids are of earlier milliseconds than `ms`, and none of it or later ones.
 */
function floorId(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** The rows of `audit_events`. Ids carry the time, so that time needs no index of its own. */
export function createAuditStore(db: Database) {
  return {
    /** All rows or none. */
    insert: statementOver<never, typeof columns>(
      db,
      columns,
      (given) => `
      insert into audit_events (id, at, action, outcome, reason, actor_kind, actor_id, target_kind, target_id, address, request_id, details)
      select id, at, action, outcome, reason, actor_kind, actor_id, target_kind, target_id, address, request_id, details::jsonb from ${given}`,
    ),

    /** As `insert`, within a transaction of somebody else's. */
    async insertIn(transaction: Database, rows: readonly NewAuditRow[]): Promise<void> {
      await transaction.insertInto('audit_events').values(rows).execute();
    },

    /** At most `limit` rows that match, newest first. */
    async list(
      limit: number,
      { actions, actorId, targetId, outcome, since, until, after }: AuditFilter,
      signal?: AbortSignal,
    ): Promise<AuditRow[]> {
      let query = cancellable(db, signal)
        .selectFrom('audit_events')
        .selectAll()
        .orderBy('id', 'desc')
        .limit(limit);
      if (actions !== undefined) query = query.where('action', 'in', actions);
      if (actorId !== undefined) query = query.where('actor_id', '=', actorId);
      if (targetId !== undefined) query = query.where('target_id', '=', targetId);
      if (outcome !== undefined) query = query.where('outcome', '=', outcome);
      if (since !== undefined) query = query.where('id', '>=', floorId(since));
      if (until !== undefined) query = query.where('id', '<', floorId(until));
      if (after !== undefined) query = query.where('id', '<', after);
      return query.execute();
    },

    /**
     * At most `limit` rows from before `ms` (Unix milliseconds) whose address is still whole,
     * oldest first.
     */
    async wholeAddresses(
      limit: number,
      ms: number,
    ): Promise<{ id: string; address: string | null }[]> {
      return db
        .selectFrom('audit_events')
        .select(['id', 'address'])
        .where('id', '<', floorId(ms))
        .where(sql<boolean>`address not like '%/%'`)
        .orderBy('id')
        .limit(limit)
        .execute();
    },

    /** Puts other addresses in place; null takes one away. */
    async replaceAddresses(rows: readonly { id: string; address: string | null }[]): Promise<void> {
      const ids = rows.map(({ id }) => id);
      const addresses = rows.map(({ address }) => address);
      await sql`update audit_events set address = fresh.address
        from unnest(${ids}::text[], ${addresses}::text[]) as fresh (id, address)
        where audit_events.id = fresh.id::uuid`.execute(db);
    },

    /**
     * Deletes at most `limit` rows from before `ms` (Unix milliseconds), the oldest ones, and gives
     * how many.
     */
    async deleteOldest(limit: number, ms: number): Promise<number> {
      const oldest = db
        .selectFrom('audit_events')
        .select('id')
        .where('id', '<', floorId(ms))
        .orderBy('id')
        .limit(limit);
      const { numDeletedRows } = await db
        .deleteFrom('audit_events')
        .where('id', 'in', oldest)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}

export type AuditStore = ReturnType<typeof createAuditStore>;
