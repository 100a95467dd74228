import { sql } from 'kysely';
import { dayMs } from '../../lib/durations.ts';
import type { Database } from '../../platform/database/database.ts';
import type { EntryStatus } from './tables.ts';

/** What decides the place of a person who waits. */
export interface Standing {
  score: number;
  verifiedAt: Date;
  id: string;
}

/** The order of the list: score, then time of verification, then id. */
export function createRankingStore(db: Database) {
  return { countAhead, countWaiting, countByStatus, leaders, next, chosen, countCredits, growth };

  /**
   * How many people are invited before this one: disposable mailboxes are left out. Adds up counts
   * of whole scores, days and minutes, and counts rows only within the person's own minute:
   * counting every row before it would take a tenth of a second for 100,000 people.
   */
  async function countAhead({ score, verifiedAt, id }: Standing): Promise<number> {
    const counted = (condition: ReturnType<typeof sql>) =>
      sql`(select coalesce(sum(entries), 0) from waitlist_counts
        where status = 'verified' and ${condition})`;
    const bin = (width: string) =>
      sql`date_bin(${sql.lit(width)}, ${verifiedAt}::timestamptz, '2000-01-01T00:00:00Z')`;
    const { rows } = await sql<{ ahead: number }>`select (
        ${counted(sql`span = 0 and score > ${score}`)}
        + ${counted(sql`span = 1 and score = ${score} and starts_at < ${bin('1 day')}`)}
        + ${counted(sql`span = 2 and score = ${score} and starts_at >= ${bin('1 day')}
            and starts_at < ${bin('1 minute')}`)}
        + (select count(*) from waitlist_entries where status = 'verified' and score = ${score}
            and not is_disposable and verified_at >= ${bin('1 minute')}
            and (verified_at, id) < (${verifiedAt}, ${id}))
      )::int as ahead`.execute(db);
    return rows[0]?.ahead ?? 0;
  }

  /** How many people are invited in turn: without disposable mailboxes, which count as -1. */
  async function countWaiting(): Promise<number> {
    const { count } = await db
      .selectFrom('waitlist_counts')
      .select(({ fn }) => fn.sum<string | null>('entries').as('count'))
      .where('span', '=', 0)
      .where('status', '=', 'verified')
      .where('score', '>=', 0)
      .executeTakeFirstOrThrow();
    return Number(count ?? 0);
  }

  /** How many entries there are, by status. */
  async function countByStatus(): Promise<Record<EntryStatus, number>> {
    const rows = await db
      .selectFrom('waitlist_counts')
      .select(({ fn }) => ['status', fn.sum<string>('entries').as('entries')])
      .where('span', '=', 0)
      .groupBy('status')
      .execute();
    const counts = new Map(rows.map(({ status, entries }) => [status, Number(entries)]));
    const countOf = (status: EntryStatus) => counts.get(status) ?? 0;
    return {
      pending: countOf('pending'),
      verified: countOf('verified'),
      approved: countOf('approved'),
      denied: countOf('denied'),
      joined: countOf('joined'),
    };
  }

  /** People with referrals, best first. */
  function leaders(limit: number) {
    return db
      .selectFrom('waitlist_entries')
      .select(['name', 'amount_referred', 'score'])
      .where('score', '>', 0)
      .where('status', 'in', ['verified', 'approved', 'joined'])
      .orderBy('score', 'desc')
      .orderBy('verified_at')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  /** Those of these people who could be approved together, in the order of the list. */
  function chosen(ids: readonly string[]) {
    return db
      .selectFrom('waitlist_entries')
      .select(['id', 'email', 'name', 'score', 'amount_referred', 'verified_at'])
      .where('id', 'in', ids)
      .where('status', 'in', ['verified', 'denied'])
      .where('verified_at', 'is not', null)
      .where('is_disposable', '=', false)
      .orderBy('score', 'desc')
      .orderBy('verified_at')
      .orderBy('id')
      .execute();
  }

  /** How many people had joined by the end of each of the last days (UTC), oldest first. */
  async function growth(days: number, now: Date): Promise<{ day: string; total: number }[]> {
    const today = new Date(now).setUTCHours(0, 0, 0, 0);
    const first = new Date(today - (days - 1) * dayMs);
    const { rows } = await sql<{ day: string | null; count: number }>`
      select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*)::int as count
      from waitlist_entries where created_at >= ${first} group by 1
      union all
      select null, count(*)::int from waitlist_entries where created_at < ${first}`.execute(db);
    const counts = new Map(rows.map(({ day, count }) => [day, count]));
    let total = counts.get(null) ?? 0;
    return Array.from({ length: days }, (_, at) => {
      const day = new Date(first.getTime() + at * dayMs).toISOString().slice(0, 10);
      total += counts.get(day) ?? 0;
      return { day, total };
    });
  }

  /** The people who are next. Disposable mailboxes are never: see `entryStore.approveNext`. */
  function next(limit: number) {
    return db
      .selectFrom('waitlist_entries')
      .select(['id', 'email', 'name', 'score', 'amount_referred', 'verified_at'])
      .where('status', '=', 'verified')
      .where('is_disposable', '=', false)
      .orderBy('score', 'desc')
      .orderBy('verified_at')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  /** How many referrals got credit, and why others did not. */
  async function countCredits() {
    const [granted, withheld] = await Promise.all([
      db
        .selectFrom('waitlist_entries')
        .select(({ fn }) => fn.sum<string>('amount_referred').as('count'))
        .where('score', '>', 0)
        .executeTakeFirst(),
      sql<{ reason: string; count: number }>`select reason, count(*)::int as count
        from waitlist_entries, unnest(credit_reasons) as reason
        where credit = 'withheld' group by reason`.execute(db),
    ]);
    return {
      granted: Number(granted?.count ?? 0),
      withheld: Object.fromEntries(withheld.rows.map(({ reason, count }) => [reason, count])),
    };
  }
}

export type RankingStore = ReturnType<typeof createRankingStore>;
