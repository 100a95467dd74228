import { PermanentFailure } from '../../platform/queues/permanent-failure.ts';

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
}

/** What hands messages on. `send` resolves when the message was accepted; it throws a failure from `sendFailure`. */
export interface Provider {
  name: string;
  send: (rendered: Rendered) => Promise<{ reference?: string }>;
}

/** A failed attempt. Only a code: what providers answer repeats recipients, texts and credentials. */
export class SendFailure extends Error {
  override readonly name = 'SendFailure';
  /** Such as `http_500`, `smtp_550`, `timeout`. */
  readonly code: string;

  constructor(code: string) {
    super(`the provider did not take the message: ${code}`);
    this.code = code;
  }
}

/** A failed attempt that will fail again. */
export class PermanentSendFailure extends PermanentFailure {
  override readonly name = 'PermanentSendFailure';
  readonly code: string;

  constructor(code: string) {
    super(`the provider refused the message: ${code}`);
    this.code = code;
  }
}

/** The failure for a code; permanent ones are not tried again. */
export function sendFailure(code: string, { isPermanent }: { isPermanent: boolean }): SendFailure | PermanentSendFailure {
  return isPermanent ? new PermanentSendFailure(code) : new SendFailure(code);
}
