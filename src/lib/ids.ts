import { randomBytes, randomFillSync } from 'node:crypto';

/**
 * A UUID version 7 (RFC 9562 §5.7) for the instant `ms` (Unix milliseconds).
 * Ids of one process made in the same order sort in the same order only across milliseconds.
 */
export function uuidv7(ms: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(ms, 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Returns a function that makes short random request ids (16 lower-case hex characters). */
export function createRequestIds(): () => string {
  let used = 4096;
  const bytes = new Uint8Array(4096);
  return () => {
    if (used + 8 > bytes.length) {
      randomFillSync(bytes);
      used = 0;
    }
    const id = Buffer.from(bytes.buffer, used, 8).toString('hex');
    used += 8;
    return id;
  };
}
