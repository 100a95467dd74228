import { onTestFinished } from 'vitest';
import { minuteMs } from '../../../../src/lib/durations.ts';
import { type Pipeline, openPipeline } from './pipeline.ts';
import type { Random } from './random.ts';
import { changes, createWorld, type World, type WorldOptions } from './world.ts';

/** A pipeline under test, and the random world that it is to live through. */
export interface Trial {
  random: Random;
  world: World;
  pipeline: Pipeline;
}

/** Cases for `it.each`: seeds with the zones of their worlds. Nine cover every change of clock. */
export const seeds = (count: number): [seed: number, zone: string][] =>
  Array.from({ length: count }, (_, seed) => [seed, changes[seed % changes.length]![0]]);

/** Creates a trial whose clocks change as those of `seed` do. It ends with the test. */
export async function openTrial(
  seed: number,
  random: Random,
  { maxOpen = 500_000, ...options }: WorldOptions & { maxOpen?: number },
): Promise<Trial> {
  const world = createWorld(random, changes[seed % changes.length]!, options);
  const pipeline = await openPipeline({ maxOpen });
  onTestFinished(() => pipeline.end());
  return { random, world, pipeline };
}

/** Closes all visits of a world that has ended. */
export const closeAllVisits = ({ pipeline, world }: Trial): Promise<void> =>
  pipeline.closeVisits(world.end + 90 * minuteMs, true);
