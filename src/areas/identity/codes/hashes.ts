import { createHmac } from 'node:crypto';
import type { Identifier } from '../../../lib/identifiers.ts';

/**
 * The HMACs that the store holds instead of identifiers and codes. `pepper`: 32 bytes kept outside
 * the store; without them a code's hash can't be brute-forced.
 */
export function createCodeHashes(pepper: Buffer) {
  const hash = (text: string) => createHmac('sha256', pepper).update(text).digest('base64url');
  return {
    hash,
    identifierHash: ({ kind, key }: Pick<Identifier, 'kind' | 'key'>) =>
      hash(`identifier ${kind} ${key}`),
    codeHash: (
      purpose: string,
      { channel, key }: Identifier,
      verificationId: string,
      code: string,
    ): string => hash(`v1 ${purpose} ${channel} ${verificationId} ${code} ${key}`),
  };
}

export type CodeHashes = ReturnType<typeof createCodeHashes>;
