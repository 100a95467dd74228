import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../../../../lib/clock.ts';
import type { RequestSource } from '../../../../platform/http/requests/request-origin.ts';
import { parseBackupCode } from '../../entered-codes.ts';
import { backupCodeHash, isBackupCode, newBackupCode } from './format.ts';
import type { RecordFactor } from '../factor-log.ts';
import type { BackupCode, SecondFactorStore } from '../store.ts';

export interface BackupCodesDeps {
  store: SecondFactorStore;
  record: RecordFactor;
  /** The key, 32 bytes, that codes are hashed with. */
  pepper: Buffer;
  clock: Clock;
}

const codesPerSet = 10;

/** Creates the function that checks backup codes. Each code works once. */
export function createBackupCodeCheck({ store, pepper, clock }: BackupCodesDeps) {
  return async (userId: string, code: string): Promise<boolean> => {
    const letters = parseBackupCode(code);
    if (letters === undefined) return false;
    const unused = await store.unusedBackupCodes(userId);
    const match = unused.find((candidate) => isBackupCode(pepper, candidate, letters));
    return match !== undefined && store.useBackupCode(match.id, new Date(clock.now()));
  };
}

/** Generates backup codes. Each signs a user in once without the other factors. */
export function createBackupCodes({ store, record, pepper, clock }: BackupCodesDeps) {
  function toRecord(code: string, createdAt: Date): BackupCode {
    const salt = randomBytes(16).toString('hex');
    const hash = backupCodeHash(pepper, salt, parseBackupCode(code) ?? '');
    return { id: randomUUID(), salt, hash, createdAt };
  }

  return {
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
}
