import type { FastifyRequest } from 'fastify';
import { memoizeByObject } from '../../../lib/memoize.ts';
import { countHeader } from '../../../platform/http/connections/raw-headers.ts';
import { type Credential, credentialOf } from '../../../platform/http/requests/credential.ts';
import {
  type Principal,
  principalOf,
  type UserPrincipal,
} from '../../../platform/identity/identity.ts';
import type { ApiKeys } from '../../api-keys/service.ts';
import { invalidBoundToken, staleCookie, unauthenticated } from './challenges.ts';
import { sessionCookieValues } from './cookies.ts';
import { type OwnOrigin, refuseCrossSite } from './csrf.ts';
import type { Session, Sessions } from './service.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set together with a `principal` of kind `user`. */
    session: Session | undefined;
  }
}

export interface AuthenticationDeps extends OwnOrigin {
  apiKeys: Pick<ApiKeys, 'authenticate'>;
  sessions: Pick<Sessions, 'find'>;
  /** Throws unless the request proves the key that its session's tokens are bound to. */
  requireProof: (request: FastifyRequest, session: Session) => Promise<void>;
}

const toPrincipal = memoizeByObject((session: Session): UserPrincipal => principalOf(session));

function attachSession(
  request: FastifyRequest,
  session: Session | undefined,
): Principal | undefined {
  request.session = session;
  return session === undefined ? undefined : toPrincipal(session);
}

/** Authenticates requests by API key, access token or session cookie. */
export function createAuthentication({
  apiKeys,
  sessions,
  requireProof,
  ...own
}: AuthenticationDeps) {
  /** A token bound to a key needs a proof; any other token must come without one. */
  async function byAccessToken(
    request: FastifyRequest,
    { token, isDpop }: Credential,
  ): Promise<Principal | undefined> {
    const session = await sessions.find(token, 'bearer');
    const isBound = session?.device != null && session.device.jkt !== null;
    if (session === undefined || isBound !== isDpop) return undefined;
    if (isBound) await requireProof(request, session);
    return attachSession(request, session);
  }

  async function byToken(request: FastifyRequest, credential: Credential): Promise<Principal> {
    const { token, isDpop } = credential;
    const isAccessToken = token.startsWith('svca_');
    if (!isAccessToken && isDpop) throw invalidBoundToken();
    const principal = await (isAccessToken
      ? byAccessToken(request, credential)
      : apiKeys.authenticate(token));
    if (principal === undefined) throw isDpop ? invalidBoundToken() : unauthenticated(true);
    return principal;
  }

  async function findFirstLive(values: readonly string[]): Promise<Session | undefined> {
    for (const value of values) {
      const session = await sessions.find(value, 'cookie');
      if (session !== undefined) return session;
    }
    return undefined;
  }

  async function byCookie(request: FastifyRequest): Promise<Principal | undefined> {
    const values = sessionCookieValues(request.headers.cookie);
    if (values.length === 0) return undefined;
    const principal = attachSession(request, await findFirstLive(values));
    if (principal === undefined) throw staleCookie(own.baseOrigin.startsWith('https:'));
    refuseCrossSite(request, own);
    return principal;
  }

  /** An Authorization header overrides cookies: the two could belong to different users. */
  async function authenticate(request: FastifyRequest): Promise<Principal | undefined> {
    if (request.headers.authorization === undefined) return byCookie(request);
    const credential = credentialOf(request);
    const isRepeated = countHeader(request.raw, 'authorization') > 1;
    if (credential === undefined || isRepeated) throw unauthenticated(isRepeated);
    return byToken(request, credential);
  }

  return { authenticate, byToken };
}
