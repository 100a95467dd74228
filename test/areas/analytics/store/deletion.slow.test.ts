import { describe, expect, it } from 'vitest';
import { dayMs, minuteMs } from '../../../../src/lib/durations.ts';
import { rounds } from '../../../support/rounds.ts';
import { referenceDashboard } from '../reference/dashboard.ts';
import { randomQuery } from '../reference/queries.ts';
import { createRandom } from '../reference/random.ts';
import { replay } from '../reference/replay.ts';
import { closeAllVisits, openTrial, seeds, type Trial } from '../reference/trial.ts';
import { attribute, type ReferenceEvent } from '../reference/visits.ts';
import { eventsOf, type World } from '../reference/world.ts';

/** Until when events are deleted, by site. */
type Cutoffs = ReadonlyMap<number, number>;

/** Returns the events that were not deleted, attributed to visitors as before the deletion. */
const remaining = (world: World, cutoffs: Cutoffs): ReferenceEvent[] =>
  attribute(eventsOf(world.arrivals))
    .filter(({ site, time }) => time >= (cutoffs.get(site) ?? 0))
    .map(({ visitor, ...event }) => ({
      ...event,
      hash: visitor ?? undefined,
      yesterday: undefined,
    }));

async function compare({ pipeline, random, world }: Trial, cutoffs: Cutoffs): Promise<void> {
  const events = remaining(world, cutoffs);
  const drops = world.arrivals
    .flatMap((arrival) => arrival.drops)
    .filter(({ site, hour }) => hour >= (cutoffs.get(site) ?? 0));
  for (let round = 0; round < rounds(2, 3); round++) {
    const { query } = randomQuery(random, world, world.end, round === 0);
    expect({ query, answer: await pipeline.reader().read('dashboard', query) }).toEqual({
      query,
      answer: referenceDashboard(events, drops, query),
    });
  }
}

/** Tables with their times: those of slots are kept by the day. */
const times = {
  events: 'ts',
  visits: 'started',
  event_slots: 'slot',
  visit_slots: 'slot',
  dropped: 'hour',
};
const tablesByDay = ['visit_days', 'page_days', 'name_days', 'repeat_starts'];

async function expectDeleted({ pipeline }: Trial, cutoffs: Cutoffs): Promise<void> {
  const count = (table: string, condition: string) =>
    pipeline.query(`SELECT count(*) FROM ${table} WHERE ${condition}`);
  for (const [site, cutoff] of cutoffs) {
    const day = Math.floor(cutoff / dayMs);
    for (const [table, time] of Object.entries(times)) {
      const before = time === 'slot' ? day * dayMs : cutoff;
      expect(
        await count(table, `site_id = ${site} AND ${time} < make_timestamp_ms(${before})`),
      ).toEqual([[0n]]);
    }
    for (const table of tablesByDay)
      expect(await count(table, `site_id = ${site} AND day < ${day}`)).toEqual([[0n]]);
  }
}

describe('figures after old events of a site were deleted', () => {
  it.each(seeds(rounds(9, 18)))(
    'cover the remaining events, whatever was closed and summarised before (seed %i, %s)',
    async (seed) => {
      const random = createRandom(5000 + seed);
      const options = { overMidnight: true, steady: random.chance(0.5) };
      const trial = await openTrial(seed, random, options);
      const { pipeline, world } = trial;
      await replay(pipeline, random, world, async () => undefined);
      const cutoffs = new Map<number, number>();
      for (let round = 0; round < 3; round++) {
        if (random.chance(0.6))
          await pipeline.closeVisits(world.end + (random.chance(0.5) ? 90 * minuteMs : 0), true);
        if (random.chance(0.6)) await pipeline.summariseAll();
        const site = random.pick(world.sites);
        const at = random.integer(world.from - dayMs, world.end);
        const cutoff = Math.max(
          cutoffs.get(site) ?? 0,
          random.chance(0.7) ? Math.floor(at / dayMs) * dayMs : at,
        );
        const deleted = await pipeline.store().writer.deleteBefore(site, cutoff);
        expect(deleted).toBe(
          remaining(world, cutoffs).filter((event) => event.site === site && event.time < cutoff)
            .length,
        );
        cutoffs.set(site, cutoff);
        await compare(trial, cutoffs);
        if (random.chance(0.5)) await pipeline.checkpoint();
        if (random.chance(0.5)) await pipeline.restart();
        if (random.chance(0.5)) await pipeline.summariseAll();
        await compare(trial, cutoffs);
      }
      await closeAllVisits(trial);
      await pipeline.summariseAll();
      await compare(trial, cutoffs);
      await expectDeleted(trial, cutoffs);
    },
    60_000,
  );
});
