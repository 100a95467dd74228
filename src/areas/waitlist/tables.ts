import type { Generated } from 'kysely';

export const entryStatuses = ['pending', 'verified', 'approved', 'denied', 'joined'] as const;
export type EntryStatus = (typeof entryStatuses)[number];

export const credits = ['none', 'waiting', 'granted', 'withheld'] as const;
/** Whether the person who referred an entry gets points for it. */
export type Credit = (typeof credits)[number];

export const sources = ['form', 'api', 'signup', 'import'] as const;
export type Source = (typeof sources)[number];

/** People on the waitlist: one row for each mailbox. */
export interface WaitlistEntriesTable {
  /** UUID version 7. */
  id: string;
  /** In lower case. */
  email: string;
  /** The address without what mail programs ignore: see `mailboxOf`. */
  mailbox: string;
  name: string | null;
  /** A JSON object. Written with JSON.stringify. */
  metadata: unknown;
  status: EntryStatus;
  source: Source;
  is_disposable: boolean;
  /** Points. A copy of what `referred_by` and `credit` of other rows say. */
  score: number;
  /** How many referrals got credit. */
  amount_referred: number;
  referral_code: string;
  referred_by: string | null;
  credit: Credit;
  credit_reasons: string[];
  /** The /24 or /56 from which the person joined; null for imported people. */
  network: string | null;
  /** The version of the sentence that the person agreed to; null for imported people. */
  consent_version: string | null;
  consent_at: Date | null;
  created_at: Date;
  updated_at: Date;
  verified_at: Date | null;
  verified_network: string | null;
  /** Why an admin marked the address as verified. */
  verified_because: string | null;
  approved_at: Date | null;
  denied_at: Date | null;
  joined_at: Date | null;
  batch_id: string | null;
  /** When the invitation was handed to the mail queue. */
  invited_at: Date | null;
  /** SHA-256 of the link's secret; null once it is used. */
  confirm_hash: string | null;
  last_asked_at: Date;
  /** How many messages were sent since the last change of status. */
  asked: number;
}

/**
 * How many entries there are, by status, and for verified ones also by score, day and minute of
 * verification. Triggers of `waitlist_entries` keep it. `span`: 0 all times, 1 a day, 2 a minute.
 */
interface WaitlistCountsTable {
  status: EntryStatus;
  score: number;
  span: number;
  starts_at: Date;
  entries: number;
}

/** People who were approved together. */
interface WaitlistBatchesTable {
  id: string;
  size: number;
  /** People who were left out, because their mailbox is disposable. */
  left_out: Generated<number>;
  created_at: Date;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    waitlist_entries: WaitlistEntriesTable;
    waitlist_counts: WaitlistCountsTable;
    waitlist_batches: WaitlistBatchesTable;
  }
}
