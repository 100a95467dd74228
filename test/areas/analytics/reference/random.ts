/** Creates a seeded random generator (mulberry32), so that a failing seed can be repeated. */
export function createRandom(seed: number) {
  let state = seed * 0x9e3779b1;

  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  const integer = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    integer,
    chance: (probability: number): boolean => next() < probability,
    pick: <T>(list: readonly T[]): T => list[integer(0, list.length - 1)]!,
  };
}

export type Random = ReturnType<typeof createRandom>;
