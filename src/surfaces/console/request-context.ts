import type { FastifyRequest } from 'fastify';
import type { RequestActor } from '../../platform/identity/actors.ts';
import type { Role } from '../../lib/access.ts';
import type { Guards } from '../../areas/auth/guards.ts';

/** What the console's script has to know to prove the key of the device. */
export interface ProofFacts {
  /** For the first proof. */
  nonce: string;
  /** Unix ms: the browser's clock may be wrong, and proofs are good for a minute. */
  now: number;
}

/** The person who looks at a page of the console. */
export interface Viewer {
  userId: string;
  /** The name, else the address that the person is known by. */
  name: string;
  roles: readonly Role[];
  /** Whether the page shows what changes something. */
  isAdmin: boolean;
  /** Undefined where the device has no key. */
  proof: ProofFacts | undefined;
  by: RequestActor;
}

export interface ViewerDeps {
  guards: Pick<Guards, 'sessionOf'>;
  nonce: () => string;
  now: () => number;
}

/** Gives the person of a request that the guards of the console let pass. */
export function createViewers({ guards, nonce, now }: ViewerDeps) {
  return (request: FastifyRequest): Viewer => {
    const { userId, user } = guards.sessionOf(request);
    const isBound = request.device?.jkt != null;
    return {
      userId,
      name: user.name ?? user.email ?? user.phone ?? 'You',
      roles: user.roles,
      isAdmin: user.roles.includes('admin'),
      proof: isBound ? { nonce: nonce(), now: now() } : undefined,
      by: { actor: { kind: 'user', id: userId }, address: request.ip, requestId: request.id },
    };
  };
}

export type Viewers = ReturnType<typeof createViewers>;
