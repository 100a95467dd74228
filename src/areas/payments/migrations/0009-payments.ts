import { createTables } from '../../../platform/database/create-tables.ts';

export const paymentTables = {
  /** Events of the payment provider, each stored once. */
  payment_events: {
    /** The provider's event id. */
    id: 'text primary key',
    type: 'text not null',
    /** When it happened, by the provider's clock. */
    created: 'timestamptz not null',
    received_at: 'timestamptz not null',
    /** The whole event. Contains personal data, so it must never be logged. */
    payload: 'jsonb not null',
    status: "text not null check (status in ('pending', 'done', 'ignored', 'failed'))",
    attempts: 'integer not null default 0',
    /** Why it failed: `user_unknown`. */
    error_code: 'text',
    processed_at: 'timestamptz',
  },
  /** Each user's plan. */
  plans: {
    user_id: 'uuid primary key references users on delete cascade',
    /** Null until an event names the plan. */
    plan: 'text',
    /** The provider's status of the subscription: `active`, `past_due`, `canceled`. */
    status: 'text not null',
    current_period_end: 'timestamptz',
    customer_id: 'text',
    subscription_id: 'text',
    updated_at: 'timestamptz not null',
    /** Time of the newest event merged into it. */
    event_created: 'timestamptz not null',
  },
} as const;

export const payments = createTables(paymentTables, [
  // Only what is still to be looked at, so that the job of every minute reads no others.
  `create index payment_events_unsettled on payment_events (status, received_at)
    where status in ('pending', 'failed')`,
  'create index payment_events_by_time on payment_events (received_at, id)',
  'create index payment_events_by_status on payment_events (status, received_at, id)',
  'create index plans_of_customer on plans (customer_id)',
]);
