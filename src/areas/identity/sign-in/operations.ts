import { memoizeByObject } from '../../../lib/memoize.ts';
import type { Development } from '../../../platform/http/development.ts';
import { userActor } from '../../../platform/http/requests/request-actor.ts';
import { TokenResponse } from '../claims-schemas.ts';
import type { HttpCall } from '../../../platform/operations/call.ts';
import { limited, unlimited } from '../../../platform/operations/limits.ts';
import { operationsOf } from '../../../platform/operations/operation.ts';
import { withShortPath } from '../../../platform/operations/short-path.ts';
import type { Audit } from '../../audit/service.ts';
import type { Management } from '../devices/management/service.ts';
import type { Comms } from '../../comms/compose.ts';
import { authErrors } from '../sessions/errors.ts';
import type { Guards } from '../sessions/guards.ts';
import type { KnownDevices } from '../sessions/known-devices.ts';
import {
  AuthStatus,
  EndedSessionsView,
  EndSessionsQuery,
  LogoutView,
  RefreshBody,
  SessionList,
  SessionParams,
  SessionUser,
  UserParams,
  UserSessionParams,
} from './schemas.ts';
import { toSessionUser, toSessionView, toTokenResponse } from './views.ts';
import type { SessionAdmin } from '../sessions/admin.ts';
import type { Sessions } from '../sessions/service.ts';

type Request = HttpCall['request'];

export interface AuthContext {
  sessions: Sessions;
  sessionAdmin: SessionAdmin;
  guards: Guards;
  audit: Pick<Audit, 'record'>;
  knownDevices: Pick<KnownDevices, 'issue'>;
  devices: { management: Pick<Management, 'revokeAll'> };
  /** Throws unless the request proves possession of this key (RFC 9449). */
  proveKey: (request: Request, jkt: string) => Promise<void>;
  idp: { isConfigured: boolean };
  channels: Comms['channels'];
  mayBypass: Development['allows'];
}

const methodsOf = ({ idp, channels }: AuthContext): AuthStatus['methods'] => [
  ...(idp.isConfigured ? ['idp' as const] : []),
  ...(channels.sms ? ['otp_sms' as const] : []),
  ...(channels.email ? ['otp_email' as const] : []),
];

const common = { tag: 'auth', allowsApps: true, limit: unlimited };
const openOperation = operationsOf<AuthContext>({ ...common, scope: 'public' });

const openOperations = [
  openOperation({
    id: 'auth.status',
    path: 'GET /api/auth/status',
    summary: 'Get the sign-in methods',
    description: 'The configured sign-in methods, and whether this request is signed in.',
    output: AuthStatus,
    async run(context, _input, { request }) {
      const principal = await context.guards.peek(request);
      return {
        oauth_configured: context.idp.isConfigured,
        dev_bypass: context.mayBypass(request),
        methods: methodsOf(context),
        provider: 'idp' as const,
        login_url: '/login',
        authenticated: principal !== undefined,
      };
    },
  }),
  openOperation({
    id: 'auth.logout',
    path: 'POST /api/auth/logout',
    summary: 'Sign out',
    description:
      'Ends the current session. Without a session it has no effect and still returns 200.',
    output: LogoutView,
    errors: ['auth.csrf_origin'],
    async run({ guards, sessions }, _input, { request, reply, by }) {
      const principal = await guards.peek(request);
      const hadCookie = guards.hasSessionCookie(request);
      const revoked =
        principal?.kind === 'user' &&
        (await sessions.endOwn(principal.id, principal.sessionId, by));
      if (hadCookie) void reply.header('set-cookie', guards.clearedSessionCookies);
      return {
        ok: true as const,
        logged_out: true,
        session_revoked: revoked,
        cookie_cleared: hadCookie,
      };
    },
  }),
  openOperation({
    id: 'auth.refresh_tokens',
    path: 'POST /api/auth/token/refresh',
    summary: 'Refresh tokens',
    description:
      'Exchanges a refresh token for new tokens (RFC 6749 §6). For 30 seconds, the ' +
      'same refresh token returns the same new tokens; using it later ends the ' +
      'session. Tokens bound to a key need a DPoP proof (RFC 9449 §5).',
    limit: limited({ max: 150, seconds: 300 }),
    body: RefreshBody,
    output: TokenResponse,
    errors: ['auth.invalid_grant', 'blackops.invalid_dpop_proof', 'blackops.use_dpop_nonce'],
    async run(context, { refresh_token: token }, { request, by }) {
      const { sessions, audit, proveKey, knownDevices } = context;
      const tokens = await sessions.refresh(token, {
        onReuse: ({ userId, sessionId }) =>
          audit.record({
            ...userActor(userId, by),
            action: 'token.reuse_detected',
            outcome: 'denied',
            target: { kind: 'session', id: sessionId },
          }),
        prove: (jkt) => proveKey(request, jkt),
      });
      return toTokenResponse(tokens, knownDevices.issue(tokens.user, tokens.sessionId));
    },
  }),
];

const ownOperation = operationsOf<AuthContext>({ ...common, scope: 'signedIn' });
const userView = memoizeByObject(toSessionUser);

const ownOperations = [
  ownOperation({
    id: 'auth.me',
    path: 'GET /api/auth/me',
    summary: 'Get the current user',
    description: 'The user of the session or access token, as OpenID Connect claims.',
    output: SessionUser,
    config: { quiet: true },
    // `toSessionUser` returns exactly what the schema declares, so it is not checked again.
    route: { serializerCompiler: () => memoizeByObject((user: object) => JSON.stringify(user)) },
    run: ({ guards }, _input, { request }) => userView(guards.sessionOf(request)),
  }),
  ownOperation({
    id: 'auth.list_sessions',
    path: 'GET /api/auth/sessions',
    summary: 'List your sessions',
    description: 'All active sessions of the current user, newest first.',
    output: SessionList,
    async run({ guards, sessions }, _input, { request }) {
      const current = guards.sessionOf(request);
      const all = await sessions.list(current.userId);
      return { data: all.map((session) => toSessionView(session, current.id)), total: all.length };
    },
  }),
  ownOperation({
    id: 'auth.end_sessions',
    path: 'DELETE /api/auth/sessions',
    summary: 'End all your sessions',
    description:
      'Signs you out everywhere and removes your devices. With `keep_current`, ' +
      'this session and the devices stay. Pending sign-ins end as well.',
    query: EndSessionsQuery,
    output: EndedSessionsView,
    async run(context, { keep_current: keepsCurrent }, { request, by }) {
      const { guards, sessions, devices } = context;
      const { userId, id } = guards.sessionOf(request);
      const ended = await sessions.endAllOwn(userId, by, keepsCurrent ? id : undefined);
      if (!keepsCurrent) await devices.management.revokeAll(userId, by, 'signed_out_everywhere');
      return { ok: true as const, ended };
    },
  }),
  ownOperation({
    id: 'auth.end_session',
    path: 'DELETE /api/auth/sessions/:id',
    summary: 'End one of your sessions',
    description: 'Its tokens or cookie stop working immediately.',
    params: SessionParams,
    output: EndedSessionsView,
    errors: ['auth.session_not_found'],
    async run({ guards, sessions }, { id }, { request, by }) {
      const { userId } = guards.sessionOf(request);
      if (!(await sessions.endOwn(userId, id, by))) throw authErrors.session_not_found();
      return { ok: true as const, ended: 1 };
    },
  }),
];

const adminOperation = operationsOf<AuthContext>({
  scope: 'admin',
  tag: 'users',
  limit: limited({ max: 120, seconds: 60, group: 'session-admin' }),
});
const freshSignIn = 'A signed-in admin needs a sign-in within the last five minutes.';

/** The sessions of one user, for admins. */
const adminOperations = [
  adminOperation({
    id: 'users.list_sessions',
    path: 'GET /api/v1/users/:id/sessions',
    summary: 'List a user’s sessions',
    description: 'All active sessions of the user, newest first: at most ten.',
    params: UserParams,
    output: SessionList,
    errors: ['users.not_found'],
    async run({ sessionAdmin }, { id }, { request: { principal } }) {
      const current = principal?.kind === 'user' ? principal.sessionId : undefined;
      const all = await sessionAdmin.listOf(id);
      const data = all.map((session) => toSessionView(session, current));
      return { data, total: data.length };
    },
  }),
  adminOperation({
    id: 'users.end_sessions',
    path: 'DELETE /api/v1/users/:id/sessions',
    summary: 'End all of a user’s sessions',
    description:
      'Signs the user out everywhere, and ends sign-ins in progress. Devices stay approved. ' +
      freshSignIn,
    needsFreshSignIn: true,
    params: UserParams,
    output: EndedSessionsView,
    errors: ['users.not_found'],
    run: async ({ sessionAdmin }, { id }, { by }) => ({
      ok: true as const,
      ended: await sessionAdmin.endAll(id, by),
    }),
  }),
  adminOperation({
    id: 'users.end_session',
    path: 'DELETE /api/v1/users/:id/sessions/:session_id',
    summary: 'End a user’s session',
    description: `Its tokens or cookie stop working immediately. ${freshSignIn}`,
    needsFreshSignIn: true,
    params: UserSessionParams,
    output: EndedSessionsView,
    errors: ['auth.session_not_found'],
    async run({ sessionAdmin }, { id, session_id: sessionId }, { by }) {
      if (!(await sessionAdmin.end(id, sessionId, by))) throw authErrors.session_not_found();
      return { ok: true as const, ended: 1 };
    },
  }),
];

/** Sign-in methods and sessions: of the caller under both paths, of other users for admins. */
export const sessionOperations = [
  ...withShortPath([...openOperations, ...ownOperations]),
  ...adminOperations,
];
