import { z } from 'zod';
import type { Identifier } from '../../../lib/identifiers.ts';
import { createSeal } from '../../../lib/secrets/seal.ts';
import type { Keys } from '../../../platform/crypto/keys.ts';
import type { RequestSource } from '../../../platform/http/requests/request-origin.ts';
import { PermanentJobError } from '../../../platform/queues/permanent-job-error.ts';
import type { Queues } from '../../../platform/queues/queues.ts';
import { IdentifierSchema } from '../identifier-schema.ts';
import type { Messages } from '../../comms/service.ts';

/** The messages that carry codes: for signing in, and for a change of your own address. */
const codeTemplates = ['sign_in_code', 'contact_code'] as const;
type CodeTemplate = (typeof codeTemplates)[number];

/** A code to be sent, or not, and the request that asked for it. */
export interface CodeMessage {
  identifier: Identifier;
  verificationId: string;
  code: string;
  template: CodeTemplate;
  /** Unix ms. */
  expiresAt: number;
  /** Why it is not sent; undefined if it is. */
  withheld?: string | undefined;
  source: Pick<RequestSource, 'address' | 'requestId'>;
}

export interface SenderDeps {
  messages: Pick<Messages, 'send' | 'check'>;
  /** Minutes and host, for the text. */
  minutes: number;
  /** The host that codes are bound to in messages (WebOTP). */
  host: string;
  /** Records that a code was sent, or why it was not. */
  note: (message: CodeMessage, withheld: string | undefined) => void;
}

/** Mail goes to the address as typed: only its host decides whether case matters. */
const addressOf = ({ kind, key, value }: Identifier) => (kind === 'email' ? value : key);

/** Sends a code, unless it is withheld. */
export function codeSender({ messages, minutes, host, note }: SenderDeps) {
  return async (message: CodeMessage): Promise<void> => {
    const { identifier, verificationId, code, template, expiresAt, withheld } = message;
    if (withheld === undefined)
      await messages.send({
        channel: identifier.channel,
        to: addressOf(identifier),
        template,
        params: { code, minutes: String(minutes), host },
        key: verificationId,
        expiresAt,
      });
    note(message, withheld);
  };
}

const Sealed = z.strictObject({ sealed: z.string() });
const Message = z.object({
  identifier: IdentifierSchema,
  verificationId: z.string(),
  code: z.string(),
  template: z.enum(codeTemplates),
  expiresAt: z.number(),
  withheld: z.string().optional(),
  source: z.object({ address: z.string(), requestId: z.string() }),
});

export interface CheckedSenderDeps extends SenderDeps {
  queues: Queues;
  keys: Keys;
  /** Whether the verified owner of the address or number can sign in. */
  mayReceive: (identifier: Pick<Identifier, 'kind' | 'key'>) => Promise<boolean>;
}

/**
 * Sends codes only to people who can sign in (SIGN_UP). A job looks that up after the response, and
 * every request queues one: neither body nor timing tells whether an address has an account.
 */
export function checkedCodeSender({ queues, keys, mayReceive, ...deps }: CheckedSenderDeps) {
  const { messages, note } = deps;
  const seal = createSeal(keys('otp-sending'));
  const send = codeSender(deps);
  const job = queues.defineJob({
    name: 'otp-sending',
    schema: Sealed,
    options: { attempts: 4, concurrency: 10, keepDone: false },
    async process({ sealed }) {
      const text = seal.open(sealed);
      // Sealed with another AUTH_SECRET: no retry can open it.
      if (text === undefined) throw new PermanentJobError('the code was sealed with another key');
      const message = Message.parse(JSON.parse(text));
      if (message.withheld !== undefined) note(message, message.withheld);
      // Who changes an address has an account already.
      else if (message.template !== 'sign_in_code' || (await mayReceive(message.identifier)))
        await send(message);
      else note(message, 'users.sign_up_closed');
    },
  });

  return async (message: CodeMessage): Promise<void> => {
    const { channel } = message.identifier;
    messages.check({ channel, to: addressOf(message.identifier) });
    await job.add({ sealed: seal.seal(JSON.stringify(message)) });
  };
}

export type SendCode = ReturnType<typeof codeSender>;
