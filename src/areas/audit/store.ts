import { type Selectable, sql } from 'kysely';
import { cancellable, type Database } from '../../platform/database/database.ts';
import { statementOver } from '../../platform/database/statement-over.ts';
import type { AuditOutcome } from './actions.ts';
import type { Tables } from '../../platform/database/tables.ts';

export type AuditRow = Selectable<Tables['audit_events']>;
export type NewAuditRow = Omit<AuditRow, 'details'> & { details: string };

export interface AuditFilter {
  /** Any of these. */
  actions?: readonly string[] | undefined;
  actorId?: string | undefined;
  targetId?: string | undefined;
  /** Who did it, or whom it was done to: any of these ids. */
  personIds?: readonly string[] | undefined;
  outcome?: AuditOutcome | undefined;
  /** Unix ms, inclusive. */
  since?: number | undefined;
  /** Unix ms, exclusive. */
  until?: number | undefined;
  /** Only rows older than the one with this id. */
  after?: string | undefined;
  /** Only rows newer than the one with this id, the nearest first. */
  newerThan?: string | undefined;
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

/** The smallest UUID version 7 of a millisecond. */
function floorId(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

const names = Object.keys(columns).join(', ');

async function listEvents(
  db: Database,
  limit: number,
  { actions, actorId, targetId, personIds, outcome, since, until, after, newerThan }: AuditFilter,
): Promise<AuditRow[]> {
  const order = newerThan === undefined ? 'desc' : 'asc';
  let query = db.selectFrom('audit_events').selectAll().orderBy('id', order).limit(limit);
  if (actions !== undefined) query = query.where('action', 'in', actions);
  if (actorId !== undefined) query = query.where('actor_id', '=', actorId);
  if (targetId !== undefined) query = query.where('target_id', '=', targetId);
  if (personIds !== undefined)
    query = query.where((where) =>
      where.or([where('actor_id', 'in', personIds), where('target_id', 'in', personIds)]),
    );
  if (outcome !== undefined) query = query.where('outcome', '=', outcome);
  if (since !== undefined) query = query.where('id', '>=', floorId(since));
  if (until !== undefined) query = query.where('id', '<', floorId(until));
  if (after !== undefined) query = query.where('id', '<', after);
  if (newerThan !== undefined) query = query.where('id', '>', newerThan);
  return query.execute();
}

/** Queries of the retention job. `before` is in Unix ms. */
const createRetentionQueries = (db: Database) => ({
  /** At most `limit` rows whose address is not truncated yet, oldest first. */
  wholeAddresses: async (
    limit: number,
    before: number,
  ): Promise<{ id: string; address: string | null }[]> =>
    db
      .selectFrom('audit_events')
      .select(['id', 'address'])
      .where('id', '<', floorId(before))
      .where(sql<boolean>`address not like '%/%'`)
      .orderBy('id')
      .limit(limit)
      .execute(),

  async replaceAddresses(rows: readonly { id: string; address: string | null }[]): Promise<void> {
    const ids = rows.map(({ id }) => id);
    const addresses = rows.map(({ address }) => address);
    await sql`update audit_events set address = fresh.address
      from unnest(${ids}::text[], ${addresses}::text[]) as fresh (id, address)
      where audit_events.id = fresh.id::uuid`.execute(db);
  },

  /** Deletes at most `limit` rows, oldest first. Returns the count. */
  async deleteOldest(limit: number, before: number): Promise<number> {
    const oldest = db
      .selectFrom('audit_events')
      .select('id')
      .where('id', '<', floorId(before))
      .orderBy('id')
      .limit(limit);
    const { numDeletedRows } = await db
      .deleteFrom('audit_events')
      .where('id', 'in', oldest)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  },
});

const createInsert = (db: Database) =>
  statementOver<never, typeof columns>(
    db,
    columns,
    (given) => `
    insert into audit_events (${names})
    select ${names.replace('details', 'details::jsonb')} from ${given}`,
  );

/** The table `audit_events`. Ids contain the time, so no index on the time is needed. */
export const createAuditStore = (db: Database) => ({
  ...createRetentionQueries(db),

  /** All rows or none. */
  insert: createInsert(db),

  /** Inserts within the caller's transaction. */
  async insertIn(transaction: Database, rows: readonly NewAuditRow[]): Promise<void> {
    await createInsert(transaction)(rows);
  },

  find: (id: string): Promise<AuditRow | undefined> =>
    db.selectFrom('audit_events').selectAll().where('id', '=', id).executeTakeFirst(),

  /** At most `limit` rows that match, newest first unless `newerThan` is given. */
  list: (limit: number, filter: AuditFilter, signal?: AbortSignal): Promise<AuditRow[]> =>
    listEvents(cancellable(db, signal), limit, filter),
});

export type AuditStore = ReturnType<typeof createAuditStore>;
