/** Pseudo-random numbers: the same seed gives the same sequence. */
export interface Random {
  /** From 0 (included) to 1 (excluded). */
  next: () => number;
  /** An integer from `from` to `to`, both included. */
  between: (from: number, to: number) => number;
  chance: (share: number) => boolean;
  /** Throws a RangeError for an empty list. */
  pick: <T>(list: readonly T[]) => T;
  /** A value, with a probability proportional to its weight. */
  weighted: <T>(list: readonly (readonly [value: T, weight: number])[]) => T;
  /** Exponentially distributed. */
  around: (mean: number) => number;
  /** Lower-case hex digits. */
  hex: (digits: number) => string;
}

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

/** Creates seeded random numbers: for made-up data, never for secrets. */
export function createRandom(seed: string): Random {
  const next = mulberry32(hashOf(seed));

  function pick<T>(list: readonly T[]): T {
    const at = Math.floor(next() * list.length);
    for (const value of list.slice(at, at + 1)) return value;
    throw new RangeError('there is nothing to pick from');
  }

  function weighted<T>(list: readonly (readonly [T, number])[]): T {
    let left = next() * list.reduce((sum, [, weight]) => sum + weight, 0);
    const found = list.find(([, weight]) => (left -= weight) < 0) ?? list.at(-1);
    if (found === undefined) throw new RangeError('there is nothing to pick from');
    return found[0];
  }

  return {
    next,
    pick,
    weighted,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (share) => next() < share,
    around: (mean) => -Math.log(1 - next()) * mean,
    hex: (digits) =>
      Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join(''),
  };
}
