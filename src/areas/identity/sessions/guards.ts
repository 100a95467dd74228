import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../platform/errors/errors.ts';
import { credentialOf } from '../../../platform/http/requests/credential.ts';
import { refusing } from '../../../platform/http/scopes.ts';
import { freshMs, stepUpRequired } from '../../../platform/identity/freshness.ts';
import type { Principal } from '../../../platform/identity/identity.ts';
import { hasScope, type ApiKeyScope } from '../../../lib/access.ts';
import { type AuthenticationDeps, createAuthentication } from './authentication.ts';
import { insufficientScope, unauthenticated } from './challenges.ts';
import { clearedSessionCookies, sessionCookieValues } from './cookies.ts';
import { isSameOrigin, refuseCrossSite, refuseForeignForm } from './csrf.ts';
import type { Session } from './service.ts';

const tokenErrors = [
  'request.unauthenticated',
  'blackops.invalid_dpop_proof',
  'blackops.use_dpop_nonce',
];
const cookieErrors = ['auth.csrf_origin'];
const refusals = (...more: string[]) => ({
  errors: [...tokenErrors, ...more],
  errorsOfChanges: cookieErrors,
});

export interface GuardDeps extends AuthenticationDeps {
  now: () => number;
}

function requireUser(principal: Principal) {
  if (principal.kind !== 'user') throw unauthenticated(true);
  return principal;
}

/** Route guards (onRequest), and functions that inspect the sender of a request. */
export function createGuards({ now, ...own }: GuardDeps) {
  const { authenticate, byToken } = createAuthentication(own);
  return {
    /** Requires a scope: else 401, or 403 `insufficient_scope` (RFC 6750 §3.1). */
    requireScope: (scope: ApiKeyScope) =>
      refusing(refusals('request.forbidden'), async (request: FastifyRequest): Promise<void> => {
        if (!hasScope(await authenticated(request), scope)) throw insufficientScope(scope);
      }),

    /** Requires a signed-in user: else 401. */
    signedIn: () =>
      refusing(refusals(), async (request: FastifyRequest): Promise<void> => {
        requireUser(await authenticated(request));
      }),

    /** Requires a user who authenticated in the last five minutes: else 401 (RFC 9470). */
    fresh: () =>
      refusing(
        refusals('auth.step_up_required'),
        async (request: FastifyRequest): Promise<void> => {
          requireRecent(requireUser(await authenticated(request)).authTime);
        },
      ),

    /**
     * Refuses changes that a page of another site may have sent, with or without a cookie: 403
     * `auth.csrf_origin`.
     */
    sameOrigin: () =>
      refusing({ errorsOfChanges: cookieErrors }, (request: FastifyRequest): void =>
        refuseCrossSite(request, own),
      ),

    /** Refuses forms of other sites, unless the route takes them or the site's requests. */
    ownForms: () =>
      refusing({ errorsOfChanges: cookieErrors }, (request: FastifyRequest): void => {
        const { crossOrigin, formOrigins } = request.routeOptions.config;
        const apps = crossOrigin === 'apps' ? request.server.appOrigins : undefined;
        refuseForeignForm(request, own, formOrigins ?? apps);
      }),

    /** Refuses only an invalid API key or access token: 401. Ignores cookies. */
    optional: () =>
      refusing({ errors: tokenErrors }, (request: FastifyRequest): void | Promise<void> => {
        request.principal = undefined;
        if (request.headers.authorization === undefined) return undefined;
        const credential = credentialOf(request);
        return credential === undefined
          ? undefined
          : byToken(request, credential).then((principal) => void (request.principal = principal));
      }),

    /** True when the browser reports that the request comes from one of our pages. */
    isOwnOrigin: (request: FastifyRequest): boolean => isSameOrigin(request, own),

    /** Like `fresh`, for use inside another guard's scope. API keys, which never sign in, pass. */
    requireFresh({ principal, routeOptions }: FastifyRequest): void {
      if (principal?.kind === 'user')
        requireRecent(principal.authTime, routeOptions.config.freshFor);
    },

    /** Whether the request carries a session cookie, valid or not. */
    hasSessionCookie: (request: FastifyRequest): boolean =>
      sessionCookieValues(request.headers.cookie).length > 0,

    /** The Set-Cookie headers that remove the session from a browser. */
    clearedSessionCookies: clearedSessionCookies(own.baseOrigin.startsWith('https:')),

    /** The session of a request that `signedIn` or `fresh` let pass. */
    sessionOf({ session }: FastifyRequest): Session {
      if (session === undefined) throw unauthenticated(false);
      return session;
    },

    /** The principal of the request, if any; an invalid credential counts as none. */
    async peek(request: FastifyRequest): Promise<Principal | undefined> {
      return authenticate(request).catch((error: unknown) => {
        if (error instanceof AppError && error.status === 401) return undefined;
        throw error;
      });
    },
  };

  async function authenticated(request: FastifyRequest): Promise<Principal> {
    const principal = await authenticate(request);
    if (principal === undefined) throw unauthenticated(false);
    request.principal = principal;
    return principal;
  }

  function requireRecent(authTime: number, freshFor = freshMs): void {
    if (now() - authTime > freshFor) throw stepUpRequired();
  }
}

export type Guards = ReturnType<typeof createGuards>;
