import { randomBytes } from 'node:crypto';

const idsPerMs = 1024;

/**
 * Returns a function that generates ids for events without one: UUID version 8 (RFC 9562 §5.8).
 * The first half is random and constant, the second half is the time in ms and a counter. Such ids
 * are unique, and compress to 2 bytes each in the event store, instead of 16.
 */
export function createEventIds(): (now: number) => string {
  const head = randomBytes(8).toString('hex');
  const prefix = `${head.slice(0, 8)}-${head.slice(8, 12)}-8${head.slice(13, 16)}-`;
  let last = 0;
  return (now) => {
    last = Math.max(last + 1, now * idsPerMs);
    // 55 bits of time and counter, after the variant `10` and seven zero bits.
    const tail = last.toString(16).padStart(14, '0');
    return `${prefix}80${tail.slice(0, 2)}-${tail.slice(2)}`;
  };
}
