import { z } from 'zod';
import { createSeal } from '../../../../lib/secrets/seal.ts';
import { IdentifierSchema } from '../../identifier-schema.ts';
import type { AccountResources } from '../context.ts';

export type ContactKind = 'email' | 'phone';

const Pending = z.object({
  sessionId: z.string(),
  verificationId: z.string(),
  identifier: IdentifierSchema,
});
export type PendingContact = z.output<typeof Pending>;

const keyOf = (userId: string, kind: ContactKind) => `account:contact:${userId}:${kind}`;

/** Addresses and numbers that wait for their code, sealed, in Redis: one of each kind and user. */
export function createPendingContacts({ redis, keys }: AccountResources) {
  const seal = createSeal(keys('account-contacts'));
  return {
    async put(userId: string, pending: PendingContact, lifetimeMs: number): Promise<void> {
      const key = keyOf(userId, pending.identifier.kind);
      await redis.set(key, seal.seal(JSON.stringify(pending)), 'PX', lifetimeMs);
    },

    async find(userId: string, kind: ContactKind): Promise<PendingContact | undefined> {
      const sealed = await redis.get(keyOf(userId, kind));
      const text = sealed === null ? undefined : seal.open(sealed);
      return text === undefined ? undefined : Pending.parse(JSON.parse(text));
    },

    remove: (userId: string, ...kinds: ContactKind[]): Promise<unknown> =>
      redis.del(...kinds.map((kind) => keyOf(userId, kind))),
  };
}

export type PendingContacts = ReturnType<typeof createPendingContacts>;
