import { PermanentJobError } from '../../platform/queues/permanent-job-error.ts';

export type Channel = 'sms' | 'email';

/** A message as the recipient gets it. */
export interface Rendered {
  /** The delivery's id, the same at every attempt. */
  id: string;
  channel: Channel;
  /** One E.164 number or one e-mail address. */
  to: string;
  /** Null for SMS. */
  subject: string | null;
  text: string;
  /** Null for SMS. */
  html: string | null;
  /** Where a POST takes the recipient off the list (RFC 8058). Only for what is sent to many. */
  unsubscribe?: string | undefined;
}

/** What hands messages on. `send` resolves when the message was accepted; it throws a failure from `sendError`. */
export interface Provider {
  name: string;
  send: (rendered: Rendered) => Promise<{ reference?: string }>;
}

/** A failed attempt. Only a code: what providers answer repeats recipients, texts and credentials. */
export class SendError extends Error {
  override readonly name = 'SendError';
  /** Such as `http_500`, `smtp_550`, `timeout`. */
  readonly code: string;

  constructor(code: string) {
    super(`the provider did not take the message: ${code}`);
    this.code = code;
  }
}

/** A failed attempt that will fail again. */
export class PermanentSendError extends PermanentJobError {
  override readonly name = 'PermanentSendError';
  readonly code: string;

  constructor(code: string) {
    super(`the provider refused the message: ${code}`);
    this.code = code;
  }
}

/** The failure for a code; permanent ones are not tried again. */
export function sendError(
  code: string,
  { isPermanent }: { isPermanent: boolean },
): SendError | PermanentSendError {
  return isPermanent ? new PermanentSendError(code) : new SendError(code);
}
