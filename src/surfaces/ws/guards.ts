import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/errors/errors.ts';
import type { Guards } from '../../areas/auth/guards.ts';
import type { DeviceGuards } from '../../areas/blackops/guards.ts';
import { type Identities, type Identity, stranger } from './identities.ts';

export interface HandshakeDeps {
  guards: Guards;
  deviceGuards: DeviceGuards;
  identities: Identities;
  /** Origins besides our own whose pages may use sessions here. */
  origins: readonly string[];
}

interface Proved {
  identity: Identity;
  /** Cookies that are due. */
  cookies: readonly string[];
}

/**
 * Finds out who opens a socket, realtime or of subscriptions, from its handshake, with the guards
 * of every other request.
 */
export function createHandshakes({ guards, deviceGuards, identities, origins }: HandshakeDeps) {
  const proved = new WeakMap<IncomingMessage, Proved>();
  const requireCleared = deviceGuards.clearedDevice();
  const readAuthorization = guards.optional();

  async function isCleared(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    try {
      await requireCleared(request, reply);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return false;
      throw error;
    }
  }

  async function identify(request: FastifyRequest, reply: FastifyReply): Promise<Identity> {
    const { authorization } = request.headers;
    if (authorization === undefined) request.principal = await guards.peek(request);
    else await readAuthorization(request);
    const { principal, session } = request;
    if (principal === undefined) return stranger;
    if (principal.kind === 'user' && session !== undefined)
      return identities.ofSession(session, await isCleared(request, reply));
    return (
      (await identities.ofToken(/^bearer +(.*)$/i.exec(authorization ?? '')?.[1] ?? '')) ?? stranger
    );
  }

  return {
    /** Whether it comes from one of our pages, from one of the origins, or from no page. */
    isTrusted: (request: FastifyRequest): boolean => {
      const { origin } = request.headers;
      return origin === undefined || guards.isOwnOrigin(request) || origins.includes(origin);
    },

    /** Keeps who opens the socket. Throws what guards throw. */
    prove: async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const identity = await identify(request, reply);
      const cookies = [reply.getHeader('set-cookie') ?? []].flat().map(String);
      proved.set(request.raw, { identity, cookies });
    },

    /** Nobody, where nothing was proved. */
    identityOf: (request: IncomingMessage): Identity => proved.get(request)?.identity ?? stranger,

    /** For the head of the answer to a handshake. */
    addCookie: (headers: string[], request: IncomingMessage): void => {
      for (const cookie of proved.get(request)?.cookies ?? [])
        headers.push(`Set-Cookie: ${cookie}`);
    },
  };
}

export type Handshakes = ReturnType<typeof createHandshakes>;
