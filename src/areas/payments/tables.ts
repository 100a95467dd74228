import type { ColumnType, Generated } from 'kysely';

/** What the payment provider has reported, each event once. */
export interface PaymentEventsTable {
  /** The provider's id of the event. */
  id: string;
  type: string;
  /** When it happened, by the provider's clock. */
  created: Date;
  received_at: Date;
  /** The whole event. It names people and what they pay: never in a log. */
  payload: ColumnType<unknown, string, string>;
  status: 'pending' | 'done' | 'ignored' | 'failed';
  attempts: Generated<number>;
  /** Why it failed: `user_unknown`. */
  error_code: string | null;
  processed_at: Date | null;
}

/** What each person pays for. */
export interface PlansTable {
  user_id: string;
  /** Null until an event has named it. */
  plan: string | null;
  /** The provider's status of the subscription: `active`, `past_due`, `canceled`. */
  status: string;
  current_period_end: Date | null;
  customer_id: string | null;
  subscription_id: string | null;
  updated_at: Date;
  /** When the newest event in it happened. */
  event_created: Date;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    payment_events: PaymentEventsTable;
    plans: PlansTable;
  }
}
