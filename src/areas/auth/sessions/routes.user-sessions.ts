import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { noStore } from '../../../platform/http/security.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import { authErrors } from '../errors.ts';
import { EndedView, SessionList, UserParams, UserSessionParams } from '../schemas.ts';
import { toSessionView } from '../views.ts';
import type { SessionAdmin } from './session-admin.ts';

export interface UserSessionRoutesOptions {
  sessionAdmin: SessionAdmin;
}

const tags = ['users'];
const config = { rateLimit: limit({ max: 120, seconds: 60, group: 'session-admin' }) };
const freshSignIn = 'A signed-in admin needs a sign-in within the last five minutes.';

function listRoute(app: ZodApp, { sessionAdmin }: UserSessionRoutesOptions): void {
  app.get(
    '/api/v1/users/:id/sessions',
    {
      config,
      schema: {
        operationId: 'users.list_sessions',
        summary: 'List the sessions of a user',
        description: 'All active sessions of the user, newest first: at most ten.',
        tags,
        params: UserParams,
        errors: ['users.not_found'],
        response: { 200: SessionList },
      },
    },
    async ({ params, principal }) => {
      const current = principal?.kind === 'user' ? principal.sessionId : undefined;
      const all = await sessionAdmin.listOf(params.id);
      const data = all.map((session) => toSessionView(session, current));
      return { data, total: data.length };
    },
  );
}

function endAllRoute(app: ZodApp, { sessionAdmin }: UserSessionRoutesOptions): void {
  app.delete(
    '/api/v1/users/:id/sessions',
    {
      config,
      schema: {
        operationId: 'users.end_sessions',
        summary: 'End all sessions of a user',
        description:
          `Signs the user out everywhere, and ends sign-ins under way. Devices stay approved. ` +
          freshSignIn,
        tags,
        params: UserParams,
        errors: ['users.not_found'],
        response: { 200: EndedView },
      },
    },
    async (request) => {
      const ended = await sessionAdmin.endAll(request.params.id, requestActor(request));
      return { ok: true as const, ended };
    },
  );
}

function endRoute(app: ZodApp, { sessionAdmin }: UserSessionRoutesOptions): void {
  app.delete(
    '/api/v1/users/:id/sessions/:session_id',
    {
      config,
      schema: {
        operationId: 'users.end_session',
        summary: 'End a session of a user',
        description: `Its tokens or cookie stop working immediately. ${freshSignIn}`,
        tags,
        params: UserSessionParams,
        errors: ['auth.session_not_found'],
        response: { 200: EndedView },
      },
    },
    async (request) => {
      const { id, session_id: sessionId } = request.params;
      if (!(await sessionAdmin.end(id, sessionId, requestActor(request))))
        throw authErrors.session_not_found();
      return { ok: true as const, ended: 1 };
    },
  );
}

/** The sessions of one user, for admins. In a scope that wants a fresh sign-in for changes. */
export const userSessionRoutes: FastifyPluginAsyncZod<UserSessionRoutesOptions> = async (
  app,
  options,
) => {
  noStore(app);
  listRoute(app, options);
  endAllRoute(app, options);
  endRoute(app, options);
};
