import { afterEach, describe, expect, it } from 'vitest';
import { rounds } from '../../../support/rounds.ts';
import { referenceDashboard } from '../reference/dashboard.ts';
import { type Pipeline, openPipeline } from '../reference/pipeline.ts';
import { replay } from '../reference/replay.ts';
import { randomQuery } from '../reference/queries.ts';
import { createRandom, type Random } from '../reference/random.ts';
import { attribute, type ReferenceEvent } from '../reference/visits.ts';
import { changes, createWorldMaker, dayMs, minuteMs, type World } from '../reference/world.ts';

const open: Pipeline[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((pipeline) => pipeline.end()));
});

async function newPipeline(): Promise<Pipeline> {
  const pipeline = await openPipeline();
  open.push(pipeline);
  return pipeline;
}

async function summariseAll(pipeline: Pipeline): Promise<void> {
  while ((await pipeline.store().writer.summarise()) > 0);
}

async function query(pipeline: Pipeline, sql: string) {
  const connection = await pipeline.store().connect();
  try {
    return (await connection.runAndReadAll(sql)).getRows();
  } finally {
    connection.closeSync();
  }
}

/** Returns the events that were not deleted, attributed to visitors as before the deletion. */
function remaining(
  events: readonly ReferenceEvent[],
  cutoffs: ReadonlyMap<number, number>,
): ReferenceEvent[] {
  return attribute(events)
    .filter(({ site, time }) => time >= (cutoffs.get(site) ?? 0))
    .map(({ visitor, ...event }) => ({
      ...event,
      hash: visitor ?? undefined,
      yesterday: undefined,
    }));
}

async function compare(
  pipeline: Pipeline,
  random: Random,
  world: World,
  cutoffs: ReadonlyMap<number, number>,
): Promise<void> {
  const events = remaining(
    world.arrivals.flatMap((arrival) => arrival.events),
    cutoffs,
  );
  const drops = world.arrivals
    .flatMap((arrival) => arrival.drops)
    .filter(({ site, hour }) => hour >= (cutoffs.get(site) ?? 0));
  for (let round = 0; round < 3; round++) {
    const { query } = randomQuery(random, world, world.end, round === 0);
    expect({ query, answer: await pipeline.reader().dashboard(query) }).toEqual({
      query,
      answer: referenceDashboard(events, drops, query),
    });
  }
}

describe('figures after old events of a site were deleted', () => {
  it.each(
    Array.from(
      { length: rounds(9, 18) },
      (_, seed) => [seed, changes[seed % changes.length]![0]] as const,
    ),
  )(
    'cover the remaining events, whatever was closed and summarised before (seed %i, %s)',
    async (seed) => {
      const random = createRandom(5000 + seed);
      const world = createWorldMaker(random, { overMidnight: true, steady: random.chance(0.5) })(
        changes[seed % changes.length]!,
      );
      const pipeline = await newPipeline();
      await replay(pipeline, random, world, async () => undefined);
      const cutoffs = new Map<number, number>();
      for (let round = 0; round < 3; round++) {
        if (random.chance(0.6))
          await pipeline.closeVisits(world.end + (random.chance(0.5) ? 90 * minuteMs : 0), true);
        if (random.chance(0.6)) await summariseAll(pipeline);
        const site = random.pick(world.sites);
        const at = random.integer(world.from - dayMs, world.end);
        const cutoff = Math.max(
          cutoffs.get(site) ?? 0,
          random.chance(0.7) ? Math.floor(at / dayMs) * dayMs : at,
        );
        const deleted = await pipeline.store().writer.deleteBefore(site, cutoff);
        const before = remaining(
          world.arrivals.flatMap((arrival) => arrival.events),
          cutoffs,
        );
        expect(deleted).toBe(
          before.filter((event) => event.site === site && event.time < cutoff).length,
        );
        cutoffs.set(site, cutoff);
        await compare(pipeline, random, world, cutoffs);
        if (random.chance(0.5)) await pipeline.checkpoint();
        if (random.chance(0.5)) await pipeline.restart();
        if (random.chance(0.5)) await summariseAll(pipeline);
        await compare(pipeline, random, world, cutoffs);
      }
      await pipeline.closeVisits(world.end + 90 * minuteMs, true);
      await summariseAll(pipeline);
      await compare(pipeline, random, world, cutoffs);
      for (const [site, cutoff] of cutoffs) {
        for (const [table, time] of [
          ['events', 'ts'],
          ['visits', 'started'],
          ['event_slots', 'slot'],
          ['visit_slots', 'slot'],
          ['dropped', 'hour'],
        ]) {
          const isByDay = table?.endsWith('slots') === true;
          const before = isByDay ? Math.floor(cutoff / dayMs) * dayMs : cutoff;
          expect(
            await query(
              pipeline,
              `SELECT count(*) FROM ${table}
                WHERE site_id = ${site} AND ${time} < make_timestamp_ms(${before})`,
            ),
          ).toEqual([[0n]]);
        }
        for (const table of ['visit_days', 'page_days', 'name_days', 'repeat_starts'])
          expect(
            await query(
              pipeline,
              `SELECT count(*) FROM ${table}
                WHERE site_id = ${site} AND day < ${Math.floor(cutoff / dayMs)}`,
            ),
          ).toEqual([[0n]]);
      }
    },
    60_000,
  );
});
