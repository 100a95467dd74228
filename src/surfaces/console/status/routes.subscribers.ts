import { z } from 'zod';
import { withQuery } from '../components/navigation.tsx';
import { pageLimit } from '../rate-limits.ts';
import { form } from '../routes.forms.ts';
import { page } from '../routes.pages.ts';
import { cursor, done, find } from '../schemas.ts';
import { doneNotice } from '../components/notices.tsx';
import { texts } from './texts/en.ts';
import { subscribersPage, subscribersPath } from './subscribers-page.tsx';

const pageSize = 25;

/** Subscribers to status updates by email. */
export const subscriberRoutes = [
  page({
    id: 'console.subscribers',
    path: '/api/svc/console/status/subscribers',
    summary: 'Console: status subscribers',
    query: z.object({ done, find, cursor }),
    async show({ subscribers, searchTerms }, { cursor: after, ...query }, { signal }) {
      const email = searchTerms.open(query.find);
      const list = await subscribers.list({ limit: pageSize, cursor: after, email }, signal);
      const view = { page: list, email, find: query.find, isFirst: after === undefined };
      return subscribersPage(view, doneNotice(texts.notices, query.done));
    },
  }),
  form({
    id: 'console.find_subscribers',
    path: '/api/svc/console/status/subscribers/find',
    summary: 'Form: search subscribers by address',
    limit: pageLimit,
    body: z.object({ email: z.string().trim().max(320).default('') }),
    run: ({ searchTerms }, { email }) => searchTerms.seal(email),
    to: (_, find) => withQuery(subscribersPath, { find }),
  }),
  form({
    id: 'console.delete_subscriber',
    path: '/api/svc/console/status/subscribers/remove',
    summary: 'Form: remove a subscriber',
    body: z.object({ id: z.uuid() }),
    run: ({ subscribers }, { id }, { by }) => subscribers.delete(id, by),
    to: subscribersPath,
    done: 'subscriber_removed',
  }),
];
