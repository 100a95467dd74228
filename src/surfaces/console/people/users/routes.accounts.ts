import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requestActor } from '../../../../platform/http/requests/request-actor.ts';
import { roles } from '../../../../lib/access.ts';
import { FormValues, requireWord } from '../../forms.ts';
import { type ConsoleRoutesOptions, type ConsoleScope, redirectTo } from '../../request-context.ts';
import { form } from '../../route-options.ts';
import { userPath, confirmationOf } from '../labels.tsx';

// Lower case like stored ids, because it is compared with the actor's id.
const UserParams = z.object({ id: z.uuid().toLowerCase() });
const SessionForm = z.object({ session: z.string().max(64) });
const RoleForm = FormValues.and(z.object({ role: z.enum(roles) }));

const redirectToUser = (reply: FastifyReply, id: string, done: string): FastifyReply =>
  redirectTo(reply, userPath(id), { done });

function endSessionRoute(
  app: ConsoleScope,
  { services: { sessionAdmin } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/users/:id/sessions/end',
    form('console.end_session', 'Form: end a session of a person', {
      params: UserParams,
      body: SessionForm,
    }),
    async (request, reply) => {
      const { id: userId } = request.params;
      const sessionId = request.body.session;
      await sessionAdmin.end(userId, sessionId, requestActor(request));
      return redirectToUser(reply, userId, 'session_ended');
    },
  );
}

function endAllSessionsRoute(
  app: ConsoleScope,
  { services: { sessionAdmin } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/users/:id/sessions/end-all',
    form('console.end_all_sessions', 'Form: end all sessions of a person', { params: UserParams }),
    async (request, reply) => {
      await sessionAdmin.endAll(request.params.id, requestActor(request));
      return redirectToUser(reply, request.params.id, 'sessions_ended');
    },
  );
}

function giveRoleRoute(
  app: ConsoleScope,
  { services: { guards, users, userAdmin } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/users/:id/roles/give',
    form('console.give_role', 'Form: give a person a role', {
      params: UserParams,
      body: RoleForm,
    }),
    async (request, reply) => {
      guards.requireFresh(request);
      const { id } = request.params;
      const { role } = request.body;
      if (role === 'admin') requireWord(request.body, confirmationOf(await users.get(id)));
      await userAdmin.giveRole(id, role, requestActor(request));
      return redirectToUser(reply, id, `${role}_given`);
    },
  );
}

function takeRoleRoute(
  app: ConsoleScope,
  { services: { guards, users, userAdmin } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/users/:id/roles/take',
    form('console.take_role', 'Form: take a role from a person', {
      params: UserParams,
      body: RoleForm,
    }),
    async (request, reply) => {
      guards.requireFresh(request);
      const { id } = request.params;
      const { role } = request.body;
      if (role === 'admin') requireWord(request.body, confirmationOf(await users.get(id)));
      await userAdmin.takeRole(id, role, requestActor(request));
      return redirectToUser(reply, id, `${role}_taken`);
    },
  );
}

function disableUserRoute(
  app: ConsoleScope,
  { services: { guards, users, userAdmin } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/users/:id/disable',
    form('console.disable_user', 'Form: shut a person out', {
      params: UserParams,
      body: FormValues,
    }),
    async (request, reply) => {
      guards.requireFresh(request);
      const { id } = request.params;
      requireWord(request.body, confirmationOf(await users.get(id)));
      await userAdmin.disable(id, requestActor(request));
      return redirectToUser(reply, id, 'disabled');
    },
  );
}

function enableUserRoute(
  app: ConsoleScope,
  { services: { guards, userAdmin } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/users/:id/enable',
    form('console.enable_user', 'Form: let a person in again', { params: UserParams }),
    async (request, reply) => {
      guards.requireFresh(request);
      await userAdmin.enable(request.params.id, requestActor(request));
      return redirectToUser(reply, request.params.id, 'enabled');
    },
  );
}

/** Forms for sessions, roles and accounts. Changes to an account need a fresh sign-in. */
export const accountFormRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (
  app,
  options,
) => {
  endSessionRoute(app, options);
  endAllSessionsRoute(app, options);
  giveRoleRoute(app, options);
  takeRoleRoute(app, options);
  disableUserRoute(app, options);
  enableUserRoute(app, options);
};
