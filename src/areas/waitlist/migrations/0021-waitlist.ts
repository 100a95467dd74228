import { sql } from 'kysely';
import type { Kysely, Migration } from 'kysely';

const oneOf = (...values: string[]) => sql.raw(`in (${values.map((each) => `'${each}'`).join()})`);
const statuses = oneOf('pending', 'verified', 'approved', 'denied', 'joined');

async function createEntries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('waitlist_entries')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('mailbox', 'text', (column) => column.notNull())
    .addColumn('name', 'text')
    .addColumn('metadata', 'jsonb', (column) => column.notNull().defaultTo('{}'))
    .addColumn('status', 'text', (column) => column.notNull().check(sql`status ${statuses}`))
    .addColumn('source', 'text', (column) =>
      column.notNull().check(sql`source ${oneOf('form', 'api', 'signup', 'import')}`),
    )
    .addColumn('is_disposable', 'boolean', (column) => column.notNull())
    .addColumn('score', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('amount_referred', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('referral_code', 'text', (column) => column.notNull().unique())
    .addColumn('referred_by', 'uuid', (column) =>
      column.references('waitlist_entries.id').onDelete('set null'),
    )
    .addColumn('credit', 'text', (column) =>
      column.notNull().check(sql`credit ${oneOf('none', 'waiting', 'granted', 'withheld')}`),
    )
    .addColumn('credit_reasons', sql`text[]`, (column) =>
      column.notNull().defaultTo(sql`'{}'::text[]`),
    )
    .addColumn('network', 'text')
    .addColumn('consent_version', 'text')
    .addColumn('consent_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
    .addColumn('verified_at', 'timestamptz')
    .addColumn('verified_network', 'text')
    .addColumn('verified_because', 'text')
    .addColumn('approved_at', 'timestamptz')
    .addColumn('denied_at', 'timestamptz')
    .addColumn('joined_at', 'timestamptz')
    .addColumn('batch_id', 'uuid')
    .addColumn('invited_at', 'timestamptz')
    .addColumn('confirm_hash', 'text')
    .addColumn('last_asked_at', 'timestamptz', (column) => column.notNull())
    .addColumn('asked', 'integer', (column) => column.notNull())
    .addUniqueConstraint('waitlist_mailbox', ['mailbox'])
    .addCheckConstraint(
      'waitlist_verified_at',
      sql`verified_at is not null or status in ('pending', 'denied')`,
    )
    .execute();
}

const indexes = [
  `waitlist_order on waitlist_entries (score desc, verified_at, id) where status = 'verified'`,
  `waitlist_leaders on waitlist_entries (score desc, verified_at, id) where score > 0`,
  `waitlist_referrals on waitlist_entries (referred_by, id) where referred_by is not null`,
  `waitlist_networks on waitlist_entries (referred_by, verified_network)
    where credit = 'granted'`,
  `waitlist_uninvited on waitlist_entries (id) where status = 'approved' and invited_at is null`,
  `waitlist_batch on waitlist_entries (batch_id) where batch_id is not null`,
  `waitlist_unconfirmed on waitlist_entries (last_asked_at) where status = 'pending'`,
  `waitlist_by_creation on waitlist_entries (created_at, id)`,
  `waitlist_by_score on waitlist_entries (score, id)`,
  `waitlist_by_email on waitlist_entries (email, id)`,
  `waitlist_withheld on waitlist_entries (id) where credit = 'withheld'`,
];

/** The changes of rows that a trigger sees, as `sign`, status, score and time of verification. */
const changedRows = {
  insert: 'select 1 as sign, * from added',
  delete: 'select -1 as sign, * from removed',
  update: 'select 1 as sign, * from added union all select -1 as sign, * from removed',
};

/** Counts rows as they come and go, so that a position takes no count of every row before it. */
function countingTrigger(operation: keyof typeof changedRows): string[] {
  const tables = [
    ...(operation === 'delete' ? [] : ['new table as added']),
    ...(operation === 'insert' ? [] : ['old table as removed']),
  ];
  return [
    `
    create function waitlist_count_${operation}() returns trigger language plpgsql as $$
    begin
      insert into waitlist_counts as stored (status, score, span, starts_at, entries)
      select status, counted_score, span, starts_at, sum(sign)
      from (${changedRows[operation]}) as changed
      cross join lateral (
        select case status when 'verified' then score else 0 end, 0, '-infinity'::timestamptz
        union all
        select score, 1, date_bin('1 day', verified_at, '2000-01-01T00:00:00Z')
        where status = 'verified'
        union all
        select score, 2, date_bin('1 minute', verified_at, '2000-01-01T00:00:00Z')
        where status = 'verified'
      ) as level (counted_score, span, starts_at)
      group by 1, 2, 3, 4 having sum(sign) <> 0 order by 1, 2, 3, 4
      on conflict (status, score, span, starts_at)
      do update set entries = stored.entries + excluded.entries;
      return null;
    end $$`,
    `create trigger waitlist_count_${operation} after ${operation} on waitlist_entries
    referencing ${tables.join(' ')} for each statement
    execute function waitlist_count_${operation}()`,
  ];
}

async function createCounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('waitlist_counts')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('score', 'integer', (column) => column.notNull())
    .addColumn('span', 'smallint', (column) => column.notNull())
    .addColumn('starts_at', 'timestamptz', (column) => column.notNull())
    .addColumn('entries', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('waitlist_counts_key', ['status', 'span', 'score', 'starts_at'])
    .execute();
  for (const operation of ['insert', 'update', 'delete'] as const)
    for (const statement of countingTrigger(operation)) await sql.raw(statement).execute(db);
}

export const waitlist: Migration = {
  async up(db) {
    await createEntries(db);
    for (const index of indexes) await sql.raw(`create index ${index}`).execute(db);
    await createCounts(db);
    await db.schema
      .createTable('waitlist_batches')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('size', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .execute();
  },
};
