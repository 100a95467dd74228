import { PermanentJobError } from '../../platform/queues/permanent-job-error.ts';
import type { MailThread } from './schemas.ts';

export type Channel = 'sms' | 'email';

/** A message as the recipient sees it. */
export interface Rendered {
  /** The delivery's id, the same for all attempts. */
  id: string;
  channel: Channel;
  /** One E.164 number or one email address. */
  to: string;
  /** Null for SMS. */
  subject: string | null;
  text: string;
  /** Renders the HTML part; null for SMS. */
  html: (() => string) | null;
  /** PNG that the HTML part shows by its content id. */
  logo?: Buffer | undefined;
  /** URL for one-click unsubscribing by POST (RFC 8058), for messages to lists. */
  unsubscribe?: string | undefined;
  /** For emails of a conversation. */
  thread?: MailThread | undefined;
}

/** `send` resolves once the message is accepted, and throws errors made by `sendError`. */
export interface Provider {
  name: string;
  send: (rendered: Rendered) => Promise<{ reference?: string }>;
}

/** A failed attempt. Has only a code, because provider responses repeat private data. */
export class SendError extends Error {
  override readonly name = 'SendError';
  /** Such as `http_500`, `smtp_550`, `timeout`. */
  readonly code: string;

  constructor(code: string) {
    super(`the provider did not take the message: ${code}`);
    this.code = code;
  }
}

/** A failed attempt that a retry can't fix. */
export class PermanentSendError extends PermanentJobError {
  override readonly name = 'PermanentSendError';
  readonly code: string;

  constructor(code: string) {
    super(`the provider refused the message: ${code}`);
    this.code = code;
  }
}

/** The error for a code; permanent ones are not retried. */
export function sendError(
  code: string,
  { isPermanent }: { isPermanent: boolean },
): SendError | PermanentSendError {
  return isPermanent ? new PermanentSendError(code) : new SendError(code);
}
