import type { Rows } from '../../platform/database/create-tables.ts';
import type { waitlistTables } from './migrations/0014-waitlist.ts';

export const entryStatuses = ['pending', 'verified', 'approved', 'denied', 'joined'] as const;
export type EntryStatus = (typeof entryStatuses)[number];

export const credits = ['none', 'waiting', 'granted', 'withheld'] as const;
/** Whether the person who referred an entry gets points for it. */
export type Credit = (typeof credits)[number];

export const sources = ['form', 'api', 'signup', 'import'] as const;
export type Source = (typeof sources)[number];

declare module '../../platform/database/tables.ts' {
  interface Tables extends Rows<
    typeof waitlistTables,
    { waitlist_counts: { status: EntryStatus } }
  > {}
}
