import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import { requestActor } from '../../platform/http/requests/request-actor.ts';
import { noStore } from '../../platform/http/security.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import {
  ContactNoteView,
  ContactReplyView,
  ContactThread,
  MessageParams,
  NoteBody,
  ReplyBody,
} from './schemas.ts';
import type { ContactThreads } from './threads.ts';

export interface ThreadRoutesOptions {
  contactThreads: ContactThreads;
}

const tags = ['contact'];
const errors = ['contact.not_found'];
const read = { rateLimit: limit({ max: 600, seconds: 60, failOpen: true }) };
const write = { rateLimit: limit({ max: 60, seconds: 60 }) };

function readRoute(app: ZodApp, { contactThreads }: ThreadRoutesOptions): void {
  app.get(
    '/api/v1/contact/messages/:id/thread',
    {
      config: read,
      schema: {
        operationId: 'contact.thread',
        summary: 'Get a message with its replies and notes',
        description: 'Replies and notes are in the order in which they were written.',
        tags,
        params: MessageParams,
        errors,
        response: { 200: ContactThread },
      },
    },
    ({ params }) => contactThreads.get(params.id),
  );
}

function writingRoutes(app: ZodApp, { contactThreads }: ThreadRoutesOptions): void {
  app.post(
    '/api/v1/contact/messages/:id/replies',
    {
      config: write,
      schema: {
        operationId: 'contact.reply',
        summary: 'Reply by email',
        description:
          'Sends the text to the sender’s address and sets the status to `replied`, or ' +
          '`closed`. Replies to it go to CONTACT_EMAIL, or else MAIL_FROM; the service ' +
          'receives no email. Send an `Idempotency-Key` header to retry safely. At most 10 an ' +
          'hour and 40 a day to one mailbox, and 200 an hour by one person or key.',
        tags,
        params: MessageParams,
        body: ReplyBody,
        errors: [
          ...errors,
          'contact.too_many_replies',
          'comms.not_configured',
          'comms.recipient_invalid',
        ],
        response: { 200: ContactReplyView },
      },
    },
    (request) => contactThreads.reply(request.params.id, request.body, requestActor(request)),
  );

  app.post(
    '/api/v1/contact/messages/:id/notes',
    {
      config: write,
      schema: {
        operationId: 'contact.add_note',
        summary: 'Add a note',
        description: 'Only admins see notes. They are deleted with the message.',
        tags,
        params: MessageParams,
        body: NoteBody,
        errors,
        response: { 200: ContactNoteView },
      },
    },
    (request) => contactThreads.addNote(request.params.id, request.body, requestActor(request)),
  );
}

/** Replies and notes, for admins. */
export const threadRoutes: FastifyPluginAsyncZod<ThreadRoutesOptions> = async (app, options) => {
  noStore(app);
  readRoute(app, options);
  writingRoutes(app, options);
};
