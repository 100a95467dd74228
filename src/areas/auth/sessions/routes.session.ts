import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { memoizeByObject } from '../../../lib/memoize.ts';
import { allowApps } from '../../../platform/http/cross-origin.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { noStore } from '../../../platform/http/security.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { TokenResponse } from '../../../platform/identity/claims-schemas.ts';
import type { Audit } from '../../audit/service.ts';
import type { Management } from '../../blackops/management/management.ts';
import { authErrors } from '../errors.ts';
import type { Guards } from '../guards.ts';
import type { KnownDevices } from '../known-devices.ts';
import {
  AuthStatus,
  EndedView,
  EndSessionsQuery,
  LogoutView,
  RefreshBody,
  SessionList,
  SessionParams,
  SessionUser,
} from '../schemas.ts';
import type { Sessions } from './sessions.ts';
import { toSessionUser, toSessionView, toTokenResponse } from '../views.ts';

export interface SessionRoutesOptions {
  sessions: Sessions;
  guards: Guards;
  audit: Pick<Audit, 'record'>;
  baseOrigin: string;
  /** The part of the sign-in configuration that is public. */
  signInMethods: (
    request: FastifyRequest,
  ) => Pick<AuthStatus, 'oauth_configured' | 'dev_bypass' | 'methods'>;
  /** Throws unless the request proves possession of this key (RFC 9449). */
  proveKey: (request: FastifyRequest, jkt: string) => Promise<void>;
  devices: { management: Pick<Management, 'revokeAll'> };
  knownDevices: Pick<KnownDevices, 'issue'>;
  /** Maps an operation id to that of the mount's prefix. */
  operationId: (id: string) => string;
}

const tags = ['auth'];

/** Actor and target of an audit entry about a session. */
const sessionEntry = (request: FastifyRequest, userId: string, sessionId: string) => ({
  ...requestActor(request),
  actor: { kind: 'user' as const, id: userId },
  target: { kind: 'session', id: sessionId },
});

function statusRoute(
  app: ZodApp,
  { guards, signInMethods, operationId }: SessionRoutesOptions,
): void {
  app.get(
    '/status',
    {
      schema: {
        operationId: operationId('auth.status'),
        summary: 'Get the sign-in methods',
        description: 'The configured sign-in methods, and whether this request is signed in.',
        tags,
        response: { 200: AuthStatus },
      },
    },
    async (request) => {
      const principal = await guards.peek(request);
      return {
        ...signInMethods(request),
        provider: 'idp' as const,
        login_url: '/login',
        authenticated: principal !== undefined,
      };
    },
  );
}

function logoutRoute(
  app: ZodApp,
  { sessions, guards, audit, operationId }: SessionRoutesOptions,
): void {
  app.post(
    '/logout',
    {
      schema: {
        operationId: operationId('auth.logout'),
        summary: 'Sign out',
        description:
          'Ends the current session. Without a session it has no effect and still returns 200.',
        tags,
        errors: ['auth.csrf_origin'],
        response: { 200: LogoutView },
      },
    },
    async (request, reply) => {
      const principal = await guards.peek(request);
      const hadCookie = guards.hasSessionCookie(request);
      let revoked = false;
      if (principal?.kind === 'user') {
        const { id, sessionId } = principal;
        revoked = await sessions.end(id, sessionId);
        await audit.record({ action: 'session.revoked', ...sessionEntry(request, id, sessionId) });
      }
      if (hadCookie) void reply.header('set-cookie', guards.clearedSessionCookies);
      return {
        ok: true as const,
        logged_out: true,
        session_revoked: revoked,
        cookie_cleared: hadCookie,
      };
    },
  );
}

function refreshRoute(
  app: ZodApp,
  { sessions, audit, proveKey, knownDevices, operationId }: SessionRoutesOptions,
): void {
  app.post(
    '/token/refresh',
    {
      config: { rateLimit: limit({ max: 150, seconds: 300 }) },
      schema: {
        operationId: operationId('auth.refresh_tokens'),
        summary: 'Refresh tokens',
        description:
          'Exchanges a refresh token for new tokens (RFC 6749 §6). For 30 seconds, the ' +
          'same refresh token returns the same new tokens; using it later ends the ' +
          'session. Tokens bound to a key need a DPoP proof (RFC 9449 §5).',
        tags,
        body: RefreshBody,
        errors: ['auth.invalid_grant', 'blackops.invalid_dpop_proof', 'blackops.use_dpop_nonce'],
        response: { 200: TokenResponse },
      },
    },
    async (request) => {
      const tokens = await sessions.refresh(request.body.refresh_token, {
        onReuse: ({ userId, sessionId }) =>
          audit.record({
            action: 'token.reuse_detected',
            outcome: 'denied',
            ...sessionEntry(request, userId, sessionId),
          }),
        prove: (jkt) => proveKey(request, jkt),
      });
      return toTokenResponse(tokens, knownDevices.issue(tokens.user, tokens.sessionId));
    },
  );
}

function meRoute(app: ZodApp, { guards, operationId }: SessionRoutesOptions): void {
  const view = memoizeByObject(toSessionUser);

  app.get(
    '/me',
    {
      config: { quiet: true },
      // `toSessionUser` returns exactly what the schema declares, so it is not checked again.
      serializerCompiler: () => memoizeByObject((user: object) => JSON.stringify(user)),
      schema: {
        operationId: operationId('auth.me'),
        summary: 'Get the current user',
        description: 'The user of the session or access token, as OpenID Connect claims.',
        tags,
        response: { 200: SessionUser },
      },
    },
    async (request) => view(guards.sessionOf(request)),
  );
}

function listRoute(app: ZodApp, { sessions, guards, operationId }: SessionRoutesOptions): void {
  app.get(
    '/sessions',
    {
      schema: {
        operationId: operationId('auth.list_sessions'),
        summary: 'List your sessions',
        description: 'All active sessions of the current user, newest first.',
        tags,
        response: { 200: SessionList },
      },
    },
    async (request) => {
      const current = guards.sessionOf(request);
      const all = await sessions.list(current.userId);
      return { data: all.map((session) => toSessionView(session, current.id)), total: all.length };
    },
  );
}

function endAllRoute(
  app: ZodApp,
  { sessions, guards, audit, devices, operationId }: SessionRoutesOptions,
): void {
  app.delete(
    '/sessions',
    {
      schema: {
        operationId: operationId('auth.end_sessions'),
        summary: 'End all your sessions',
        description:
          'Signs you out everywhere and removes your devices. With `keep_current`, ' +
          'this session and the devices stay. Pending sign-ins end as well.',
        tags,
        querystring: EndSessionsQuery,
        response: { 200: EndedView },
      },
    },
    async (request) => {
      const { userId, id } = guards.sessionOf(request);
      const { keep_current: keepsCurrent } = request.query;
      const by = requestActor(request);
      const ended = await sessions.endAll(userId, keepsCurrent ? id : undefined);
      if (!keepsCurrent) await devices.management.revokeAll(userId, by, 'signed_out_everywhere');
      const target = { kind: 'user', id: userId };
      await audit.record({ action: 'session.revoked_all', ...by, target });
      return { ok: true as const, ended };
    },
  );
}

function endRoute(
  app: ZodApp,
  { sessions, guards, audit, operationId }: SessionRoutesOptions,
): void {
  app.delete(
    '/sessions/:id',
    {
      schema: {
        operationId: operationId('auth.end_session'),
        summary: 'End one of your sessions',
        description: 'Its tokens or cookie stop working immediately.',
        tags,
        params: SessionParams,
        errors: ['auth.session_not_found'],
        response: { 200: EndedView },
      },
    },
    async (request) => {
      const { userId } = guards.sessionOf(request);
      const { id } = request.params;
      if (!(await sessions.end(userId, id))) throw authErrors.session_not_found();
      await audit.record({ action: 'session.revoked', ...sessionEntry(request, userId, id) });
      return { ok: true as const, ended: 1 };
    },
  );
}

/** Public routes: sign-in methods, signing out, refreshing tokens. */
export const openSessionRoutes: FastifyPluginAsyncZod<SessionRoutesOptions> = async (
  app,
  options,
) => {
  noStore(app);
  allowApps(app);
  statusRoute(app, options);
  logoutRoute(app, options);
  refreshRoute(app, options);
};

/** The sessions of the signed-in user. */
export const ownSessionRoutes: FastifyPluginAsyncZod<SessionRoutesOptions> = async (
  app,
  options,
) => {
  noStore(app);
  allowApps(app);
  meRoute(app, options);
  listRoute(app, options);
  endAllRoute(app, options);
  endRoute(app, options);
};
