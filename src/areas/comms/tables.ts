/** The delivery log, without content and recipients. Rows are deleted after 30 days. */
export interface DeliveriesTable {
  /** UUID version 7. */
  id: string;
  /** HMAC-SHA-256 of the caller's idempotency key, lower-case hex. */
  key_hash: string;
  channel: 'sms' | 'email';
  template: string;
  /** HMAC-SHA-256 of the recipient, lower-case hex. */
  to_hash: string;
  status: 'queued' | 'sent' | 'failed' | 'expired';
  attempts: number;
  provider: string;
  /** The provider's own id of the message. */
  provider_reference: string | null;
  /** Why the last attempt failed: `http_500`, `smtp_550`, `timeout`. */
  error_code: string | null;
  expires_at: Date;
  created_at: Date;
  updated_at: Date;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    deliveries: DeliveriesTable;
  }
}
