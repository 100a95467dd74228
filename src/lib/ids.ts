import { randomFillSync, randomUUID } from 'node:crypto';

/**
 * Returns a UUID version 7 (RFC 9562 §5.7) for the instant `ms` (Unix milliseconds). Ids of the
 * same millisecond are not ordered.
 */
export function uuidv7(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  // The random part of a version 4 UUID, for which Node caches random bytes.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

const countsPerMs = 0x1000;

/**
 * Returns `uuidv7` with ids of the same millisecond in the order of the calls: the twelve bits
 * after the version count them (RFC 9562 §6.2, method 1).
 */
export function createOrderedIds(): (ms: number) => string {
  let last: number | undefined;
  let count = 0;
  return (ms) => {
    count = ms === last ? (count + 1) % countsPerMs : 0;
    last = ms;
    const id = uuidv7(ms);
    return `${id.slice(0, 15)}${count.toString(16).padStart(3, '0')}${id.slice(18)}`;
  };
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** True for a UUID of any version in its text form (RFC 9562 §4), in either case. */
export const isUuid = (text: string): boolean => uuid.test(text);

/** Returns a function that generates random request ids (16 lower-case hex characters). */
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
