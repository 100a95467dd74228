import { z } from 'zod';
import { roles } from '../../../../lib/access.ts';
import { userOrders } from '../../../../areas/identity/users/queries/list.ts';
import { exportFormat, sendListExport } from '../../list-export.tsx';
import { withQuery } from '../../components/navigation.tsx';
import { doneNotice } from '../../components/notices.tsx';
import { pageLimit } from '../../rate-limits.ts';
import { form } from '../../routes.forms.ts';
import { page } from '../../routes.pages.ts';
import { done, emptyable, find } from '../../schemas.ts';
import { sectionPath } from '../../sections.ts';
import { readPeopleCounts } from '../people-tabs.tsx';
import { texts } from '../texts/en.ts';
import { accountForms, accountPages, factorResetForms } from './routes.accounts.ts';
import { bulkForms } from './routes.bulk.ts';
import { readUserMessages } from './sent-messages.ts';
import { userActivityPage } from './user-activity-page.tsx';
import { userDevicesPage } from './user-devices-page.tsx';
import { userMessagesPage } from './user-messages-page.tsx';
import { userPage } from './user-page.tsx';
import { readOpenResets, readUser, readUserActivity, readUserDevices } from './user-view.ts';
import { userColumns, usersPage, usersPageSize } from './users-page.tsx';

const exportPageSize = 500;
const maxPage = 400;

const role = z.enum(roles);
const disabled = z.enum(['yes', 'no']);
const FindForm = z.object({
  role: role.optional(),
  disabled: disabled.optional(),
  text: z.string().max(200).trim().optional(),
});
const UsersQuery = z.object({
  role: emptyable(role).describe('Users with this role.'),
  disabled: emptyable(disabled).describe('`yes`: only suspended users. `no`: only the others.'),
  find,
  order: z
    .enum(userOrders)
    .default('seen')
    .describe('`seen`: newest sign-in first. `created`: newest account first.'),
  page: z.coerce.number().int().min(1).max(maxPage).default(1).describe('The page, from 1 on.'),
  format: exportFormat,
  done,
});
// Lower case like stored ids, because it is compared with the viewer's id.
const UserParams = z.object({ id: z.uuid().toLowerCase() });
const UserQuery = z.object({
  done,
  about: z.uuid().optional().describe('The device that was changed, for the notice on the page.'),
});

/** Users, with filters, and the pages of each. */
export const userRoutes = [
  page({
    id: 'console.users',
    path: '/api/svc/console/users',
    summary: 'Console: users',
    description:
      'Users, newest sign-in first, with filters, or an export of at most 10,000. For admins ' +
      'on an approved device.',
    query: UsersQuery,
    errors: ['console.search_unreadable'],
    async show(context, { format, done: doneKey, ...query }, { request, reply, signal }) {
      const { users } = context;
      const text = context.searchTerms.open(query.find);
      const isDisabled = query.disabled === undefined ? undefined : query.disabled === 'yes';
      const filters = { text, role: query.role, disabled: isDisabled };
      if (format !== undefined)
        return sendListExport(reply, {
          name: 'users',
          format,
          columns: userColumns,
          readPage: (after) =>
            users.list({ ...filters, cursor: after, limit: exportPageSize }, signal),
        });
      const offset = (query.page - 1) * usersPageSize;
      const slice = { ...filters, order: query.order, offset, limit: usersPageSize };
      const [list, found, totals, counts, resets] = await Promise.all([
        users.slice(slice, signal),
        users.count(filters, signal),
        users.totals(signal),
        readPeopleCounts(context, signal),
        readOpenResets(context, signal),
      ]);
      return usersPage({
        ...{ users: list, found, totals, counts, resets },
        query: { ...query, text },
        viewerId: context.viewerOf(request).userId,
        notice: doneNotice(texts.users.notices, doneKey),
      });
    },
  }),
  form({
    id: 'console.find_users',
    path: '/api/svc/console/users/find',
    summary: 'Form: search users',
    limit: pageLimit,
    body: FindForm,
    run: ({ searchTerms }, { text }) => searchTerms.seal(text),
    to: (input, sealed) =>
      withQuery(sectionPath('users'), { ...input, text: undefined, find: sealed }),
  }),
  page({
    id: 'console.user',
    path: '/api/svc/console/users/:id',
    summary: 'Console: user',
    description:
      'Sign-in methods, roles and 2FA of a user, with pages about sessions, devices, messages ' +
      'and activity. For admins on an approved device.',
    params: UserParams,
    query: UserQuery,
    errors: ['users.not_found'],
    show: async (context, { id, ...query }, { request }) =>
      userPage(await readUser(context, id), context.viewerOf(request), query),
  }),
  page({
    id: 'console.user_devices',
    path: '/api/svc/console/users/:id/devices',
    summary: 'Console: sessions and devices of a user',
    params: UserParams,
    query: UserQuery,
    errors: ['users.not_found'],
    show: async (context, { id, ...query }, { request }) =>
      userDevicesPage(await readUserDevices(context, id), context.viewerOf(request), {
        ...query,
        sessionId: request.session?.id,
      }),
  }),
  page({
    id: 'console.user_messages',
    path: '/api/svc/console/users/:id/messages',
    summary: 'Console: messages to a user',
    params: UserParams,
    errors: ['users.not_found'],
    show: async (context, { id }, { request, signal }) =>
      userMessagesPage(
        await readUserMessages(context, id, signal),
        context.viewerOf(request).userId === id,
      ),
  }),
  page({
    id: 'console.user_activity',
    path: '/api/svc/console/users/:id/activity',
    summary: 'Console: activity of a user',
    params: UserParams,
    errors: ['users.not_found'],
    show: async (context, { id }, { request, signal }) =>
      userActivityPage(
        await readUserActivity(context, id, signal),
        context.viewerOf(request).userId === id,
      ),
  }),
  ...accountPages,
  ...bulkForms,
  ...accountForms,
  ...factorResetForms,
];
