import type { Database } from '../../../../platform/database/database.ts';
import { errorCode } from '../../../../platform/database/failure.ts';
import type { VerifiedIdentity } from '../../users/model.ts';
import type { ContactKind } from './pending-contacts.ts';
import { replaceIn, uniqueViolation } from './store.ts';

/** A replaced address or number, which its owner can have back. */
interface NewUndo {
  /** Of the time of the change, so that later ones are greater. */
  id: string;
  userId: string;
  identity: { kind: ContactKind; key: string; value: string };
  tokenHash: string;
  createdAt: Date;
  expiresAt: Date;
}

export interface Undone {
  userId: string;
  restored: { kind: ContactKind; key: string; value: string };
  /** What signed in until now; undefined if the account had none of the kind. */
  replaced: VerifiedIdentity | undefined;
}

/** Takes the undo, and those of later changes: the one who changed it twice has no link left. */
async function takeIn(within: Database, tokenHash: string, now: Date) {
  const open = within
    .selectFrom('contact_undos')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now);
  const found = await open.executeTakeFirst();
  if (found === undefined) return undefined;
  // Undos of one user wait for one another, and see what the one before has left.
  const { user_id: userId, kind, id } = found;
  await within.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
  const taken = await within
    .deleteFrom('contact_undos')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('id', '>=', id)
    .returning('id')
    .execute();
  return taken.some((each) => each.id === id) ? found : undefined;
}

/** Links of messages about changes, each of which takes its change back once. */
export const createContactUndoStore = (db: Database) => ({
  async add({ id, userId, identity, tokenHash, createdAt, expiresAt }: NewUndo): Promise<void> {
    await db
      .insertInto('contact_undos')
      .values({
        id,
        user_id: userId,
        ...identity,
        token_hash: tokenHash,
        created_at: createdAt,
        expires_at: expiresAt,
      })
      .execute();
  },

  /**
   * Restores the address or number. `taken`: another user has it now, and the link keeps working;
   * undefined: no link has this token, or it was used or has expired.
   */
  async undo(tokenHash: string, newId: string, now: Date): Promise<Undone | 'taken' | undefined> {
    try {
      return await db.transaction().execute(async (within) => {
        const found = await takeIn(within, tokenHash, now);
        if (found === undefined) return undefined;
        const { user_id: userId, kind, key, value } = found;
        const restored = { kind, key, value };
        const change = { userId, id: newId, identity: restored, at: now };
        const { previous } = await replaceIn(within, change);
        return { userId, restored, replaced: previous };
      });
    } catch (error) {
      if (errorCode(error) === uniqueViolation) return 'taken';
      throw error;
    }
  },

  async deleteExpired(now: Date): Promise<void> {
    await db.deleteFrom('contact_undos').where('expires_at', '<=', now).execute();
  },
});

export type ContactUndoStore = ReturnType<typeof createContactUndoStore>;
