import { randomBytes, randomUUID } from 'node:crypto';
import type { RequestSource } from '../../../../platform/http/requests/request-origin.ts';
import { parseBackupCode } from '../../entered-codes.ts';
import { backupCodeHash, isBackupCode, newBackupCode } from './format.ts';
import type { FactorParts } from '../context.ts';
import type { BackupCode } from '../store.ts';

const codesPerSet = 10;

/** Backup codes. Each signs a user in once without the other factors. */
export function createBackupCodes({ store, record, keys, clock }: FactorParts) {
  /** The key, 32 bytes, that codes are hashed with. */
  const pepper = keys('backup-codes');
  return {
    /** Whether a code is right, which uses it up. */
    isRightBackupCode: async (userId: string, code: string): Promise<boolean> => {
      const letters = parseBackupCode(code);
      if (letters === undefined) return false;
      const unused = await store.unusedBackupCodes(userId);
      const match = unused.find((candidate) => isBackupCode(pepper, candidate, letters));
      return match !== undefined && store.useBackupCode(match.id, new Date(clock.now()));
    },

    /** Creates ten codes, which are shown once. Earlier ones stop working. */
    async newBackupCodes(
      userId: string,
      requestSource: RequestSource,
    ): Promise<{ codes: string[]; generatedAt: Date }> {
      const generatedAt = new Date(clock.now());
      const codes = Array.from({ length: codesPerSet }, newBackupCode);
      const records = codes.map((code) => toRecord(code, generatedAt));
      await store.replaceBackupCodes(userId, records);
      await record('backup_codes.generated', userId, requestSource, 'backup_code');
      return { codes, generatedAt };
    },
  };

  function toRecord(code: string, createdAt: Date): BackupCode {
    const salt = randomBytes(16).toString('hex');
    const hash = backupCodeHash(pepper, salt, parseBackupCode(code) ?? '');
    return { id: randomUUID(), salt, hash, createdAt };
  }
}
