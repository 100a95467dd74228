import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { memoizeByObject } from '../../lib/memoize.ts';
import { TokenResponse } from '../../platform/identity/claims-schemas.ts';
import { limit } from '../../platform/http/rate-limit.ts';
import { allowApps } from '../../platform/http/cross-origin.ts';
import { noStore } from '../../platform/http/security.ts';
import type { Audit } from '../audit/service.ts';
import type { Management } from '../blackops/management/management.ts';
import { authErrors } from './errors.ts';
import type { Guards } from './guards.ts';
import {
  AuthStatus,
  EndedView,
  EndSessionsQuery,
  LogoutView,
  RefreshBody,
  SessionList,
  SessionParams,
  SessionUser,
} from './schemas.ts';
import type { KnownDevices } from './known-devices.ts';
import type { Sessions } from './sessions.ts';
import { toSessionUser, toSessionView, toTokenResponse } from './views.ts';

export interface SessionRoutesOptions {
  sessions: Sessions;
  guards: Guards;
  audit: Pick<Audit, 'record'>;
  baseOrigin: string;
  /** How sign-in is set up, as far as a stranger may know. */
  signInMethods: (
    request: FastifyRequest,
  ) => Pick<AuthStatus, 'oauth_configured' | 'dev_bypass' | 'methods'>;
  /** Throws unless the request proves this key (RFC 9449). */
  proveKey: (request: FastifyRequest, jkt: string) => Promise<void>;
  /** Whoever signs out everywhere takes clearance from the own devices. */
  devices: { management: Pick<Management, 'revokeAll'> };
  knownDevices: Pick<KnownDevices, 'issue'>;
  /** What operation ids begin with: the routes exist under two prefixes. */
  operations: string;
}

const tags = ['auth'];

/**
 * `toSessionUser` makes nothing but what the schema declares: nothing has to be checked or left
 * out.
 */
const asItIs = () => memoizeByObject((user: object) => JSON.stringify(user));

/** What anybody may ask: how to sign in, to sign out, and new tokens for old ones. */
export const openSessionRoutes: FastifyPluginAsyncZod<SessionRoutesOptions> = async (
  app,
  options,
) => {
  const { sessions, guards, audit, signInMethods, proveKey, knownDevices, operations } = options;
  noStore(app);
  allowApps(app);

  app.get(
    '/status',
    {
      schema: {
        operationId: `${operations}.status`,
        summary: 'How to sign in',
        description: 'Which ways of signing in are set up, and whether this request is signed in.',
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

  app.post(
    '/logout',
    {
      schema: {
        operationId: `${operations}.logout`,
        summary: 'Sign out',
        description:
          'Ends the session of this request. Without one it changes nothing: the answer is 200 all the same.',
        tags,
        errors: ['auth.csrf_origin'],
        response: { 200: LogoutView },
      },
    },
    async (request, reply) => {
      const principal = await guards.peek(request);
      const hadCookie = guards.hasSessionCookie(request);
      const revoked =
        principal?.kind === 'user' && (await sessions.end(principal.id, principal.sessionId));
      if (principal?.kind === 'user') {
        await audit.record({
          action: 'session.revoked',
          actor: { kind: 'user', id: principal.id },
          target: { kind: 'session', id: principal.sessionId },
          address: request.ip,
          requestId: request.id,
        });
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

  app.post(
    '/token/refresh',
    {
      config: { rateLimit: limit({ max: 150, seconds: 300 }) },
      schema: {
        operationId: `${operations}.refresh`,
        summary: 'Replace tokens',
        description:
          'A refresh token for new tokens (RFC 6749 §6). Within 30 seconds the same token gives the same successors; later its use ends the session. Where the tokens are bound to a key, the request carries a DPoP proof (RFC 9449 §5).',
        tags,
        body: RefreshBody,
        errors: ['auth.invalid_grant', 'blackops.invalid_dpop_proof', 'blackops.use_dpop_nonce'],
        response: { 200: TokenResponse },
      },
    },
    async (request) => {
      const onReuse = ({ userId, sessionId }: { userId: string; sessionId: string }) =>
        audit.record({
          action: 'token.reuse_detected',
          outcome: 'denied',
          actor: { kind: 'user', id: userId },
          target: { kind: 'session', id: sessionId },
          address: request.ip,
          requestId: request.id,
        });
      const tokens = await sessions.refresh(request.body.refresh_token, {
        onReuse,
        prove: (jkt) => proveKey(request, jkt),
      });
      return toTokenResponse(tokens, knownDevices.issue(tokens.user, tokens.sessionId));
    },
  );
};

/** What a person who has signed in may ask of the own sessions. */
export const ownSessionRoutes: FastifyPluginAsyncZod<SessionRoutesOptions> = async (
  app,
  { sessions, guards, audit, devices, operations },
) => {
  noStore(app);
  allowApps(app);
  const note = (
    action: 'session.revoked' | 'session.revoked_all',
    request: FastifyRequest,
    target: { kind: string; id: string },
  ) =>
    audit.record({
      action,
      actor: { kind: 'user', id: guards.sessionOf(request).userId },
      target,
      address: request.ip,
      requestId: request.id,
    });

  const view = memoizeByObject(toSessionUser);
  app.get(
    '/me',
    {
      config: { quiet: true },
      serializerCompiler: asItIs,
      schema: {
        operationId: `${operations}.me`,
        summary: 'Who am I',
        description:
          'The person of the session cookie or the access token, as OpenID Connect claims.',
        tags,
        response: { 200: SessionUser },
      },
    },
    async (request) => view(guards.sessionOf(request)),
  );

  app.get(
    '/sessions',
    {
      schema: {
        operationId: `${operations}.sessions`,
        summary: 'List my sessions',
        description: 'Every session of this person that is still open, newest first.',
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

  app.delete(
    '/sessions',
    {
      schema: {
        operationId: `${operations}.end_sessions`,
        summary: 'End all my sessions',
        description:
          'Signs out everywhere, here too unless `keep_current` is set; without it the own devices are removed too. A sign-in that is under way ends as well.',
        tags,
        querystring: EndSessionsQuery,
        response: { 200: EndedView },
      },
    },
    async (request) => {
      const { userId, id } = guards.sessionOf(request);
      const ended = await sessions.endAll(userId, request.query.keep_current ? id : undefined);
      if (!request.query.keep_current)
        await devices.management.revokeAll(
          userId,
          { actor: { kind: 'user', id: userId }, address: request.ip, requestId: request.id },
          'signed_out_everywhere',
        );
      await note('session.revoked_all', request, { kind: 'user', id: userId });
      return { ok: true as const, ended };
    },
  );

  app.delete(
    '/sessions/:id',
    {
      schema: {
        operationId: `${operations}.end_session`,
        summary: 'End one of my sessions',
        description: 'Its tokens or cookie stop working at once.',
        tags,
        params: SessionParams,
        errors: ['auth.session_not_found'],
        response: { 200: EndedView },
      },
    },
    async (request) => {
      const ended = await sessions.end(guards.sessionOf(request).userId, request.params.id);
      if (!ended) throw authErrors.session_not_found();
      await note('session.revoked', request, { kind: 'session', id: request.params.id });
      return { ok: true as const, ended: 1 };
    },
  );
};
