import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import {
  MessageParams,
  NoteBody,
  ReplyBody,
  UpdateContactMessageBody,
} from '../../../areas/contact/schemas.ts';
import { undefinedIfMissing } from '../../../platform/errors/errors.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import type { ToastOptions } from '../../../platform/ui/components/feedback.tsx';
import { FormValues, parseForm, requireWord, textOf } from '../forms.ts';
import { readNames } from '../people/user-names.ts';
import { type ConsoleRoutesOptions, type ConsoleScope, redirectTo } from '../request-context.ts';
import { form, innerPage } from '../route-options.ts';
import { done, emptyable } from '../schemas.ts';
import { readAdmins } from './admins.ts';
import { inboxPath, threadPath } from './contact-paths.ts';
import { threadPage } from './thread-page.tsx';
import { texts } from './texts/en.ts';

const maxSavedReplies = 100;
const ThreadQuery = z.object({ done, saved: emptyable(z.uuid()) });

function noticeOf(doneKey: string | undefined): ToastOptions | undefined {
  const { replied, noted, updated } = texts.notices;
  const sentence = new Map([
    ['replied', replied],
    ['noted', noted],
    ['updated', updated],
  ]).get(doneKey ?? '');
  return sentence === undefined ? undefined : { text: sentence };
}

function threadRoute(app: ConsoleScope, { services, send }: ConsoleRoutesOptions): void {
  const { contactThreads, savedReplyList, channels } = services;

  async function draftOf(saved: string | undefined): Promise<string> {
    if (saved === undefined) return '';
    return (await undefinedIfMissing(savedReplyList.get(saved)))?.text ?? '';
  }

  app.get(
    '/api/svc/console/contact/:id',
    innerPage('console.contact_thread', 'Console: contact message', {
      params: MessageParams,
      querystring: ThreadQuery,
      errors: ['contact.not_found'],
    }),
    async ({ params, query }, reply) => {
      const [thread, admins, saved, draft] = await Promise.all([
        contactThreads.get(params.id),
        readAdmins(services),
        savedReplyList.list({ limit: maxSavedReplies, sort: 'name' }),
        draftOf(query.saved),
      ]);
      const authors = [...thread.replies, ...thread.notes].map(({ author_id: id }) => id);
      const names = await readNames(services, authors);
      const view = { thread, names, admins, draft, hasEmail: channels.email };
      return send(reply, threadPage({ ...view, savedReplies: saved.data }, noticeOf(query.done)));
    },
  );
}

const back = (reply: FastifyReply, id: string, doneKey: string) =>
  redirectTo(reply, threadPath(id), { done: doneKey });

function writingRoutes(
  app: ConsoleScope,
  { services: { contactThreads } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/contact/:id/reply',
    form('console.reply_contact', 'Form: reply to a contact message', {
      params: MessageParams,
      body: FormValues,
    }),
    async (request, reply) => {
      const { body, params } = request;
      const close = textOf(body, 'close') === 'true';
      const parsed = parseForm(ReplyBody, { text: textOf(body, 'text') ?? '', close });
      await contactThreads.reply(params.id, parsed, requestActor(request));
      return back(reply, params.id, 'replied');
    },
  );

  app.post(
    '/api/svc/console/contact/:id/note',
    form('console.note_contact', 'Form: add a note to a contact message', {
      params: MessageParams,
      body: FormValues,
    }),
    async (request, reply) => {
      const parsed = parseForm(NoteBody, { text: textOf(request.body, 'text') ?? '' });
      await contactThreads.addNote(request.params.id, parsed, requestActor(request));
      return back(reply, request.params.id, 'noted');
    },
  );
}

function stateRoutes(app: ConsoleScope, { services: { inbox } }: ConsoleRoutesOptions): void {
  app.post(
    '/api/svc/console/contact/:id/status',
    form('console.set_contact_status', 'Form: change the status of a contact message', {
      params: MessageParams,
      body: FormValues,
    }),
    async (request, reply) => {
      const changes = parseForm(UpdateContactMessageBody, {
        status: textOf(request.body, 'status'),
      });
      await inbox.update(request.params.id, changes, requestActor(request));
      return back(reply, request.params.id, 'updated');
    },
  );

  app.post(
    '/api/svc/console/contact/:id/assign',
    form('console.assign_contact', 'Form: assign a contact message', {
      params: MessageParams,
      body: FormValues,
    }),
    async (request, reply) => {
      const assignee = textOf(request.body, 'assignee') ?? null;
      const changes = parseForm(UpdateContactMessageBody, { assignee_id: assignee });
      await inbox.update(request.params.id, changes, requestActor(request));
      return back(reply, request.params.id, 'updated');
    },
  );

  app.post(
    '/api/svc/console/contact/:id/delete',
    form('console.delete_contact', 'Form: delete a contact message', {
      params: MessageParams,
      body: FormValues,
    }),
    async (request, reply) => {
      requireWord(request.body, texts.thread.word);
      await inbox.delete(request.params.id, requestActor(request));
      return redirectTo(reply, inboxPath, { done: 'deleted', of: 1 });
    },
  );
}

/** A message with its replies and notes. */
export function threadRoutes(app: ConsoleScope, options: ConsoleRoutesOptions): void {
  threadRoute(app, options);
  writingRoutes(app, options);
  stateRoutes(app, options);
}
