/**
 * UUIDs that shared one slot of the set of remembered ids while its hash had no key: the steps of
 * that hash are invertible, so the last word of an id can be chosen to hit any slot. Today they
 * must cost no more than other ids.
 */
const slots = 1 << 18;
const multiplier = 0x85ebca6b;

const step = (hash: number, word: number): number =>
  Math.imul(hash ^ word, multiplier) ^ (hash >>> 13);

/** The inverse of `multiplier` modulo 2³², by Newton's method. */
function inverse(odd: number): number {
  let result = odd;
  for (let round = 0; round < 5; round++) result = Math.imul(result, 2 - Math.imul(odd, result));
  return result;
}

const undo = inverse(multiplier);

/** Returns the `word` for which `step(hash, word)` is `wanted`. */
const wordFor = (hash: number, wanted: number): number =>
  hash ^ Math.imul(wanted ^ (hash >>> 13), undo);

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');

/** Returns `count` UUIDs of site number `scope` that share the first slot of the old hash. */
export function collidingIds(count: number, scope = 1): string[] {
  return Array.from({ length: count }, (_, at) => {
    const [first, second, third] = [at, 0x4a004b00, 0x80000000];
    const head = [scope, first, second, third].reduce(step, 0x9e3779b9 | 0);
    // hash ^ (hash >>> 16), modulo the slots, is 7 for every hash whose upper half is 0.
    const last = wordFor(head, 7 % slots);
    const all = hex(first) + hex(second) + hex(third) + hex(last);
    return [
      all.slice(0, 8),
      all.slice(8, 12),
      all.slice(12, 16),
      all.slice(16, 20),
      all.slice(20),
    ].join('-');
  });
}
