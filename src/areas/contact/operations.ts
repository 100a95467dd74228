import { limited } from '../../platform/operations/limits.ts';
import { operationsOf } from '../../platform/operations/operation.ts';
import { readFormAs } from '../../platform/ui/public-forms.ts';
import type { ContactContext } from './compose.ts';
import { contactFormToJson } from './form-body.ts';
import { contactLimits, maxPerEmail } from './limits.ts';
import {
  ContactBody,
  ContactChallenge,
  ContactNoteView,
  ContactReceived,
  ContactReplyView,
  ContactThread,
  MessageParams,
  NoteBody,
  ReplyBody,
} from './schemas.ts';

/** Fits the longest message with every character percent-encoded. */
export const bodyLimit = 64 * 1024;

/** The limit of requests, which bounds the work of verifying; messages have limits of their own. */
export const sendLimit = limited({ max: 30, seconds: 600, group: 'contact', withCredential: 600 });

/** The errors of a message that is refused. */
export const sendErrors = [
  'contact.too_many',
  'contact.proof_invalid',
  'contact.proof_expired',
  'contact.proof_used',
  'contact.form_expired',
  'contact.too_fast',
] as const;

const { solved, none, key } = contactLimits;

/** The limits in words, for the API reference. */
export const limitSentence =
  `Messages accepted in an hour: with a solved challenge ${solved.client} from one address, ` +
  `${solved.network} from its network (/24 or /48) and ${solved.hour} in total (${solved.day} a ` +
  `day); without one ${none.client}, ${none.network} and ${none.hour} (${none.day} a day); with ` +
  `an API key ${key.hour} in total (${key.day} a day). More than ${maxPerEmail} in an hour from ` +
  'one email address are filed as spam.';

const publicOperation = operationsOf<ContactContext>({
  scope: 'identified',
  tag: 'contact',
  isIdempotent: true,
});

/** Sending messages, for programs and pages of other sites. */
export const sendOperations = [
  publicOperation({
    id: 'contact.challenge',
    path: 'GET /api/v1/contact/challenge',
    summary: 'Get a challenge',
    description:
      'A proof-of-work challenge (ALTCHA version 2), valid for 10 minutes and one message. ' +
      'A phone solves it in about a second.',
    limit: limited({ max: 60, seconds: 60, failOpen: true }),
    output: ContactChallenge,
    run: ({ contact }) => contact.challenge(),
  }),
  publicOperation({
    id: 'contact.send',
    path: 'POST /api/v1/contact',
    summary: 'Send a message',
    description:
      'Accepts JSON or form data. Without `altcha`, or an API key with the scope ' +
      `\`analytics:read\` or \`admin\`, far fewer messages are accepted. ${limitSentence}`,
    limit: sendLimit,
    route: { bodyLimit, preValidation: readFormAs(contactFormToJson) },
    body: ContactBody,
    output: ContactReceived,
    errors: sendErrors,
    run: ({ contact }, body, { request: { ip: address, principal } }) =>
      contact.receive(body, { address, principal }),
  }),
];

const operation = operationsOf<ContactContext>({
  scope: 'admin',
  tag: 'contact',
  limit: limited({ max: 60, seconds: 60 }),
});

/** Replies and notes, for admins. */
export const threadOperations = [
  operation({
    id: 'contact.thread',
    path: 'GET /api/v1/contact/messages/:id/thread',
    summary: 'Get a message with its replies and notes',
    description: 'Replies and notes are in the order in which they were written.',
    limit: limited({ max: 600, seconds: 60, failOpen: true }),
    params: MessageParams,
    output: ContactThread,
    errors: ['contact.not_found'],
    run: ({ contactThreads }, { id }) => contactThreads.get(id),
  }),
  operation({
    id: 'contact.reply',
    path: 'POST /api/v1/contact/messages/:id/replies',
    summary: 'Reply by email',
    description:
      'Sends the text to the sender’s address and sets the status to `replied`, or ' +
      '`closed`. Replies to it go to CONTACT_EMAIL, or to MAIL_FROM if that is unset; the ' +
      'service receives no email. Send an `Idempotency-Key` header to retry safely. At ' +
      'most 10 an hour and 40 a day to one mailbox, and 200 an hour by one person or key.',
    params: MessageParams,
    body: ReplyBody,
    output: ContactReplyView,
    errors: [
      'contact.not_found',
      'contact.too_many_replies',
      'comms.not_configured',
      'comms.recipient_invalid',
    ],
    run: ({ contactThreads }, { id, ...body }, { by }) => contactThreads.reply(id, body, by),
  }),
  operation({
    id: 'contact.add_note',
    path: 'POST /api/v1/contact/messages/:id/notes',
    summary: 'Add a note',
    description: 'Only admins see notes. They are deleted with the message.',
    params: MessageParams,
    body: NoteBody,
    output: ContactNoteView,
    errors: ['contact.not_found'],
    run: ({ contactThreads }, { id, ...body }, { by }) => contactThreads.addNote(id, body, by),
  }),
];
