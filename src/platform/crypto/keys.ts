import { hkdfSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomSecret } from '../../lib/secrets/secrets.ts';
import { errorCode } from '../database/failure.ts';

/** Returns the 32-byte key for a purpose (HKDF-SHA-256, RFC 5869). Deterministic. */
export type Keys = (purpose: string) => Buffer;

const fileName = 'auth-secret';

async function readOrCreateSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, fileName);
  // `wx` never replaces an existing secret, which would invalidate every code and token made with
  // it.
  await writeFile(path, randomSecret(48), { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
  return readFile(path, 'utf8');
}

/**
 * Derives keys from `secret` (AUTH_SECRET), or from a generated one that is stored in `dataDir`.
 */
export async function openKeys({
  secret,
  dataDir,
}: {
  secret: string | undefined;
  dataDir: string;
}): Promise<Keys> {
  const root = secret ?? (await readOrCreateSecret(dataDir));
  const derivedKeys = new Map<string, Buffer>();
  return (purpose) => {
    const key =
      derivedKeys.get(purpose) ??
      Buffer.from(hkdfSync('sha256', root, '', `platform-service/${purpose}`, 32));
    derivedKeys.set(purpose, key);
    return key;
  };
}
