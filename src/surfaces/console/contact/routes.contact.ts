import { z } from 'zod';
import { contactMessageResource } from '../../../areas/contact/resource.ts';
import { contactStatuses } from '../../../areas/contact/statuses.ts';
import type { RequestActor } from '../../../platform/http/requests/request-actor.ts';
import { runAll } from '../../../platform/resource/batch.ts';
import { exportColumnsOf } from '../../../platform/resource/entry-csv.ts';
import type { ToastOptions } from '../../../platform/ui/components/feedback.tsx';
import { withQuery } from '../components/navigation.tsx';
import { exportFormat, exportLinks, sendListExport } from '../list-export.tsx';
import { readNames } from '../people/user-names.ts';
import { pageLimit } from '../rate-limits.ts';
import type { ConsoleRoutesOptions } from '../request-context.ts';
import { form } from '../routes.forms.ts';
import { page } from '../routes.pages.ts';
import { done, emptyable, find } from '../schemas.ts';
import { readAdmins } from './admins.ts';
import { inboxPath } from './contact-paths.ts';
import { deletePage, inboxPage } from './inbox-page.tsx';
import { threadRoutes } from './routes.thread.ts';
import { texts } from './texts/en.ts';

const pageSize = 50;
const exportPageSize = 500;
const number = z.coerce.number().int().min(0).max(1000).default(0);

const InboxQuery = z.object({
  status: emptyable(z.enum(contactStatuses)).describe('Only messages with this status.'),
  assignee: emptyable(z.uuid()).describe('Only messages assigned to this user.'),
  cursor: z
    .string()
    .max(2000)
    .optional()
    .describe('Cursor from the previous page.')
    .meta({ examples: ['eyJ2IjoxfQ'] }),
  find,
  format: exportFormat,
  done,
  of: number.describe('Number of messages changed.'),
  left: number.describe('Number of messages not changed.'),
});
type InboxQuery = z.output<typeof InboxQuery>;

function noticeOf({ done: doneKey, of, left }: InboxQuery): ToastOptions | undefined {
  const { none, changed, deleted, left: notChanged } = texts.notices;
  if (doneKey === 'none') return { text: none, tone: 'bad' };
  if (doneKey !== 'changed' && doneKey !== 'deleted') return undefined;
  const sentence = (doneKey === 'changed' ? changed : deleted)({ count: of });
  return { text: left === 0 ? sentence : `${sentence} ${notChanged({ count: left })}` };
}

const changes = { close: 'closed', open: 'open', spam: 'spam' } as const;
const Bulk = z.object({
  message: z.array(z.uuid()).max(200),
  action: z.enum(['close', 'open', 'spam', 'delete']),
  status: z.string().optional(),
  confirm: z.string().optional(),
});

/** Changes the selected messages. Returns how many were changed, and how many not. */
async function changeMessages(
  { inbox }: ConsoleRoutesOptions,
  { message: ids, action }: z.output<typeof Bulk>,
  by: RequestActor,
) {
  const run = (id: string) =>
    action === 'delete' ? inbox.delete(id, by) : inbox.update(id, { status: changes[action] }, by);
  const { succeeded, failed } = await runAll(ids.map((id) => ({ at: { id }, run: () => run(id) })));
  return { done: action === 'delete' ? 'deleted' : 'changed', of: succeeded, left: failed.length };
}

/** The inbox of the contact form, for admins. */
export const contactRoutes = [
  page({
    id: 'console.contact',
    path: '/api/svc/console/contact',
    summary: 'Console: contact messages',
    description: 'Messages from the contact form, newest first. For admins.',
    query: InboxQuery,
    async show(context, query, { reply, signal }) {
      const { status, assignee, find: sealed, cursor, format } = query;
      const text = context.searchTerms.open(sealed);
      const selection = { sort: '-created_at', q: text, status, assignee_id: assignee };
      const list = (limit: number, after: string | undefined) =>
        context.inbox.list({ ...selection, limit, cursor: after }, signal);
      if (format !== undefined)
        return sendListExport(reply, {
          name: 'contact-messages',
          format,
          columns: exportColumnsOf(contactMessageResource),
          readPage: (after) => list(exportPageSize, after),
        });
      const [found, counts, admins] = await Promise.all([
        list(pageSize, cursor),
        context.contactThreads.countByStatus(),
        readAdmins(context),
      ]);
      const assignees = found.data.flatMap(({ assignee_id: id }) => id ?? []);
      const names = await readNames(context, assignees);
      const filters = { status, assignee, find: sealed };
      const links = exportLinks(inboxPath, filters);
      const { baseUrl, clock } = context;
      const shown = { query: filters, text, cursor, page: found, counts, admins, names };
      const view = { ...shown, baseUrl, now: clock.now() };
      return inboxPage({ ...view, exportLinks: links }, noticeOf(query));
    },
  }),
  form({
    id: 'console.find_contact',
    path: '/api/svc/console/contact/find',
    summary: 'Form: search contact messages',
    limit: pageLimit,
    body: z.object({
      status: z.string().optional(),
      assignee: z.string().optional(),
      text: z.string().optional(),
    }),
    run: ({ searchTerms }, { text }) => searchTerms.seal(text),
    to: ({ status, assignee }, sealed) => withQuery(inboxPath, { status, assignee, find: sealed }),
  }),
  form({
    id: 'console.bulk_contact',
    path: '/api/svc/console/contact/bulk',
    summary: 'Form: change contact messages',
    body: Bulk,
    async run(context, input, { by }) {
      const { message: ids, action, confirm } = input;
      if (ids.length === 0) return { done: 'none' };
      // Deleting is confirmed on a page of its own.
      if (action === 'delete' && confirm !== String(ids.length)) return undefined;
      return changeMessages(context, input, by);
    },
    to: ({ message: ids, status }, result) =>
      result === undefined ? deletePage(ids, status) : withQuery(inboxPath, { status, ...result }),
  }),
  ...threadRoutes,
];
