import type { House } from './house.ts';
import type { Random } from './random.ts';
import type { Arrival, World } from './world.ts';

/** What may happen to a running house between two deliveries. */
async function disturb(house: House, random: Random, now: number): Promise<void> {
  house.faults.append = random.chance(0.25);
  if (random.chance(0.7)) {
    house.faults.closeVisits = random.chance(0.2);
    await house.closeVisits(now, random.chance(0.7));
  }
  if (random.chance(0.4)) while ((await house.store().writer.summarise()) > 0);
  if (random.chance(0.3)) await house.checkpoint();
  if (random.chance(0.25)) await house.restart();
}

/**
 * Carries a world into a house, in several deliveries with faults and restarts between them; `ask`
 * now and then.
 */
export async function live(
  house: House,
  random: Random,
  { arrivals, end }: World,
  ask: (arrived: readonly Arrival[], now: number) => Promise<void>,
): Promise<void> {
  const deliveries = random.integer(3, 6);
  for (let taken = 0, index = 1; index <= deliveries; index++) {
    const upTo =
      index === deliveries ? arrivals.length : Math.floor((arrivals.length * index) / deliveries);
    const size = random.pick([10, 60, 250]);
    await house.deliver(arrivals.slice(taken, upTo), () => random.integer(1, size));
    taken = upTo;
    const last = arrivals[taken - 1]?.received ?? 0;
    const now = random.integer(last, arrivals[taken]?.received ?? end);
    if (random.chance(0.5)) await disturb(house, random, now);
    if (random.chance(0.3)) await ask(arrivals.slice(0, taken), now);
  }
}
