import { z } from 'zod';
import {
  MessageParams,
  NoteBody,
  ReplyBody,
  UpdateContactMessageBody,
} from '../../../areas/contact/schemas.ts';
import { undefinedIfMissing } from '../../../platform/errors/errors.ts';
import { withQuery } from '../components/navigation.tsx';
import { readNames } from '../people/user-names.ts';
import type { ConsoleRoutesOptions } from '../request-context.ts';
import { form } from '../routes.forms.ts';
import { page } from '../routes.pages.ts';
import { done, emptyable } from '../schemas.ts';
import { readAdmins } from './admins.ts';
import { inboxPath, threadPath } from './contact-paths.ts';
import { deleteThreadPage, threadPage } from './thread-page.tsx';
import { texts } from './texts/en.ts';

const maxSavedReplies = 100;
const ThreadQuery = z.object({ done, saved: emptyable(z.uuid()) });

async function draftOf({ savedReplyList }: ConsoleRoutesOptions, saved: string | undefined) {
  if (saved === undefined) return '';
  return (await undefinedIfMissing(savedReplyList.get(saved)))?.text ?? '';
}

const params = MessageParams;
const toThread = ({ id }: { id: string }): string => threadPath(id);

/** A message with its replies and notes. */
export const threadRoutes = [
  page({
    id: 'console.contact_thread',
    path: '/api/svc/console/contact/:id',
    summary: 'Console: contact message',
    params,
    query: ThreadQuery,
    errors: ['contact.not_found'],
    async show(context, { id, done: doneKey, saved }) {
      const { contactThreads, contactReplies, savedReplyList, channels } = context;
      const [thread, admins, savedReplies, draft] = await Promise.all([
        contactThreads.get(id),
        readAdmins(context),
        savedReplyList.list({ limit: maxSavedReplies, sort: 'name' }),
        draftOf(context, saved),
      ]);
      const authors = [...thread.replies, ...thread.notes].map(({ author_id: author }) => author);
      const names = await readNames(context, authors);
      const answersTo = contactReplies.answersTo();
      const view = { thread, names, admins, draft, answersTo, hasEmail: channels.email };
      return threadPage({ ...view, savedReplies: savedReplies.data }, doneKey);
    },
  }),
  page({
    id: 'console.confirm_delete_contact',
    path: '/api/svc/console/contact/:id/delete',
    summary: 'Console: delete a contact message',
    params,
    errors: ['contact.not_found'],
    async show({ contactThreads }, { id }) {
      return deleteThreadPage((await contactThreads.get(id)).message);
    },
  }),
  form({
    id: 'console.reply_contact',
    path: '/api/svc/console/contact/:id/reply',
    summary: 'Form: reply to a contact message',
    params,
    body: ReplyBody,
    run: ({ contactThreads }, { id, ...reply }, { by }) => contactThreads.reply(id, reply, by),
    to: toThread,
    done: 'replied',
  }),
  form({
    id: 'console.note_contact',
    path: '/api/svc/console/contact/:id/note',
    summary: 'Form: add a note to a contact message',
    params,
    body: NoteBody,
    run: ({ contactThreads }, { id, ...note }, { by }) => contactThreads.addNote(id, note, by),
    to: toThread,
    done: 'noted',
  }),
  form({
    id: 'console.set_contact_status',
    path: '/api/svc/console/contact/:id/status',
    summary: 'Form: change the status of a contact message',
    params,
    body: UpdateContactMessageBody.pick({ status: true }),
    run: ({ inbox }, { id, ...changes }, { by }) => inbox.update(id, changes, by),
    to: toThread,
    done: 'updated',
  }),
  form({
    id: 'console.assign_contact',
    path: '/api/svc/console/contact/:id/assign',
    summary: 'Form: assign a contact message',
    params,
    body: UpdateContactMessageBody.pick({ assignee_id: true }),
    run: ({ inbox }, { id, ...changes }, { by }) => inbox.update(id, changes, by),
    to: toThread,
    done: 'updated',
  }),
  form({
    id: 'console.delete_contact',
    path: '/api/svc/console/contact/:id/delete',
    summary: 'Form: delete a contact message',
    params,
    word: texts.thread.word,
    run: ({ inbox }, { id }, { by }) => inbox.delete(id, by),
    to: withQuery(inboxPath, { done: 'deleted', of: 1 }),
  }),
];
