import type { Database } from '../../../../platform/database/database.ts';
import { errorCode } from '../../../../platform/database/failure.ts';
import { userErrors } from '../../users/errors.ts';
import type { VerifiedIdentity } from '../../users/model.ts';

/** The SQLSTATE of a second row with a unique value. */
export const uniqueViolation = '23505';

interface Replacement {
  userId: string;
  /** Id of the row, if it is a new one. */
  id: string;
  identity: VerifiedIdentity;
  at: Date;
}

/** Replaces the user's address or number within a transaction, or adds the first one. */
export async function replaceIn(
  within: Database,
  { userId, id, identity: { kind, key, value }, at }: Replacement,
): Promise<{ previous: VerifiedIdentity | undefined }> {
  // Changes of one user wait for one another, so that none works with an old list.
  const user = within.selectFrom('users').select('id').where('id', '=', userId).forUpdate();
  if ((await user.executeTakeFirst()) === undefined) throw userErrors.not_found();
  const own = await within
    .selectFrom('identities')
    .select(['id', 'kind', 'key', 'value'])
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('verified_at', 'is not', null)
    .orderBy('id')
    .execute();
  const [previous, ...further] = own;
  const same = further.find((each) => each.key === key);
  if (same !== undefined) await within.deleteFrom('identities').where('id', '=', same.id).execute();
  // In place, so that it stays the first one, which is the one that claims name.
  if (previous !== undefined)
    await within
      .updateTable('identities')
      .set({ key, value, verified_at: at })
      .where('id', '=', previous.id)
      .execute();
  else
    await within
      .insertInto('identities')
      .values({ id, user_id: userId, kind, key, value, verified_at: at, created_at: at })
      .execute();
  // What others have entered for it without a proof ends with this proof.
  await within
    .deleteFrom('identities')
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('verified_at', 'is', null)
    .execute();
  return { previous };
}

/** Replaces the addresses and numbers of users. */
export const createContactStore = (db: Database) => ({
  /**
   * Replaces the user's address or number, or adds the first one. Returns what it was before;
   * `taken` when another user has verified it. The unique index decides between two at once.
   */
  async replace(
    replacement: Replacement,
  ): Promise<{ previous: VerifiedIdentity | undefined } | 'taken'> {
    try {
      return await db.transaction().execute((within) => replaceIn(within, replacement));
    } catch (error) {
      if (errorCode(error) === uniqueViolation) return 'taken';
      throw error;
    }
  },
});

export type ContactStore = ReturnType<typeof createContactStore>;
