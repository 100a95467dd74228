import type { ColumnType } from 'kysely';

/** Append-only, except that the retention job truncates addresses and deletes old rows. */
export interface AuditEventsTable {
  /** UUID version 7 of the instant `at`, so that ids sort by time. */
  id: string;
  at: Date;
  /** Such as `session.created`. */
  action: string;
  outcome: 'success' | 'failure' | 'denied';
  /** A code such as `otp.invalid`. */
  reason: string | null;
  actor_kind: 'user' | 'api_key' | 'system' | 'anonymous';
  actor_id: string | null;
  target_kind: string | null;
  target_id: string | null;
  /** An IP address, or after truncation a network, which contains a `/`. */
  address: string | null;
  request_id: string | null;
  details: ColumnType<unknown, string | undefined, string>;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    audit_events: AuditEventsTable;
  }
}
