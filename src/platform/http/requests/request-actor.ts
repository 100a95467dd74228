import type { FastifyRequest } from 'fastify';
import type { RequestSource } from './request-origin.ts';
import type { Principal } from '../../identity/identity.ts';

/** Who sent a request and from where, as the audit log records it. */
export interface RequestActor {
  actor: { kind: Principal['kind'] | 'anonymous'; id?: string };
  address: string;
  requestId: string;
}

/** The service itself. */
export const systemActor = { actor: { kind: 'system' } } as const;

/** Whoever is behind a principal; `anonymous` without one. */
export const actorOf = (principal: Principal | undefined): RequestActor['actor'] =>
  principal === undefined ? { kind: 'anonymous' } : { kind: principal.kind, id: principal.id };

export const requestActor = ({ principal, ip, id }: FastifyRequest): RequestActor => ({
  actor: actorOf(principal),
  address: ip,
  requestId: id,
});

/** The user behind a session. */
export const userActor = (userId: string, { address, requestId }: RequestSource): RequestActor => ({
  actor: { kind: 'user', id: userId },
  address,
  requestId,
});
