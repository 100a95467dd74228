import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Guards } from '../../../areas/identity/sessions/guards.ts';
import { clientKey } from '../../../lib/net/ip.ts';
import { requestErrors } from '../../../platform/errors/errors.ts';
import type { Principal } from '../../../platform/identity/identity.ts';
import { hasScope } from '../../../lib/access.ts';
import type { Handshakes } from '../../ws/guards.ts';
import type { Access } from '../context.ts';
import { graphqlErrors } from '../errors.ts';
import type { RouteContext } from '../route-context.ts';
import type { Sockets } from '../subscriptions/sockets.ts';

type Guard = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;
type GuardedAccess = 'session' | 'admin' | 'reader';

/** A header that makes browsers send a CORS preflight before a cross-origin request. */
const preflightHeader = 'graphql-require-preflight';

/**
 * Throws `graphql.preflight_required` for simple cross-origin requests with a cookie, such as those
 * that a link on another site causes.
 */
function refuseSimpleRequest(request: FastifyRequest, guards: Guards): void {
  const { method, headers } = request;
  if (method === 'POST' || headers[preflightHeader] !== undefined) return;
  const hasCookie = headers.authorization === undefined && guards.hasSessionCookie(request);
  if (hasCookie && !guards.isOwnOrigin(request)) throw graphqlErrors.preflight_required();
}

/** Returns a function that runs tasks one after another, even when an earlier one fails. */
function createSequence() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

/** Checks the access to fields with the guards of the REST routes, each once per request. */
export function createAccess({ guards, deviceGuards }: RouteContext) {
  const clearedDevice = deviceGuards.clearedDevice();
  const chains: Readonly<Record<GuardedAccess, readonly Guard[]>> = {
    session: [guards.signedIn()],
    admin: [guards.requireScope('admin'), clearedDevice],
    reader: [guards.requireScope('analytics:read'), clearedDevice],
  };

  return (request: FastifyRequest, reply: FastifyReply): Access => {
    const results = new Map<GuardedAccess, Promise<Principal>>();
    // Sequential, because guards store their results on the request.
    const inSequence = createSequence();

    async function pass(chain: readonly Guard[]): Promise<Principal> {
      refuseSimpleRequest(request, guards);
      for (const guard of chain) await guard(request, reply);
      if (request.principal === undefined) throw requestErrors.unauthenticated();
      return request.principal;
    }

    function ensure(name: GuardedAccess): Promise<Principal> {
      const result = results.get(name) ?? inSequence(() => pass(chains[name]));
      results.set(name, result);
      return result;
    }

    return {
      admin: () => ensure('admin'),
      reader: () => ensure('reader'),
      async session() {
        await ensure('session');
        return guards.sessionOf(request);
      },
      async seesHealth() {
        const principal = await inSequence(async () => {
          refuseSimpleRequest(request, guards);
          return guards.peek(request);
        }).catch(() => undefined);
        return hasScope(principal, 'admin');
      },
      deviceId: async () => (await deviceGuards.recognise(request, reply))?.device.id,
    };
  };
}

/**
 * Returns a hook that authenticates handshakes from allowed origins and skips plain requests.
 * Throws `graphql.origin_not_allowed`, `.too_many_connections`, and the errors of guards.
 */
export const createHandshakeGuard =
  ({ isAllowedOrigin, authenticate }: Handshakes, sockets: Pick<Sockets, 'isFull'>) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    // Upgrades to other protocols have already been turned into plain requests.
    if (request.headers.upgrade === undefined) return;
    if (!isAllowedOrigin(request)) throw graphqlErrors.origin_not_allowed();
    if (sockets.isFull(clientKey(request.ip)))
      throw graphqlErrors.too_many_connections({ headers: { 'retry-after': '5' } });
    await authenticate(request, reply);
  };
