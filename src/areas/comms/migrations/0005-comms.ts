import { createTables } from '../../../platform/database/create-tables.ts';

export const commsTables = {
  /** The delivery log, without content and recipients. Rows are deleted after 30 days. */
  deliveries: {
    /** UUID version 7. */
    id: 'uuid primary key',
    /** HMAC-SHA-256 of the caller's idempotency key, lower-case hex. */
    key_hash: 'text not null unique',
    channel: "text not null check (channel in ('sms', 'email'))",
    template: 'text not null',
    /** HMAC-SHA-256 of the recipient, lower-case hex. */
    to_hash: 'text not null',
    status: "text not null check (status in ('queued', 'sent', 'failed', 'expired'))",
    attempts: 'integer not null',
    provider: 'text not null',
    /** The provider's own id of the message. */
    provider_reference: 'text',
    /** Why the last attempt failed: `http_500`, `smtp_550`, `timeout`. */
    error_code: 'text',
    expires_at: 'timestamptz not null',
    created_at: 'timestamptz not null',
    updated_at: 'timestamptz not null',
  },
} as const;

export const comms = createTables(commsTables, [
  'create index deliveries_by_age on deliveries (created_at)',
]);
