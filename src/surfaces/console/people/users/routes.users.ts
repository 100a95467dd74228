import { z } from 'zod';
import { roles } from '../../../../lib/access.ts';
import { exportFormat, sendListExport } from '../../list-export.tsx';
import { withQuery } from '../../components/navigation.tsx';
import { pageLimit } from '../../rate-limits.ts';
import { form } from '../../routes.forms.ts';
import { page } from '../../routes.pages.ts';
import { cursor, done, emptyable, find } from '../../schemas.ts';
import { sectionPath } from '../../sections.ts';
import { accountForms, factorResetForms } from './routes.accounts.ts';
import { userPage } from './user-page.tsx';
import { readOpenResets, readUser } from './user-view.ts';
import { userColumns, usersPage } from './users-page.tsx';

const pageSize = 50;
const exportPageSize = 500;

const role = z.enum(roles);
const disabled = z.enum(['yes', 'no']);
const FindForm = z.object({
  role: role.optional(),
  disabled: disabled.optional(),
  /** Start of a name, email address or phone number, or a full id. */
  text: z.string().max(200).trim().optional(),
});
const UsersQuery = z.object({
  role: emptyable(role).describe('Users with this role.'),
  disabled: emptyable(disabled).describe(
    '`true`: only disabled users. `false`: only enabled users.',
  ),
  find,
  cursor,
  format: exportFormat,
});
// Lower case like stored ids, because it is compared with the viewer's id.
const UserParams = z.object({ id: z.uuid().toLowerCase() });
const UserQuery = z.object({
  done,
  about: z.uuid().optional().describe('The device that was changed, for the notice on the page.'),
});

/** Users, with filters, and the page of each. */
export const userRoutes = [
  page({
    id: 'console.users',
    path: '/api/svc/console/users',
    summary: 'Console: users',
    description:
      'Users, newest first, with filters, or an export of at most 10,000. For admins ' +
      'on an approved device.',
    query: UsersQuery,
    errors: ['console.search_unreadable'],
    async show(context, { format, ...query }, { reply, signal }) {
      const text = context.searchTerms.open(query.find);
      const isDisabled = query.disabled === undefined ? undefined : query.disabled === 'yes';
      const filters = { text, role: query.role, disabled: isDisabled };
      const list = (limit: number, cursor: string | undefined) =>
        context.users.list({ ...filters, cursor, limit }, signal);
      if (format !== undefined)
        return sendListExport(reply, {
          name: 'users',
          format,
          columns: userColumns,
          readPage: (after) => list(exportPageSize, after),
        });
      const { data, next_cursor: next } = await list(pageSize, query.cursor);
      const resets = await readOpenResets(context, signal);
      return usersPage({ users: data, next, resets, query: { ...query, text } });
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
      'Sign-in methods, sessions, devices, roles and activity of a user. For admins on ' +
      'an approved device.',
    params: UserParams,
    query: UserQuery,
    errors: ['users.not_found'],
    async show(context, { id, ...query }, { request, signal }) {
      const view = await readUser(context, id, signal);
      return userPage(view, context.viewerOf(request), {
        ...query,
        sessionId: request.session?.id,
      });
    },
  }),
  ...accountForms,
  ...factorResetForms,
];
