import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const prefix = 'v1.';
const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts short texts for untrusted storage: AES-256-GCM (NIST SP 800-38D) with a random 12-byte
 * iv, encoded as `v1.` and base64url of iv, tag and ciphertext. `key` has 32 bytes and may encrypt
 * up to 2^32 texts.
 */
export function createSeal(key: Buffer) {
  function decrypt(bytes: Buffer): string {
    const decipher = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    return Buffer.concat([
      decipher.update(bytes.subarray(ivBytes + tagBytes)),
      decipher.final(),
    ]).toString('utf8');
  }

  return {
    /** Encrypts a text. The result differs each time. */
    seal(text: string): string {
      const iv = randomBytes(ivBytes);
      const encryption = createCipheriv(cipher, key, iv, { authTagLength: tagBytes });
      const ciphertext = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()]);
      return (
        prefix + Buffer.concat([iv, encryption.getAuthTag(), ciphertext]).toString('base64url')
      );
    },

    /** Decrypts a text; undefined when it was not sealed with this key or has been modified. */
    open(sealed: string): string | undefined {
      if (!sealed.startsWith(prefix)) return undefined;
      const text = sealed.slice(prefix.length);
      const bytes = Buffer.from(text, 'base64url');
      // Decoding ignores invalid characters, so the canonical encoding is compared.
      if (bytes.length < ivBytes + tagBytes || bytes.toString('base64url') !== text)
        return undefined;
      try {
        return decrypt(bytes);
      } catch {
        return undefined;
      }
    },
  };
}

export type Seal = ReturnType<typeof createSeal>;
