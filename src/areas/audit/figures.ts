import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import type { AuditAction } from './actions.ts';
import type { Tables } from '../../platform/database/tables.ts';

export interface DayCount {
  /** YYYY-MM-DD, UTC. */
  day: string;
  action: string;
  count: number;
}

export type LatestEntry = Pick<
  Selectable<Tables['audit_events']>,
  'at' | 'action' | 'reason' | 'actor_kind' | 'actor_id' | 'target_id'
>;

const maxRows = 1000;

const events = (actions: readonly AuditAction[], since: Date) =>
  sql`audit_events where action = any(${actions}) and at >= ${since}`;

const countsByDay = (actions: readonly AuditAction[], since: Date) => sql<DayCount>`
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, action, count(*)::int as count
  from ${events(actions, since)} group by 1, 2 order by 1, 2`;

const countsByDetail = (actions: readonly AuditAction[], member: string, since: Date) =>
  sql<{ action: string; value: string | null; count: number }>`
  select action, details ->> ${member}::text as value, count(*)::int as count
  from ${events(actions, since)} group by 1, 2 order by 3 desc, 2 limit ${maxRows}`;

const countsByReason = (actions: readonly AuditAction[], since: Date) =>
  sql<{ reason: string; count: number }>`
  select each as reason, count(*)::int as count from (
    select coalesce(
      (select array_agg(value) from jsonb_array_elements_text(details -> 'reasons')),
      array[reason]
    ) as all_reasons
    from ${events(actions, since)}
  ) as events, unnest(all_reasons) as each
  where each is not null group by 1 order by 2 desc, 1 limit ${maxRows}`;

const worstNetworks = (since: Date, limit: number) => sql<{ network: string; count: number }>`
  select
    network(set_masklen(place, case when family(place) = 4 then 24 else 48 end))::text as network,
    count(*)::int as count
  from (
    select split_part(address, '%', 1)::inet as place from audit_events
    where at >= ${since} and outcome <> 'success' and address is not null
  ) as places group by 1 order by 2 desc, 1 limit ${limit}`;

/** Counts of audit events. `since` is inclusive. */
export function createAuditFigures(db: Database) {
  const rowsOf = async <Row>(query: RawBuilder<Row>): Promise<Row[]> =>
    (await query.execute(db)).rows;

  return {
    /** The newest entries of some actions, newest first. */
    async latest(actions: readonly AuditAction[], limit: number): Promise<LatestEntry[]> {
      return db
        .selectFrom('audit_events')
        .select(['at', 'action', 'reason', 'actor_kind', 'actor_id', 'target_id'])
        .where('action', 'in', actions)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
    },

    byDay: (actions: readonly AuditAction[], since: Date) => rowsOf(countsByDay(actions, since)),

    /** Counts for each action and value of a member of its details. */
    byDetail: (actions: readonly AuditAction[], member: string, since: Date) =>
      rowsOf(countsByDetail(actions, member, since)),

    /** Counts for each reason, including those of `details.reasons`. */
    byReason: (actions: readonly AuditAction[], since: Date) =>
      rowsOf(countsByReason(actions, since)),

    /** The networks (IPv4 /24, IPv6 /48) with the most failures and refusals. */
    worstNetworks: (since: Date, limit: number) => rowsOf(worstNetworks(since, limit)),
  };
}

export type AuditFigures = ReturnType<typeof createAuditFigures>;
