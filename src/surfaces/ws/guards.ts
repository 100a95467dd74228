import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Guards } from '../../areas/identity/sessions/guards.ts';
import type { DeviceGuards } from '../../areas/identity/devices/guards.ts';
import { AppError } from '../../platform/errors/errors.ts';
import { anonymous, type Identities, type Identity } from './clients/identities.ts';

export interface HandshakeDeps {
  guards: Guards;
  deviceGuards: DeviceGuards;
  identities: Identities;
  /** Other origins whose pages may use sessions of this service. */
  origins: readonly string[];
}

interface Authenticated {
  identity: Identity;
  /** Cookies to set. */
  cookies: readonly string[];
}

/** Authenticates the handshakes of realtime and GraphQL sockets with the guards of requests. */
export function createHandshakes({ guards, deviceGuards, identities, origins }: HandshakeDeps) {
  const authenticated = new WeakMap<IncomingMessage, Authenticated>();
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
    if (principal === undefined) return anonymous;
    if (principal.kind === 'user' && session !== undefined)
      return identities.fromSession(session, await isCleared(request, reply));
    const token = /^bearer +(.*)$/i.exec(authorization ?? '')?.[1] ?? '';
    return (await identities.fromToken(token)) ?? anonymous;
  }

  return {
    /** True for our own origin, for allowed origins, and without an Origin header. */
    isAllowedOrigin: (request: FastifyRequest): boolean => {
      const { origin } = request.headers;
      return origin === undefined || guards.isOwnOrigin(request) || origins.includes(origin);
    },

    /** Authenticates a handshake. Throws the errors of guards. */
    authenticate: async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const identity = await identify(request, reply);
      const cookies = [reply.getHeader('set-cookie') ?? []].flat().map(String);
      authenticated.set(request.raw, { identity, cookies });
    },

    /** The identity of a handshake; anonymous unless it was authenticated. */
    identityOf: (request: IncomingMessage): Identity =>
      authenticated.get(request)?.identity ?? anonymous,

    /** Adds the cookies of the authentication to the headers of the response. */
    addCookies: (headers: string[], request: IncomingMessage): void => {
      for (const cookie of authenticated.get(request)?.cookies ?? [])
        headers.push(`Set-Cookie: ${cookie}`);
    },
  };
}

export type Handshakes = ReturnType<typeof createHandshakes>;
