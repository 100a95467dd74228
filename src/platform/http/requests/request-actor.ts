import type { FastifyRequest } from 'fastify';
import type { RequestSource } from './request-origin.ts';
import type { Principal } from '../../identity/identity.ts';

/** The sender and address of a request, as the audit log records them. */
export interface RequestActor {
  actor: { kind: Principal['kind'] | 'anonymous'; id?: string };
  address: string;
  requestId: string;
  /** When the acting user last authenticated, Unix ms: what `requireFresh` asks for. */
  authTime?: number | undefined;
  /** The greatest age of it that counts as recent, in ms: of the route, if not the usual one. */
  freshFor?: number | undefined;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How old a sign-in may be for changes that need a recent one, in ms. */
    freshFor?: number;
  }
}

/** The actor of changes that the service makes itself. */
export const systemActor = { actor: { kind: 'system' } } as const;

/** Who makes a change: the sender of a request, or the service itself. */
export type ChangeActor = RequestActor | typeof systemActor;

/** Returns the actor of a principal; `anonymous` without one. */
const actorOf = (principal: Principal | undefined): RequestActor['actor'] =>
  principal === undefined ? { kind: 'anonymous' } : { kind: principal.kind, id: principal.id };

/** Returns a principal as the actor of a request. */
export const principalActor = (
  principal: Principal | undefined,
  { address, requestId }: RequestSource,
): RequestActor => ({
  actor: actorOf(principal),
  address,
  requestId,
  authTime: principal?.kind === 'user' ? principal.authTime : undefined,
});

export const requestActor = ({
  principal,
  ip,
  id,
  routeOptions,
}: FastifyRequest): RequestActor => ({
  ...principalActor(principal, { address: ip, requestId: id }),
  freshFor: routeOptions.config.freshFor,
});

/**
 * Returns a user as the actor of a request. Such an actor never counts as freshly signed in.
 */
export const userActor = (userId: string, { address, requestId }: RequestSource): RequestActor => ({
  actor: { kind: 'user', id: userId },
  address,
  requestId,
});
