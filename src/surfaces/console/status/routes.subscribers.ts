import { z } from 'zod';
import { minuteMs } from '../../../lib/durations.ts';
import { withQuery } from '../components/navigation.tsx';
import { invalidForm } from '../forms.ts';
import { exportFormat, sendListExport } from '../list-export.tsx';
import { pageLimit } from '../rate-limits.ts';
import { form } from '../routes.forms.ts';
import { page } from '../routes.pages.ts';
import { cursor, done, find } from '../schemas.ts';
import { doneNotice, UndoButton } from '../components/notices.tsx';
import { texts } from './texts/en.ts';
import { subscriberColumns, subscribersPage, subscribersPath } from './subscribers-page.tsx';

const pageSize = 25;
const exportPageSize = 100;

/** How long a removal can be undone. */
const undoMs = 15 * minuteMs;

/** What is sealed in the URL after a removal, so that nothing of it is stored. */
const Removal = z.object({
  at: z.number(),
  removed: z.object({
    id: z.uuid(),
    email: z.string(),
    created_at: z.coerce.date(),
    confirmed_at: z.coerce.date().nullable(),
    confirm_hash: z.string().nullable(),
    last_asked_at: z.coerce.date(),
  }),
});

/** Subscribers to status updates by email. */
export const subscriberRoutes = [
  page({
    id: 'console.subscribers',
    path: '/api/svc/console/status/subscribers',
    summary: 'Console: status subscribers',
    query: z.object({ done, find, cursor, removed: find, format: exportFormat }),
    async show({ subscribers, searchTerms }, input, { reply, signal }) {
      const { cursor: after, removed, format, ...query } = input;
      const email = searchTerms.open(query.find);
      const read = (limit: number, from: string | undefined) =>
        subscribers.list({ limit, cursor: from, email }, signal);
      if (format !== undefined)
        return sendListExport(reply, {
          name: 'subscribers',
          format,
          columns: subscriberColumns,
          readPage: (from) => read(exportPageSize, from),
        });
      const list = await read(pageSize, after);
      const view = { page: list, email, find: query.find, isFirst: after === undefined };
      const undo =
        removed === undefined
          ? undefined
          : UndoButton({ action: `${subscribersPath}/restore`, values: { removed } });
      return subscribersPage(view, doneNotice(texts.notices, query.done, { undo }));
    },
  }),
  form({
    id: 'console.find_subscribers',
    path: '/api/svc/console/status/subscribers/find',
    summary: 'Form: search subscribers by address',
    limit: pageLimit,
    body: z.object({ text: z.string().trim().max(320).default('') }),
    run: ({ searchTerms }, { text }) => searchTerms.seal(text),
    to: (_, find) => withQuery(subscribersPath, { find }),
  }),
  form({
    id: 'console.delete_subscriber',
    path: '/api/svc/console/status/subscribers/remove',
    summary: 'Form: remove a subscriber',
    body: z.object({ id: z.uuid() }),
    async run({ subscribers, searchTerms, clock }, { id }, { by }) {
      const removed = await subscribers.delete(id, by);
      return searchTerms.seal(JSON.stringify({ removed, at: clock.now() }));
    },
    to: (_, removed) => withQuery(subscribersPath, { done: 'subscriber_removed', removed }),
  }),
  form({
    id: 'console.restore_subscriber',
    path: '/api/svc/console/status/subscribers/restore',
    summary: 'Form: undo the removal of a subscriber',
    body: z.object({ removed: z.string().max(1500) }),
    async run({ subscribers, searchTerms, clock }, { removed: sealed }, { by }) {
      const { removed, at } = Removal.parse(JSON.parse(searchTerms.open(sealed) ?? ''));
      if (clock.now() - at > undoMs) throw invalidForm(texts.subscribers.tooLate);
      await subscribers.restore(removed, by);
    },
    to: subscribersPath,
    done: 'subscriber_restored',
  }),
];
