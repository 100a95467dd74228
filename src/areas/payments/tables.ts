import type { ColumnType, Generated } from 'kysely';

/** Events of the payment provider, each stored once. */
export interface PaymentEventsTable {
  /** The provider's event id. */
  id: string;
  type: string;
  /** When it happened, by the provider's clock. */
  created: Date;
  received_at: Date;
  /** The whole event. Contains personal data, so it must never be logged. */
  payload: ColumnType<unknown, string, string>;
  status: 'pending' | 'done' | 'ignored' | 'failed';
  attempts: Generated<number>;
  /** Why it failed: `user_unknown`. */
  error_code: string | null;
  processed_at: Date | null;
}

/** Each user's plan. */
export interface PlansTable {
  user_id: string;
  /** Null until an event names the plan. */
  plan: string | null;
  /** The provider's status of the subscription: `active`, `past_due`, `canceled`. */
  status: string;
  current_period_end: Date | null;
  customer_id: string | null;
  subscription_id: string | null;
  updated_at: Date;
  /** Time of the newest event merged into it. */
  event_created: Date;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    payment_events: PaymentEventsTable;
    plans: PlansTable;
  }
}
