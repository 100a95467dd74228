import { mulberry32 } from '../../../../src/commands/demo/random.ts';

/** Creates a seeded random generator, so that a failing seed can be repeated. */
export function createRandom(seed: number) {
  const next = mulberry32(seed * 0x9e3779b1);
  const integer = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    integer,
    chance: (probability: number): boolean => next() < probability,
    pick: <T>(list: readonly T[]): T => list[integer(0, list.length - 1)]!,
  };
}

export type Random = ReturnType<typeof createRandom>;
