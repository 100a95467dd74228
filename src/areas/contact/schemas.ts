import { z } from 'zod';
import { emailKey } from '../../lib/identifiers.ts';
import { multiLine } from '../../lib/text/text-patterns.ts';
import { lineText, trimmedLine, wellFormed } from '../../platform/validation/text-schemas.ts';
import { contactProofs, contactStatuses, spamReasons } from './statuses.ts';

const time = z.iso.datetime();
const lines = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(multiLine, 'must not have control characters except line breaks and tabs');

/** Maximum lengths in characters. The form shows them too. */
export const maxLengths = { name: 100, email: 254, subject: 200, topic: 60, message: 5000 };

export const ContactBody = z
  .strictObject({
    name: trimmedLine(maxLengths.name).min(1),
    email: z
      .string()
      .max(1024)
      .describe('Address to reply to.')
      .meta({ examples: ['ada@example.com'] }),
    subject: trimmedLine(maxLengths.subject).optional(),
    message: lines(maxLengths.message).describe('Plain text.'),
    topic: trimmedLine(maxLengths.topic)
      .optional()
      .describe('What the message is about, such as `sales`.'),
    altcha: z
      .string()
      .max(4096)
      .optional()
      .describe('A solved challenge: Base64 of `{challenge, solution}`, as ALTCHA v2 sends it.'),
    form: z
      .string()
      .max(200)
      .optional()
      .describe('Signed timestamp of when the form was loaded. Only the page sends it.'),
    website: z.string().max(1024).optional().describe('Leave empty. A honeypot for bots.'),
  })
  .meta({
    id: 'SendContactMessage',
    examples: [
      {
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        subject: 'A question about invoices',
        message: 'Where can I download the invoice for May?',
        topic: 'billing',
      },
    ],
  });
export type ContactBody = z.output<typeof ContactBody>;

export const ContactReceived = z.object({ id: z.uuid(), status: z.literal('received') }).meta({
  id: 'ReceivedContactMessage',
  description: 'The message was received. The response is the same for every message.',
  examples: [{ id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58', status: 'received' }],
});
export type ContactReceived = z.output<typeof ContactReceived>;

export const ContactChallenge = z
  .object({
    parameters: z.object({
      algorithm: z.string().meta({ examples: ['PBKDF2/SHA-256'] }),
      nonce: z
        .string()
        .describe('16 bytes, in hexadecimal.')
        .meta({ examples: ['5f1c0a9be27d4c3386fa41d2907be6c8'] }),
      salt: z
        .string()
        .describe('16 bytes, in hexadecimal.')
        .meta({ examples: ['b40e7d63a1f85c29d7063e9a4f18c2b5'] }),
      cost: z
        .int()
        .describe('Iterations of the key derivation.')
        .meta({ examples: [5000] }),
      keyLength: z
        .int()
        .describe('Length of the derived key, in bytes.')
        .meta({ examples: [32] }),
      keyPrefix: z
        .string()
        .describe('Prefix that the derived key must have, in hexadecimal.')
        .meta({ examples: ['00'] }),
      expiresAt: z
        .int()
        .describe('Unix time in seconds.')
        .meta({ examples: [1777887600] }),
    }),
    signature: z
      .string()
      .describe('HMAC-SHA-256 of the parameters, in hexadecimal.')
      .meta({
        examples: ['9a3e51c07bd24f68e1950dc7a28b64f30e7c19d5b2468af0135d79ec8b02641f'],
      }),
  })
  .meta({ id: 'ContactChallenge', description: 'A proof-of-work challenge (ALTCHA version 2).' });

export const ContactMessageView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    email: z.string().meta({ examples: ['ada@example.com'] }),
    subject: z.string().describe('Empty if not given.'),
    message: z.string().describe('Plain text, as entered.'),
    topic: z.string().describe('Empty if not given.'),
    status: z.enum(contactStatuses),
    assignee_id: z.uuid().nullable().describe('The admin it is assigned to.'),
    proof: z
      .enum(contactProofs)
      .describe('`solved`: with a proof of work; `key`: sent with an API key; `none`: neither.'),
    spam_reason: z
      .enum(spamReasons)
      .nullable()
      .describe('Why the message was filed as spam on arrival.'),
    network: z.string().nullable().describe('Network of the sender: a /24 of IPv4, a /48 of IPv6.'),
    created_at: time,
    updated_at: time,
  })
  .meta({
    id: 'ContactMessage',
    description: 'A message from the contact form.',
    examples: [
      {
        id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        subject: 'A question about invoices',
        message: 'Where can I download the invoice for May?',
        topic: 'billing',
        status: 'new',
        assignee_id: null,
        proof: 'solved',
        spam_reason: null,
        network: '203.0.113.0/24',
        created_at: '2026-05-04T09:30:00.000Z',
        updated_at: '2026-05-04T09:30:00.000Z',
      },
    ],
  });
export type ContactMessageView = z.output<typeof ContactMessageView>;

export const UpdateContactMessageBody = z
  .strictObject({
    status: z.enum(contactStatuses),
    assignee_id: z
      .uuid()
      .toLowerCase()
      .nullable()
      .describe('An active user with the role `admin`. Null removes the assignment.'),
  })
  .partial()
  .meta({ id: 'UpdateContactMessage', examples: [{ status: 'closed' }] });
export type UpdateContactMessageBody = z.output<typeof UpdateContactMessageBody>;

export const messageFilters = {
  status: z.enum(contactStatuses).describe('Only messages with this status.'),
  assignee_id: z.uuid().toLowerCase().describe('Only messages assigned to this user.'),
  topic: z
    .string()
    .max(maxLengths.topic)
    .describe('Only messages about this topic.')
    .meta({ examples: ['billing'] }),
  email: z
    .string()
    .max(maxLengths.email)
    .overwrite(emailKey)
    .describe('Only messages from this address, case-insensitive.')
    .meta({ examples: ['ada@example.com'] }),
};

const author = {
  author_kind: z.enum(['user', 'api_key']),
  author_id: z
    .string()
    .describe('The id of the user or API key that wrote it.')
    .meta({ examples: ['01986a2b-5d10-7c44-9b1e-2f60c7a8e391'] }),
};
const exampleReply = 'Hello Ada,\n\nyou find it under Settings, Billing.';
const replyText = lines(10_000).describe('Plain text.');

export const ContactReplyView = z
  .object({
    id: z.uuid(),
    text: z.string().meta({ examples: [exampleReply] }),
    ...author,
    delivery: z
      .enum(['queued', 'sent', 'failed', 'expired', 'unknown'])
      .describe('State of the email. `unknown` after 30 days, or if the service was stopped.'),
    created_at: time,
  })
  .meta({ id: 'ContactReply', description: 'A reply that was sent by email.' });
export type ContactReplyView = z.output<typeof ContactReplyView>;

export const ContactNoteView = z
  .object({
    id: z.uuid(),
    text: z.string().meta({ examples: ['Asked before, see the message from March.'] }),
    ...author,
    created_at: time,
  })
  .meta({ id: 'ContactNote', description: 'A note that only admins see.' });
export type ContactNoteView = z.output<typeof ContactNoteView>;

export const ContactThread = z
  .object({
    message: ContactMessageView,
    replies: z.array(ContactReplyView).describe('Oldest first.'),
    notes: z.array(ContactNoteView).describe('Oldest first.'),
  })
  .meta({ id: 'ContactThread', description: 'A message with its replies and notes.' });
export type ContactThread = z.output<typeof ContactThread>;

export const ReplyBody = z
  .strictObject({
    text: replyText,
    close: z.boolean().optional().describe('True also closes the message.'),
  })
  .meta({
    id: 'CreateContactReply',
    examples: [{ text: exampleReply }],
  });
export type ReplyBody = z.output<typeof ReplyBody>;

export const NoteBody = z.strictObject({ text: lines(5000).describe('Plain text.') }).meta({
  id: 'CreateContactNote',
  examples: [{ text: 'Asked before, see the message from March.' }],
});
export type NoteBody = z.output<typeof NoteBody>;

export const MessageParams = z.object({ id: z.uuid().toLowerCase() });

const savedReplyName = lineText(100);
const savedReplyText = wellFormed(replyText);

export const SavedReplyView = z
  .object({
    id: z.uuid(),
    name: z.string().meta({ examples: ['Invoices'] }),
    text: z.string().meta({ examples: ['You find your invoices under Settings, Billing.'] }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'SavedReply', description: 'A text snippet that admins insert into replies.' });
export type SavedReplyView = z.output<typeof SavedReplyView>;

export const SavedReplyBody = z.strictObject({ name: savedReplyName, text: savedReplyText }).meta({
  id: 'CreateSavedReply',
  examples: [{ name: 'Invoices', text: 'You find all invoices under Settings, Billing.' }],
});
export const UpdateSavedReplyBody = z
  .strictObject({ name: savedReplyName, text: savedReplyText })
  .partial()
  .meta({ id: 'UpdateSavedReply', examples: [{ name: 'Invoices and receipts' }] });
