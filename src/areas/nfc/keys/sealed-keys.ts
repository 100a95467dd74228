import type { Seal } from '../../../lib/secrets/seal.ts';
import { nfcErrors } from '../errors.ts';

/**
 * Opens a key that is stored encrypted. Throws `nfc.keys_unreadable` if it was encrypted with
 * another AUTH_SECRET.
 */
export function openKey(seal: Seal, sealed: string): Buffer {
  const hex = seal.open(sealed);
  if (hex === undefined) throw nfcErrors.keys_unreadable();
  return Buffer.from(hex, 'hex');
}
