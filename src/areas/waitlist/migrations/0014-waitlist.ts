import { createTables } from '../../../platform/database/create-tables.ts';

export const waitlistTables = {
  /** People on the waitlist: one row for each mailbox. */
  waitlist_entries: {
    /** UUID version 7. */
    id: 'uuid primary key',
    /** In lower case. */
    email: 'text not null',
    /** The address without what email clients ignore: see `mailboxOf`. */
    mailbox: 'text not null constraint waitlist_mailbox unique',
    name: 'text',
    /** A JSON object. Written with JSON.stringify. */
    metadata: "jsonb not null default '{}'",
    status: `text not null check (status in ('pending', 'verified', 'approved', 'denied',
      'joined'))`,
    source: "text not null check (source in ('form', 'api', 'signup', 'import'))",
    is_disposable: 'boolean not null',
    /** Points. A copy of what `referred_by` and `credit` of other rows say. */
    score: 'integer not null default 0',
    /** How many referrals got credit. */
    amount_referred: 'integer not null default 0',
    referral_code: 'text not null unique',
    referred_by: 'uuid references waitlist_entries on delete set null',
    credit: "text not null check (credit in ('none', 'waiting', 'granted', 'withheld'))",
    credit_reasons: "text[] not null default '{}'",
    /** The /24 or /56 from which the person joined; null for imported people. */
    network: 'text',
    /** The version of the sentence that the person agreed to; null for imported people. */
    consent_version: 'text',
    consent_at: 'timestamptz',
    created_at: 'timestamptz not null',
    updated_at: 'timestamptz not null',
    verified_at: 'timestamptz',
    verified_network: 'text',
    /** Why an admin marked the address as verified. */
    verified_because: 'text',
    approved_at: 'timestamptz',
    denied_at: 'timestamptz',
    joined_at: 'timestamptz',
    batch_id: 'uuid',
    /** When the invitation was handed to the mail queue. */
    invited_at: 'timestamptz',
    /** SHA-256 of the link's secret; null once it is used. */
    confirm_hash: 'text',
    last_asked_at: 'timestamptz not null',
    /** How many messages were sent since the last change of status. */
    asked: 'integer not null',
  },
  /**
   * How many entries there are, by status, and for verified ones also by score, day and minute of
   * verification. Triggers of `waitlist_entries` keep it. `span`: 0 all times, 1 a day, 2 a minute.
   */
  waitlist_counts: {
    status: 'text not null',
    score: 'integer not null',
    span: 'smallint not null',
    starts_at: 'timestamptz not null',
    entries: 'integer not null',
  },
  /** People who were approved together. */
  waitlist_batches: {
    id: 'uuid primary key',
    size: 'integer not null',
    /** People who were left out, because their mailbox is disposable. */
    left_out: 'integer not null default 0',
    created_at: 'timestamptz not null',
  },
} as const;

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
    `create function waitlist_count_${operation}() returns trigger language plpgsql as $$
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

export const waitlist = createTables(waitlistTables, [
  `alter table waitlist_entries add constraint waitlist_verified_at
    check (verified_at is not null or status in ('pending', 'denied'))`,
  `create index waitlist_order on waitlist_entries (score desc, verified_at, id)
    where status = 'verified'`,
  'create index waitlist_leaders on waitlist_entries (score desc, verified_at, id) where score > 0',
  `create index waitlist_referrals on waitlist_entries (referred_by, id)
    where referred_by is not null`,
  `create index waitlist_networks on waitlist_entries (referred_by, verified_network)
    where credit = 'granted'`,
  `create index waitlist_uninvited on waitlist_entries (id)
    where status = 'approved' and invited_at is null`,
  'create index waitlist_batch on waitlist_entries (batch_id) where batch_id is not null',
  `create index waitlist_unconfirmed on waitlist_entries (last_asked_at) where status = 'pending'`,
  'create index waitlist_by_creation on waitlist_entries (created_at, id)',
  'create index waitlist_by_score on waitlist_entries (score, id)',
  'create index waitlist_by_email on waitlist_entries (email, id)',
  `create index waitlist_withheld on waitlist_entries (id) where credit = 'withheld'`,
  `alter table waitlist_counts
    add constraint waitlist_counts_key primary key (status, span, score, starts_at)`,
  ...countingTrigger('insert'),
  ...countingTrigger('update'),
  ...countingTrigger('delete'),
]);
