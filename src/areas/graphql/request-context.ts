import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientKey } from '../../lib/ip.ts';
import { AppError } from '../../platform/errors.ts';
import type { Guards } from '../auth/guards.ts';
import type { DeviceGuards } from '../blackops/guards.ts';
import type { Identities, Identity } from '../ws/identities.ts';
import { graphqlErrors } from './errors.ts';
import type { Sockets } from './sockets.ts';

export interface HandshakeDeps {
  guards: Guards;
  deviceGuards: DeviceGuards;
  identities: Identities;
  /** Origins besides our own whose pages may use sessions here. */
  origins: readonly string[];
}

const stranger: Identity = Object.freeze({ principal: undefined, isCleared: false, expiresAt: undefined, again: undefined });

interface Proved {
  identity: Identity;
  /** A cookie that is due. */
  cookie: string | undefined;
}

/** Finds out who opens a socket, from its handshake, with the guards of every other request. */
export function createHandshakes({ guards, deviceGuards, identities, origins }: HandshakeDeps, sockets: Pick<Sockets, 'isFull'>) {
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
    if (principal.kind === 'user' && session !== undefined) return identities.ofSession(session, await isCleared(request, reply));
    return (await identities.ofToken(/^bearer +(.*)$/i.exec(authorization ?? '')?.[1] ?? '')) ?? stranger;
  }

  return {
    /** A hook: lets plain requests and handshakes of our own pages pass. Throws `graphql.origin_not_allowed`, `.too_many_connections`, and what guards throw. */
    shake: async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      // Only those that want a WebSocket come with it: all others were put back as plain requests.
      const { upgrade, origin } = request.headers;
      if (upgrade === undefined) return;
      if (origin !== undefined && !guards.isOwnOrigin(request) && !origins.includes(origin)) throw graphqlErrors.origin_not_allowed();
      if (sockets.isFull(clientKey(request.ip))) throw graphqlErrors.too_many_connections({ headers: { 'retry-after': '5' } });
      const identity = await identify(request, reply);
      const cookie = reply.getHeader('set-cookie');
      proved.set(request.raw, { identity, cookie: typeof cookie === 'string' ? cookie : undefined });
    },

    identityOf: (request: IncomingMessage): Identity => proved.get(request)?.identity ?? stranger,

    /** For the head of the answer to a handshake. */
    addCookie: (headers: string[], request: IncomingMessage): void => {
      const cookie = proved.get(request)?.cookie;
      if (cookie !== undefined) headers.push(`Set-Cookie: ${cookie}`);
    },
  };
}
