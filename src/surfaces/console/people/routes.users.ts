import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type Role, roles } from '../../../lib/access.ts';
import { leadsOn, sendPage } from '../../../platform/ui/page-scope.ts';
import { disconnectSignal } from '../../../platform/http/requester.ts';
import type { ListedUser, User } from '../../../areas/users/store.ts';
import type { UserPage } from '../../../areas/users/service.ts';
import { formLimit, FormValues, requireWord } from '../form-values.ts';
import { exportFormat, exportList } from '../list-export.ts';
import { changes, looks } from '../limits.ts';
import { withQuery } from '../parts.ts';
import { userPlace, wordOf } from './people-words.ts';
import { asFile } from '../analytics/routes.analytics.ts';
import type { ConsoleRoutesOptions } from '../operations/routes.overview.ts';
import { done, find, HtmlPage, orNone } from '../schemas.ts';
import { placeOf } from '../sections.ts';
import { userPage, type UserView } from './user-page.ts';
import { userColumns, usersPage, type UsersQuery } from './users-page.ts';
import type { AuditActor } from '../../../areas/audit/service.ts';

/** People, and what admins do to them. Each change is written to the audit log. */
export interface PeopleSource {
  list: (query: UsersQuery & { limit: number }, signal: AbortSignal) => Promise<UserPage>;
  /** Throws `users.not_found`. */
  view: (id: string, signal: AbortSignal) => Promise<UserView>;
  /** Throws `users.not_found`. */
  get: (id: string) => Promise<User>;
  /** Ends a session; one that has ended already is no mistake. */
  endSession: (id: string, sessionId: string, by: AuditActor) => Promise<void>;
  endSessions: (id: string, by: AuditActor) => Promise<void>;
  giveRole: (id: string, role: Role, by: AuditActor) => Promise<unknown>;
  /** Throws `users.own_account`. */
  takeRole: (id: string, role: Role, by: AuditActor) => Promise<unknown>;
  /** Throws `users.own_account`. */
  disable: (id: string, by: AuditActor) => Promise<unknown>;
  enable: (id: string, by: AuditActor) => Promise<unknown>;
}

export interface PeopleRoutesOptions extends ConsoleRoutesOptions {
  people: PeopleSource;
  /** Throws `auth.step_up_required` unless the person has signed in within the last five minutes. */
  requireFresh: (request: FastifyRequest) => void;
}

type Routes = Parameters<FastifyPluginAsyncZod<PeopleRoutesOptions>>[0];

const UsersFilters = z.object({
  role: orNone(z.enum(roles)).describe('Who has this role.'),
  disabled: orNone(z.enum(['yes', 'no'])).describe('Who is shut out, or is not.'),
});
const FindForm = UsersFilters.extend({
  text: z
    .string()
    .max(200)
    .trim()
    .default('')
    .describe('What a name, an address or a number begins with; or a whole id.'),
});
const UsersParams = UsersFilters.extend({
  find,
  cursor: z.uuid().optional().describe('Where the page before ended.'),
  format: exportFormat,
});
// As ids are stored: it is compared with the own one.
const UserParams = z.object({ id: z.uuid().toLowerCase() });
const UserQuery = z.object({
  done,
  about: z.uuid().optional().describe('The device that `done` is about.'),
});
const SessionForm = z.object({ session: z.string().max(64) });
const RoleForm = FormValues.and(z.object({ role: z.enum(roles) }));

const tags = ['pages'];
const perPage = 50;
const perExport = 500;
const leads = leadsOn(
  'Nobody is signed in, or the device is not cleared: to where that is solved.',
);
const form = (operationId: string, summary: string) => ({
  operationId,
  summary,
  tags,
  hide: true,
  params: UserParams,
});
const back = (reply: FastifyReply, id: string, what: string): FastifyReply =>
  reply.redirect(withQuery(userPlace(id), { done: what }), 303);

function sessionForms(app: Routes, { viewerOf, people }: PeopleRoutesOptions): void {
  const options = { ...formLimit, config: changes };

  app.post(
    '/:id/sessions/end',
    {
      ...options,
      schema: {
        ...form('console.end_session', 'Form: end a session of a person'),
        body: SessionForm,
      },
    },
    async (request, reply) => {
      await people.endSession(request.params.id, request.body.session, viewerOf(request).by);
      return back(reply, request.params.id, 'session_ended');
    },
  );

  app.post(
    '/:id/sessions/end-all',
    { ...options, schema: form('console.end_sessions', 'Form: end all sessions of a person') },
    async (request, reply) => {
      await people.endSessions(request.params.id, viewerOf(request).by);
      return back(reply, request.params.id, 'sessions_ended');
    },
  );
}

function roleForms(app: Routes, { viewerOf, people, requireFresh }: PeopleRoutesOptions): void {
  const options = { ...formLimit, config: changes };

  app.post(
    '/:id/roles/give',
    {
      ...options,
      schema: { ...form('console.give_role', 'Form: give a person a role'), body: RoleForm },
    },
    async (request, reply) => {
      requireFresh(request);
      const { role } = request.body;
      await people.giveRole(request.params.id, role, viewerOf(request).by);
      return back(reply, request.params.id, `${role}_given`);
    },
  );

  app.post(
    '/:id/roles/take',
    {
      ...options,
      schema: { ...form('console.take_role', 'Form: take a role from a person'), body: RoleForm },
    },
    async (request, reply) => {
      requireFresh(request);
      const { id } = request.params;
      const { role } = request.body;
      if (role === 'admin') requireWord(request.body, wordOf(await people.get(id)));
      await people.takeRole(id, role, viewerOf(request).by);
      return back(reply, id, `${role}_taken`);
    },
  );
}

function accountForms(app: Routes, { viewerOf, people, requireFresh }: PeopleRoutesOptions): void {
  const options = { ...formLimit, config: changes };

  app.post(
    '/:id/disable',
    {
      ...options,
      schema: { ...form('console.disable_user', 'Form: shut a person out'), body: FormValues },
    },
    async (request, reply) => {
      requireFresh(request);
      const { id } = request.params;
      requireWord(request.body, wordOf(await people.get(id)));
      await people.disable(id, viewerOf(request).by);
      return back(reply, id, 'disabled');
    },
  );

  app.post(
    '/:id/enable',
    { ...options, schema: form('console.enable_user', 'Form: let a person in again') },
    async (request, reply) => {
      requireFresh(request);
      await people.enable(request.params.id, viewerOf(request).by);
      return back(reply, request.params.id, 'enabled');
    },
  );
}

/** Who there is, and what may be done to each. */
export const userRoutes: FastifyPluginAsyncZod<PeopleRoutesOptions> = async (app, options) => {
  const { consoleLayout, viewerOf, people, words } = options;

  app.get(
    '/',
    {
      config: looks,
      schema: {
        operationId: 'console.users',
        summary: 'The console: users',
        description:
          'Who there is, newest first, with filters; or a file of at most 10,000 of them. For admins on a cleared device.',
        tags,
        querystring: UsersParams,
        errors: ['console.search_unreadable'],
        response: { 200: HtmlPage, ...leads },
      },
    },
    async (request, reply) => {
      const { format, cursor, find, ...plain } = request.query;
      const filters = { ...plain, text: words.open(find) };
      const gone = disconnectSignal(reply);
      if (format !== undefined) {
        const { name, type, body } = await exportList<ListedUser>({
          name: 'users',
          format,
          columns: userColumns,
          ask: (after) => people.list({ ...filters, cursor: after, limit: perExport }, gone),
        });
        return asFile(reply, name).type(type).send(body);
      }
      const { data, next_cursor: next } = await people.list(
        { ...filters, cursor, limit: perPage },
        gone,
      );
      return sendPage(
        reply,
        consoleLayout(
          usersPage({ users: data, next, query: { ...filters, find, cursor } }),
          viewerOf(request),
        ),
      );
    },
  );

  app.post(
    '/find',
    {
      ...formLimit,
      config: looks,
      schema: {
        operationId: 'console.find_users',
        summary: 'Form: look for people',
        tags,
        hide: true,
        body: FindForm,
      },
    },
    async (request, reply) => {
      const { text, ...plain } = request.body;
      return reply.redirect(withQuery(placeOf('users'), { ...plain, find: words.seal(text) }), 303);
    },
  );

  app.get(
    '/:id',
    {
      config: looks,
      schema: {
        operationId: 'console.user',
        summary: 'The console: one user',
        description:
          'How a person signs in, sessions, devices, roles, and what was done to them. For admins on a cleared device.',
        tags,
        params: UserParams,
        querystring: UserQuery,
        errors: ['users.not_found'],
        response: { 200: HtmlPage, ...leads },
      },
    },
    async (request, reply) => {
      const viewer = viewerOf(request);
      return sendPage(
        reply,
        consoleLayout(
          userPage(await people.view(request.params.id, disconnectSignal(reply)), viewer, {
            ...request.query,
            sessionId: request.session?.id,
          }),
          viewer,
        ),
      );
    },
  );

  sessionForms(app, options);
  roleForms(app, options);
  accountForms(app, options);
};
