import { z } from 'zod';
import { templateNames } from './templates/params.ts';

const channel = z.enum(['sms', 'email']);

/** The payload of a job, sealed so that messages can't be read in Redis. */
export const SealedMessages = z.strictObject({ sealed: z.string() });

// No spaces or brackets inside: they could end the header or name another message.
const messageId = z.string().regex(/^<[^\s\p{Cc}<>@]{1,200}@[^\s\p{Cc}<>@]{1,253}>$/u);

/** Exactly one recipient: no characters with a meaning in mail headers or address lists. */
export const recipients = {
  sms: z.string().regex(/^\+[1-9]\d{6,14}$/),
  email: z
    .string()
    .max(254)
    .regex(/^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u),
};

/** Headers that make an email part of a conversation (RFC 5322 §3.6.4). A person wrote it. */
export const MailThread = z.object({
  messageId: messageId.describe('`<id@host>`, like the other ids.'),
  inReplyTo: messageId,
  references: z.array(messageId).max(50).readonly().describe('Oldest first.'),
  replyTo: recipients.email.optional().describe('Where replies go. Default: to the sender.'),
});
export type MailThread = z.output<typeof MailThread>;

/** A message in a sealed list. It is rendered when it is sent: its parts are ten times as long. */
export const QueuedMessage = z.object({
  id: z.uuid(),
  channel,
  template: z.enum(templateNames),
  params: z.unknown().describe('The parameters of the template, checked when it is rendered.'),
  to: z.string(),
  thread: MailThread.optional(),
  expiresAt: z.number().describe('Unix ms.'),
  enteredAt: z
    .number()
    .describe('When this message, or the first one with the same key, was queued (Unix ms).'),
});
export type QueuedMessage = z.output<typeof QueuedMessage>;
export const QueuedMessages = z.array(QueuedMessage);

export const OutboxQuery = z.strictObject({
  to: z.string().max(254).optional().describe('Only messages to exactly this number or address.'),
  id: z.string().max(64).optional().describe('The message that the page shows in full.'),
});

export const OutboxView = z
  .object({
    messages: z
      .array(
        z.object({
          id: z.uuid(),
          channel,
          to: z.string(),
          subject: z.string().nullable(),
          text: z.string(),
          created_at: z.iso.datetime(),
        }),
      )
      .describe('Newest first.'),
  })
  .meta({ id: 'Outbox' });
export type OutboxView = z.output<typeof OutboxView>;
