import { sql } from 'kysely';
import { createBatcher } from '../../../platform/database/batcher.ts';
import { statementOver } from '../../../platform/database/statement-over.ts';
import type { Database } from '../../../platform/database/database.ts';

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

function createFactorLookup(db: Database) {
  const select = statementOver<{ hasTotp: boolean; hasPasskey: boolean }, { id: 'uuid' }>(
    db,
    { id: 'uuid' },
    (given) => `
    select
      exists (select 1 from totp_factors
        where user_id = given.id and verified_at is not null) as "hasTotp",
      exists (select 1 from passkeys where user_id = given.id) as "hasPasskey"
    from ${given} order by given.nth`,
  );
  return createBatcher((userIds: readonly string[]) => select(userIds.map((id) => ({ id }))));
}

/** Second factors in SQL. Their content is not enough to sign in with. */
export function createSecondFactorStore(db: Database) {
  return {
    async totpOf(userId: string): Promise<TotpFactor | undefined> {
      const query = db.selectFrom('totp_factors').selectAll().where('user_id', '=', userId);
      const row = await query.executeTakeFirst();
      if (row === undefined) return undefined;
      return {
        id: row.id,
        sealedSecret: row.sealed_secret,
        lastStep: row.last_step,
        createdAt: row.created_at,
        verifiedAt: row.verified_at,
        lastUsedAt: row.last_used_at,
      };
    },

    /** Replaces an unverified app. False when the user has a verified one. */
    async putTotp(
      userId: string,
      { id, sealedSecret, createdAt }: Pick<TotpFactor, 'id' | 'sealedSecret' | 'createdAt'>,
    ): Promise<boolean> {
      const secret = { id, sealed_secret: sealedSecret, created_at: createdAt };
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('totp_factors')
        .values({ ...secret, user_id: userId, verified_at: null, last_used_at: null })
        .onConflict((conflict) =>
          conflict
            .column('user_id')
            .doUpdateSet({ ...secret, last_step: 0 })
            .where('totp_factors.verified_at', 'is', null),
        )
        .executeTakeFirst();
      return numInsertedOrUpdatedRows > 0n;
    },

    /**
     * Marks a time step as used; the first one verifies the app. Returns false when it or a later
     * one was used before.
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

    /** Returns false when the user has no app. */
    async removeTotp(userId: string): Promise<boolean> {
      const query = db.deleteFrom('totp_factors').where('user_id', '=', userId);
      return (await query.executeTakeFirst()).numDeletedRows > 0n;
    },

    /** The verified factors of a user; batched, because every sign-in needs them. */
    factorsOf: createFactorLookup(db).add,

    async unusedBackupCodes(userId: string): Promise<BackupCode[]> {
      const rows = await db
        .selectFrom('backup_codes')
        .select(['id', 'salt', 'hash', 'created_at'])
        .where('user_id', '=', userId)
        .where('used_at', 'is', null)
        .execute();
      return rows.map(({ created_at: createdAt, ...code }) => ({ ...code, createdAt }));
    },

    /** Replaces all codes in one transaction. */
    async replaceBackupCodes(userId: string, codes: readonly BackupCode[]): Promise<void> {
      const rows = codes.map(({ createdAt, ...code }) => ({
        ...code,
        user_id: userId,
        created_at: createdAt,
        used_at: null,
      }));
      await db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('backup_codes').where('user_id', '=', userId).execute();
        await transaction.insertInto('backup_codes').values(rows).execute();
      });
    },

    /** Returns false when the code was used before; of concurrent calls, one gets true. */
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
