import { hkdfSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomSecret } from '../../lib/secrets/secrets.ts';
import { errorCode } from '../database/failure.ts';

/** The 32-byte key for a purpose (HKDF-SHA-256, RFC 5869), the same each time. */
export type Keys = (purpose: string) => Buffer;

const fileName = 'auth-secret';

async function storedSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, fileName);
  // `wx`: an existing secret is never replaced, for every code and token made with it would end.
  await writeFile(path, randomSecret(48), { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
  return readFile(path, 'utf8');
}

/** Derives keys from `secret` (AUTH_SECRET), or from one made once and kept in `dataDir`. */
export async function openKeys({
  secret,
  dataDir,
}: {
  secret: string | undefined;
  dataDir: string;
}): Promise<Keys> {
  const root = secret ?? (await storedSecret(dataDir));
  const known = new Map<string, Buffer>();
  return (purpose) => {
    const key =
      known.get(purpose) ??
      Buffer.from(hkdfSync('sha256', root, '', `platform-service/${purpose}`, 32));
    known.set(purpose, key);
    return key;
  };
}
