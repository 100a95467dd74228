import { createTables } from '../../../platform/database/create-tables.ts';

export const auditTables = {
  /** Append-only, except that the retention job truncates addresses and deletes old rows. */
  audit_events: {
    /** UUID version 7 of the instant `at`, so that ids sort by time. */
    id: 'uuid primary key',
    at: 'timestamptz not null',
    /** Such as `session.created`. */
    action: 'text not null',
    outcome: "text not null check (outcome in ('success', 'failure', 'denied'))",
    /** A code such as `otp.invalid`. */
    reason: 'text',
    actor_kind: "text not null check (actor_kind in ('user', 'api_key', 'system', 'anonymous'))",
    actor_id: 'text',
    target_kind: 'text',
    target_id: 'text',
    /** An IP address, or after truncation a network, which contains a `/`. */
    address: 'text',
    request_id: 'text',
    details: "jsonb not null default '{}'",
  },
} as const;

export const audit = createTables(auditTables, [
  'create index audit_events_actor_id on audit_events (actor_id, id)',
  'create index audit_events_target_id on audit_events (target_id, id)',
  'create index audit_events_action on audit_events (action, id)',
  // Covers only rows whose address is not truncated yet, the ones that the daily job reads.
  `create index audit_events_whole_address on audit_events (id) where address not like '%/%'`,
]);
