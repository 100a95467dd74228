import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { disconnectSignal } from '../../../../platform/http/requests/requester.ts';
import { roles } from '../../../../lib/access.ts';
import { exportFormat, sendListExport } from '../../list-export.tsx';
import { type ConsoleRoutesOptions, type ConsoleScope, redirectTo } from '../../request-context.ts';
import { page, searchForm } from '../../route-options.ts';
import { cursor, done, emptyable, find } from '../../schemas.ts';
import { sectionPath } from '../../sections.ts';
import { userPage } from './user-page.tsx';
import { readOpenResets, readUser } from './user-view.ts';
import { userColumns, usersPage } from './users-page.tsx';

const pageSize = 50;
const exportPageSize = 500;

const UserFilters = z.object({
  role: emptyable(z.enum(roles)).describe('Users with this role.'),
  disabled: emptyable(z.enum(['yes', 'no'])).describe(
    '`true`: only disabled users. `false`: only enabled users.',
  ),
});
const FindForm = UserFilters.extend({
  text: z
    .string()
    .max(200)
    .trim()
    .default('')
    .describe('Start of a name, email address or phone number, or a full id.'),
});
const UsersQuery = UserFilters.extend({ find, cursor, format: exportFormat });
// Lower case like stored ids, because it is compared with the viewer's id.
const UserParams = z.object({ id: z.uuid().toLowerCase() });
const UserQuery = z.object({
  done,
  about: z.uuid().optional().describe('The device that was changed, for the notice on the page.'),
});

function usersPageRoute(
  app: ConsoleScope,
  { services, searchTerms, send }: ConsoleRoutesOptions,
): void {
  const { users } = services;
  app.get(
    '/api/svc/console/users',
    page('console.users', 'Console: users', {
      description:
        'Users, newest first, with filters, or an export of at most 10,000. For admins ' +
        'on an approved device.',
      querystring: UsersQuery,
      errors: ['console.search_unreadable'],
    }),
    async ({ query }, reply) => {
      const { format, role, disabled } = query;
      const text = searchTerms.open(query.find);
      const signal = disconnectSignal(reply);
      const list = (limit: number, after: string | undefined) =>
        users.list(
          {
            text,
            role,
            disabled: disabled === undefined ? undefined : disabled === 'yes',
            cursor: after,
            limit,
          },
          signal,
        );
      if (format !== undefined)
        return sendListExport(reply, {
          name: 'users',
          format,
          columns: userColumns,
          readPage: (after) => list(exportPageSize, after),
        });
      const { data, next_cursor: next } = await list(pageSize, query.cursor);
      const resets = await readOpenResets(services, signal);
      return send(reply, usersPage({ users: data, next, resets, query: { ...query, text } }));
    },
  );
}

function findUsersRoute(app: ConsoleScope, { searchTerms }: ConsoleRoutesOptions): void {
  app.post(
    '/api/svc/console/users/find',
    searchForm('console.find_users', 'Form: look for people', { body: FindForm }),
    async ({ body: { text, ...filters } }, reply) =>
      redirectTo(reply, sectionPath('users'), { ...filters, find: searchTerms.seal(text) }),
  );
}

function userPageRoute(
  app: ConsoleScope,
  { services, viewerOf, send }: ConsoleRoutesOptions,
): void {
  app.get(
    '/api/svc/console/users/:id',
    page('console.user', 'Console: user', {
      description:
        'Sign-in methods, sessions, devices, roles and activity of a user. For admins on ' +
        'an approved device.',
      params: UserParams,
      querystring: UserQuery,
      errors: ['users.not_found'],
    }),
    async (request, reply) => {
      const view = await readUser(services, request.params.id, disconnectSignal(reply));
      const context = { ...request.query, sessionId: request.session?.id };
      return send(reply, userPage(view, viewerOf(request), context));
    },
  );
}

/** Users, with filters, and the page of each. */
export const userPageRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (app, options) => {
  usersPageRoute(app, options);
  findUsersRoute(app, options);
  userPageRoute(app, options);
};
