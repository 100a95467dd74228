import type { Pipeline } from './pipeline.ts';
import type { Random } from './random.ts';
import type { Arrival, World } from './world.ts';

/** Does what may happen to a running pipeline between two deliveries. */
async function disturb(pipeline: Pipeline, random: Random, now: number): Promise<void> {
  pipeline.faults.append = random.chance(0.25);
  if (random.chance(0.7)) {
    pipeline.faults.closeVisits = random.chance(0.2);
    await pipeline.closeVisits(now, random.chance(0.7));
  }
  if (random.chance(0.4)) await pipeline.summariseAll();
  if (random.chance(0.3)) await pipeline.checkpoint();
  if (random.chance(0.25)) await pipeline.restart();
}

/**
 * Delivers a world to a pipeline in several batches, with faults and restarts in between, and calls
 * `compare` now and then with the arrivals so far.
 */
export async function replay(
  pipeline: Pipeline,
  random: Random,
  { arrivals, end }: World,
  compare: (arrived: readonly Arrival[], now: number) => Promise<void>,
): Promise<void> {
  const deliveries = random.integer(3, 6);
  for (let delivered = 0, index = 1; index <= deliveries; index++) {
    const next =
      index === deliveries ? arrivals.length : Math.floor((arrivals.length * index) / deliveries);
    const size = random.pick([10, 60, 250]);
    await pipeline.deliver(arrivals.slice(delivered, next), () => random.integer(1, size));
    delivered = next;
    const last = arrivals[delivered - 1]?.received ?? 0;
    const now = random.integer(last, arrivals[delivered]?.received ?? end);
    if (random.chance(0.5)) await disturb(pipeline, random, now);
    if (random.chance(0.3)) await compare(arrivals.slice(0, delivered), now);
  }
}
