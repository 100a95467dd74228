import { type Migration, sql } from 'kysely';

/**
 * Where an entry is counted. Nobody is behind a disposable mailbox, since the next people are
 * invited without those: they have the score -1 among all, and no days or minutes.
 */
const levels = `lateral (
  select case when status <> 'verified' then 0 when is_disposable then -1 else score end, 0,
    '-infinity'::timestamptz
  union all
  select score, 1, date_bin('1 day', verified_at, '2000-01-01T00:00:00Z')
  where status = 'verified' and not is_disposable
  union all
  select score, 2, date_bin('1 minute', verified_at, '2000-01-01T00:00:00Z')
  where status = 'verified' and not is_disposable
) as level (counted_score, span, starts_at)`;

/** Counts all entries. `waitlist_counts` has to be empty. */
export const countEntries = `insert into waitlist_counts (status, score, span, starts_at, entries)
  select status, counted_score, span, starts_at, count(*) from waitlist_entries
  cross join ${levels} group by 1, 2, 3, 4`;

const changedRows = {
  insert: 'select 1 as sign, * from added',
  delete: 'select -1 as sign, * from removed',
  update: 'select 1 as sign, * from added union all select -1 as sign, * from removed',
};

/** Places in line count only people who are invited in their turn. */
export const waitlistPlaces: Migration = {
  async up(db) {
    for (const [operation, changed] of Object.entries(changedRows))
      await sql
        .raw(
          `create or replace function waitlist_count_${operation}() returns trigger
          language plpgsql as $$
          begin
            insert into waitlist_counts as stored (status, score, span, starts_at, entries)
            select status, counted_score, span, starts_at, sum(sign)
            from (${changed}) as changed cross join ${levels}
            group by 1, 2, 3, 4 having sum(sign) <> 0 order by 1, 2, 3, 4
            on conflict (status, score, span, starts_at)
            do update set entries = stored.entries + excluded.entries;
            return null;
          end $$`,
        )
        .execute(db);
    await sql`lock table waitlist_entries in share row exclusive mode`.execute(db);
    await sql`delete from waitlist_counts`.execute(db);
    await sql.raw(countEntries).execute(db);
  },
};
