import { sql } from 'kysely';
import { createBatching } from '../../platform/database/batching.ts';
import { statementOver } from '../../platform/database/statement-over.ts';
import type { Database } from '../../platform/database/database.ts';

export interface TotpFactor {
  id: string;
  sealedSecret: string;
  lastStep: number;
  createdAt: Date;
  verifiedAt: Date | null;
  lastUsedAt: Date | null;
}

export interface BackupCode {
  id: string;
  salt: string;
  hash: string;
  createdAt: Date;
}

/** Second factors in SQL: nothing in it is enough to sign in with. */
export function createSecondFactorStore(db: Database) {
  const findFactors = statementOver<{ hasTotp: boolean; hasPasskey: boolean }, { id: 'uuid' }>(
    db,
    { id: 'uuid' },
    (given) => `
    select exists (select 1 from totp_factors where user_id = given.id and verified_at is not null) as "hasTotp",
      exists (select 1 from passkeys where user_id = given.id) as "hasPasskey"
    from ${given} order by given.nth`,
  );

  const factors = createBatching((userIds: readonly string[]) =>
    findFactors(userIds.map((id) => ({ id }))),
  );

  return {
    /** Which second factors count for the person: one question, for every sign-in asks it. */
    factorsOf: factors.add,

    async totpOf(userId: string): Promise<TotpFactor | undefined> {
      const row = await db
        .selectFrom('totp_factors')
        .selectAll()
        .where('user_id', '=', userId)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const {
        id,
        sealed_secret: sealedSecret,
        last_step: lastStep,
        created_at: createdAt,
        verified_at: verifiedAt,
        last_used_at: lastUsedAt,
      } = row;
      return { id, sealedSecret, lastStep, createdAt, verifiedAt, lastUsedAt };
    },

    /**
     * Puts an unverified app in the place of another unverified one. False when the person has a
     * verified one.
     */
    async putTotp(
      userId: string,
      { id, sealedSecret, createdAt }: Pick<TotpFactor, 'id' | 'sealedSecret' | 'createdAt'>,
    ): Promise<boolean> {
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('totp_factors')
        .values({
          id,
          user_id: userId,
          sealed_secret: sealedSecret,
          created_at: createdAt,
          verified_at: null,
          last_used_at: null,
        })
        .onConflict((conflict) =>
          conflict
            .column('user_id')
            .doUpdateSet({ id, sealed_secret: sealedSecret, created_at: createdAt, last_step: 0 })
            .where('totp_factors.verified_at', 'is', null),
        )
        .executeTakeFirst();
      return numInsertedOrUpdatedRows > 0n;
    },

    /**
     * Uses up a time step; the first one verifies the app. False when it, or a later one, was used
     * before.
     */
    async useStep(id: string, step: number, at: Date): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('totp_factors')
        .set({
          last_step: step,
          last_used_at: at,
          verified_at: sql<Date>`coalesce(verified_at, ${at})`,
        })
        .where('id', '=', id)
        .where('last_step', '<', step)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** False when there was none. */
    async removeTotp(userId: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('totp_factors')
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    async unusedBackupCodes(userId: string): Promise<BackupCode[]> {
      const rows = await db
        .selectFrom('backup_codes')
        .select(['id', 'salt', 'hash', 'created_at'])
        .where('user_id', '=', userId)
        .where('used_at', 'is', null)
        .execute();
      return rows.map(({ created_at: createdAt, ...code }) => ({ ...code, createdAt }));
    },

    /** Puts new codes in the place of all before, both or neither. */
    async replaceBackupCodes(userId: string, codes: readonly BackupCode[]): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('backup_codes').where('user_id', '=', userId).execute();
        await transaction
          .insertInto('backup_codes')
          .values(
            codes.map(({ createdAt, ...code }) => ({
              ...code,
              user_id: userId,
              created_at: createdAt,
              used_at: null,
            })),
          )
          .execute();
      });
    },

    /** False when it was used before: of two in the same moment one wins. */
    async useBackupCode(id: string, at: Date): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('backup_codes')
        .set({ used_at: at })
        .where('id', '=', id)
        .where('used_at', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}

export type SecondFactorStore = ReturnType<typeof createSecondFactorStore>;
