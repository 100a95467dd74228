import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import type { AuditEventsTable } from './tables.ts';
import type { AuditAction } from './actions.ts';

export interface DayCount {
  /** YYYY-MM-DD, UTC. */
  day: string;
  action: string;
  count: number;
}

export type LatestEntry = Pick<
  Selectable<AuditEventsTable>,
  'at' | 'action' | 'reason' | 'actor_kind' | 'actor_id' | 'target_id'
>;

const most = 1000;

/** Figures about what the audit log has of some actions. `since` is included. */
export function createAuditFigures(db: Database) {
  const about = (actions: readonly AuditAction[], since: Date) =>
    sql`from audit_events where action = any(${actions}) and at >= ${since}`;

  return {
    /** The newest entries of some actions, newest first. */
    async latest(actions: readonly AuditAction[], count: number): Promise<LatestEntry[]> {
      return db
        .selectFrom('audit_events')
        .select(['at', 'action', 'reason', 'actor_kind', 'actor_id', 'target_id'])
        .where('action', 'in', actions)
        .orderBy('id', 'desc')
        .limit(count)
        .execute();
    },

    /** How often each action happened on each day. */
    async byDay(actions: readonly AuditAction[], since: Date): Promise<DayCount[]> {
      const { rows } =
        await sql<DayCount>`select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, action, count(*)::int as count ${about(actions, since)} group by 1, 2 order by 1, 2`.execute(
          db,
        );
      return rows;
    },

    /** How often each action happened for each value of a member of its details. */
    async byDetail(
      actions: readonly AuditAction[],
      member: string,
      since: Date,
    ): Promise<{ action: string; value: string | null; count: number }[]> {
      const { rows } = await sql<{ action: string; value: string | null; count: number }>`
        select action, details ->> ${member}::text as value, count(*)::int as count ${about(actions, since)} group by 1, 2 order by 3 desc, 2 limit ${most}`.execute(
        db,
      );
      return rows;
    },

    /** How often each reason was given, those of `details.reasons` too. */
    async byReason(
      actions: readonly AuditAction[],
      since: Date,
    ): Promise<{ reason: string; count: number }[]> {
      const { rows } = await sql<{ reason: string; count: number }>`
        select each as reason, count(*)::int as count from (
          select coalesce((select array_agg(value) from jsonb_array_elements_text(details -> 'reasons')), array[reason]) as all_reasons ${about(actions, since)}
        ) as events, unnest(all_reasons) as each where each is not null group by 1 order by 2 desc, 1 limit ${most}`.execute(
        db,
      );
      return rows;
    },

    /** The networks (a /24 of IPv4, a /48 of IPv6) that most failures and refusals came from. */
    async worstNetworks(since: Date, count: number): Promise<{ network: string; count: number }[]> {
      const { rows } = await sql<{ network: string; count: number }>`
        select network(set_masklen(place, case when family(place) = 4 then 24 else 48 end))::text as network, count(*)::int as count
        from (select split_part(address, '%', 1)::inet as place from audit_events where at >= ${since} and outcome <> 'success' and address is not null) as places group by 1 order by 2 desc, 1 limit ${count}`.execute(
        db,
      );
      return rows;
    },
  };
}

export type AuditFigures = ReturnType<typeof createAuditFigures>;
