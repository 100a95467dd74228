import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { contactMessageResource } from '../../../areas/contact/resource.ts';
import { contactStatuses } from '../../../areas/contact/statuses.ts';
import { disconnectSignal } from '../../../platform/http/requests/requester.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { runAll } from '../../../platform/resource/batch.ts';
import { exportColumnsOf } from '../../../platform/resource/entry-csv.ts';
import type { ToastOptions } from '../../../platform/ui/components/feedback.tsx';
import { FormValues, listOf, parseForm, textOf } from '../forms.ts';
import { exportFormat, exportLinks, sendListExport } from '../list-export.tsx';
import { readNames } from '../people/user-names.ts';
import { type ConsoleRoutesOptions, type ConsoleScope, redirectTo } from '../request-context.ts';
import { form, page, searchForm } from '../route-options.ts';
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

function inboxRoute(app: ConsoleScope, options: ConsoleRoutesOptions): void {
  const { services, searchTerms, send, baseUrl } = options;
  const { inbox, contactThreads } = services;
  app.get(
    '/api/svc/console/contact',
    page('console.contact', 'Console: contact messages', {
      querystring: InboxQuery,
      description: 'Messages from the contact form, newest first. For admins.',
    }),
    async ({ query }, reply) => {
      const { status, assignee, find: sealed, cursor, format } = query;
      const text = searchTerms.open(sealed);
      const signal = disconnectSignal(reply);
      const list = (limit: number, after: string | undefined) =>
        inbox.list(
          { limit, cursor: after, sort: '-created_at', q: text, status, assignee_id: assignee },
          signal,
        );
      if (format !== undefined)
        return sendListExport(reply, {
          name: 'contact-messages',
          format,
          columns: exportColumnsOf(contactMessageResource),
          readPage: (after) => list(exportPageSize, after),
        });
      const [found, counts, admins] = await Promise.all([
        list(pageSize, cursor),
        contactThreads.countByStatus(),
        readAdmins(services),
      ]);
      const names = await readNames(
        services,
        found.data.flatMap(({ assignee_id: id }) => id ?? []),
      );
      const filters = { status, assignee, find: sealed };
      const view = { query: filters, text, cursor, page: found, counts, admins, names, baseUrl };
      const links = exportLinks(inboxPath, filters);
      return send(reply, inboxPage({ ...view, exportLinks: links }, noticeOf(query)));
    },
  );
}

function findRoute(app: ConsoleScope, { searchTerms }: ConsoleRoutesOptions): void {
  app.post(
    '/api/svc/console/contact/find',
    searchForm('console.find_contact', 'Form: look for contact messages', { body: FormValues }),
    async ({ body }, reply) =>
      redirectTo(reply, inboxPath, {
        status: textOf(body, 'status'),
        assignee: textOf(body, 'assignee'),
        find: searchTerms.seal(textOf(body, 'text')),
      }),
  );
}

const changes = { close: 'closed', open: 'open', spam: 'spam' } as const;
const Bulk = z.object({
  ids: z.array(z.uuid()).max(200),
  action: z.enum(['close', 'open', 'spam', 'delete']),
});

/** Changes the selected messages. Asks for confirmation before it deletes any. */
function bulkRoute(app: ConsoleScope, { services: { inbox }, send }: ConsoleRoutesOptions): void {
  const redirect = (
    reply: FastifyReply,
    body: FormValues,
    result: { done: string; of?: number; left?: number },
  ) => redirectTo(reply, inboxPath, { status: textOf(body, 'status'), ...result });

  app.post(
    '/api/svc/console/contact/bulk',
    form('console.bulk_contact', 'Form: change contact messages', { body: FormValues }),
    async (request, reply) => {
      const { body } = request;
      const selected = listOf(body, 'message[]');
      if (selected.length === 0) return redirect(reply, body, { done: 'none' });
      const { ids, action } = parseForm(Bulk, { ids: selected, action: textOf(body, 'action') });
      if (action === 'delete' && textOf(body, 'confirm') !== String(ids.length))
        return send(reply, deletePage(ids, textOf(body, 'status')));
      const by = requestActor(request);
      const run = (id: string) =>
        action === 'delete'
          ? inbox.delete(id, by)
          : inbox.update(id, { status: changes[action] }, by);
      const { succeeded, failed } = await runAll(
        ids.map((id) => ({ at: { id }, run: () => run(id) })),
      );
      return redirect(reply, body, {
        done: action === 'delete' ? 'deleted' : 'changed',
        of: succeeded,
        left: failed.length,
      });
    },
  );
}

/** The inbox of the contact form, for admins. */
export const contactRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (app, options) => {
  inboxRoute(app, options);
  findRoute(app, options);
  bulkRoute(app, options);
  threadRoutes(app, options);
};
