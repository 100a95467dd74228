import type { FastifyRequest } from 'fastify';
import { memoizeByObject } from '../../lib/memoize.ts';
import { type Credential, credentialOf } from '../../platform/http/credential.ts';
import { AppError, requestErrors } from '../../platform/errors/errors.ts';
import {
  hasScope,
  type Principal,
  principalOf,
  type UserPrincipal,
} from '../../platform/identity/identity.ts';
import type { ApiKeyScope } from '../../lib/access.ts';
import { timesSent } from '../../platform/http/connections/raw-headers.ts';
import { refusing } from '../../platform/http/scopes.ts';
import type { ApiKeys } from '../api-keys/service.ts';
import { clearedSessionCookies, sessionCookieValues } from './cookies.ts';
import { isSameOrigin, type OwnOrigin, refuseCrossSite } from './csrf.ts';
import { authErrors } from './errors.ts';
import type { Session, Sessions } from './sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set with a `principal` of kind `user`. */
    session: Session | undefined;
  }
}

const challenge = 'Bearer realm="svc"';
const freshMs = 5 * 60_000;

function unauthenticated(hadToken: boolean) {
  const error = hadToken ? `${challenge}, error="invalid_token"` : challenge;
  return requestErrors.unauthenticated({ headers: { 'www-authenticate': error } });
}

/** RFC 9449 §7.1. */
const unprovable = () =>
  requestErrors.unauthenticated({
    headers: { 'www-authenticate': 'DPoP error="invalid_token", algs="ES256"' },
  });

/** The browser is told to forget a session that has ended. */
function staleCookie(baseOrigin: string) {
  return requestErrors.unauthenticated({
    headers: {
      'www-authenticate': `${challenge}, error="invalid_token"`,
      'set-cookie': clearedSessionCookies(baseOrigin.startsWith('https:')),
    },
  });
}

function insufficientScope(scope: ApiKeyScope) {
  return requestErrors.forbidden({
    headers: { 'www-authenticate': `${challenge}, error="insufficient_scope", scope="${scope}"` },
    extra: { required_scope: scope },
  });
}

function stepUpRequired() {
  return authErrors.step_up_required({
    headers: {
      'www-authenticate': `${challenge}, error="insufficient_user_authentication", max_age=300`,
    },
  });
}

const toPrincipal = memoizeByObject((session: Session): UserPrincipal => principalOf(session));

const ofTokens = [
  'request.unauthenticated',
  'blackops.invalid_dpop_proof',
  'blackops.use_dpop_nonce',
];
const ofCookies = ['auth.csrf_origin'];
const refusals = (...more: string[]) => ({
  errors: [...ofTokens, ...more],
  errorsOfChanges: ofCookies,
});

export interface GuardDeps extends OwnOrigin {
  apiKeys: Pick<ApiKeys, 'authenticate'>;
  sessions: Pick<Sessions, 'find'>;
  now: () => number;
  /** Resolves when the request proves the key that its session's tokens are bound to. */
  requireProof: (request: FastifyRequest, session: Session) => Promise<void>;
}

/** Guards (onRequest) that find out who is asking: an API key, an access token, or a browser's session cookie. */
export function createGuards({
  apiKeys,
  sessions,
  baseOrigin,
  isBaseKnown,
  now,
  requireProof,
}: GuardDeps) {
  const own = { baseOrigin, isBaseKnown };

  function signedIn(request: FastifyRequest, session: Session | undefined): Principal | undefined {
    request.session = session;
    return session === undefined ? undefined : toPrincipal(session);
  }

  /** A token is proved where it is bound to a key, and only there. */
  async function byAccessToken(
    request: FastifyRequest,
    { token, isProved }: Credential,
  ): Promise<Principal | undefined> {
    const session = await sessions.find(token, 'bearer');
    const isBound = session?.device != null && session.device.jkt !== null;
    if (session === undefined || isBound !== isProved) return undefined;
    if (isBound) await requireProof(request, session);
    return signedIn(request, session);
  }

  async function byToken(request: FastifyRequest, credential: Credential): Promise<Principal> {
    const isUsers = credential.token.startsWith('svca_');
    const principal = isUsers
      ? await byAccessToken(request, credential)
      : credential.isProved
        ? undefined
        : await apiKeys.authenticate(credential.token);
    if (principal === undefined) throw credential.isProved ? unprovable() : unauthenticated(true);
    return principal;
  }

  async function firstLive(values: readonly string[]): Promise<Session | undefined> {
    for (const value of values) {
      const session = await sessions.find(value, 'cookie');
      if (session !== undefined) return session;
    }
    return undefined;
  }

  async function byCookie(request: FastifyRequest): Promise<Principal | undefined> {
    const values = sessionCookieValues(request.headers.cookie);
    if (values.length === 0) return undefined;
    const principal = signedIn(request, await firstLive(values));
    if (principal === undefined) throw staleCookie(baseOrigin);
    refuseCrossSite(request, own);
    return principal;
  }

  /** The authorization header alone counts where there is one: two credentials could be two people's. */
  async function identify(request: FastifyRequest): Promise<Principal | undefined> {
    const { authorization } = request.headers;
    if (authorization === undefined) return byCookie(request);
    const credential = credentialOf(request);
    const isRepeated = timesSent(request.raw, 'authorization') > 1;
    if (credential === undefined || isRepeated) throw unauthenticated(isRepeated);
    return byToken(request, credential);
  }

  async function require(request: FastifyRequest): Promise<Principal> {
    const principal = await identify(request);
    if (principal === undefined) throw unauthenticated(false);
    request.principal = principal;
    return principal;
  }

  return {
    /** Lets only those with the scope pass: else 401, or 403 `insufficient_scope` (RFC 6750 §3.1). */
    requireScope: (scope: ApiKeyScope) =>
      refusing(refusals('request.forbidden'), async (request: FastifyRequest): Promise<void> => {
        if (!hasScope(await require(request), scope)) throw insufficientScope(scope);
      }),

    /** Lets only people who have signed in pass: else 401. */
    signedIn: () =>
      refusing(refusals(), async (request: FastifyRequest): Promise<void> => {
        const principal = await require(request);
        if (principal.kind !== 'user') throw unauthenticated(true);
      }),

    /** Lets only people pass who proved in the last five minutes who they are: else 401 (RFC 9470). */
    fresh: () =>
      refusing(
        refusals('auth.step_up_required'),
        async (request: FastifyRequest): Promise<void> => {
          const principal = await require(request);
          if (principal.kind !== 'user') throw unauthenticated(true);
          if (now() - principal.authTime > freshMs) throw stepUpRequired();
        },
      ),

    /** Lets everybody pass, except what a page of another site could have sent: 403 `auth.csrf_origin`, with or without a cookie. */
    sameOrigin: () =>
      refusing({ errorsOfChanges: ofCookies }, (request: FastifyRequest): void =>
        refuseCrossSite(request, own),
      ),

    /** True when the browser says that the request comes from a page of ours. */
    isOwnOrigin: (request: FastifyRequest): boolean => isSameOrigin(request, own),

    /** As `fresh`, for a request that another guard has let pass. API keys, which never sign in, pass. */
    requireFresh({ principal }: FastifyRequest): void {
      if (principal?.kind === 'user' && now() - principal.authTime > freshMs)
        throw stepUpRequired();
    },

    /** Whether a browser shows a session with the request, live or not. */
    hasSessionCookie: (request: FastifyRequest): boolean =>
      sessionCookieValues(request.headers.cookie).length > 0,

    /** The Set-Cookie headers that take the session away from a browser. */
    clearedSessionCookies: clearedSessionCookies(baseOrigin.startsWith('https:')),

    /** The session of a request that `signedIn` or `fresh` let pass. */
    sessionOf(request: FastifyRequest): Session {
      if (request.session === undefined) throw unauthenticated(false);
      return request.session;
    },

    /** Lets everybody pass, except with an API key or access token that is not valid: 401. Cookies are not looked at. */
    optional: () =>
      refusing({ errors: ofTokens }, (request: FastifyRequest): void | Promise<void> => {
        request.principal = undefined;
        if (request.headers.authorization === undefined) return undefined;
        const credential = credentialOf(request);
        return credential === undefined
          ? undefined
          : byToken(request, credential).then((principal) => void (request.principal = principal));
      }),

    /** Who is asking, or undefined; a credential that is not valid counts as none. */
    async peek(request: FastifyRequest): Promise<Principal | undefined> {
      return identify(request).catch((error: unknown) => {
        if (error instanceof AppError && error.status === 401) return undefined;
        throw error;
      });
    },
  };
}

export type Guards = ReturnType<typeof createGuards>;
