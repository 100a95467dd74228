/** Values with their weights. */
export type Choices<T> = readonly (readonly [value: T, weight: number])[];

/** Pseudo-random numbers: the same seed gives the same sequence. */
export type Random = ReturnType<typeof createRandom>;

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** mulberry32: 32 bits of state, good enough for made-up data. */
export function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Reads choices that are written as `DE 46, AT 9`; a value may have spaces. */
export const choices = (text: string): Choices<string> =>
  text.split(', ').map((each) => {
    const at = each.lastIndexOf(' ');
    return [each.slice(0, at), Number(each.slice(at + 1))];
  });

/** Creates seeded random numbers: for made-up data, never for secrets. */
export function createRandom(seed: string) {
  const next = mulberry32(hashOf(seed));

  /** Throws a RangeError for an empty list. */
  function weighted<T>(list: Choices<T>): T {
    let left = next() * list.reduce((sum, [, weight]) => sum + weight, 0);
    const found = list.find(([, weight]) => (left -= weight) < 0) ?? list.at(-1);
    if (found === undefined) throw new RangeError('there is nothing to pick from');
    return found[0];
  }

  return {
    /** From 0 (included) to 1 (excluded). */
    next,
    weighted,
    pick: <T>(list: readonly T[]): T => weighted(list.map((each) => [each, 1])),
    /** An integer from `from` to `to`, both included. */
    between: (from: number, to: number): number => from + Math.floor(next() * (to - from + 1)),
    chance: (share: number): boolean => next() < share,
    /** Exponentially distributed. */
    around: (mean: number): number => -Math.log(1 - next()) * mean,
    /** Lower-case hex digits. */
    hex: (digits: number): string =>
      Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join(''),
  };
}
