import { describe, expect, it } from 'vitest';
import { resolvePeriod } from '../../../../src/areas/analytics/figures/periods/periods.ts';
import { exportFormats } from '../../../../src/areas/analytics/store/queries.ts';
import { rounds } from '../../../support/rounds.ts';
import { referenceDashboard } from '../reference/dashboard.ts';
import {
  chosenForExport,
  exportedRows,
  randomExport,
  readExport,
  referenceSessions,
  sessionsIn,
  withoutSession,
} from '../reference/export.ts';
import { type Pipeline, openPipeline } from '../reference/pipeline.ts';
import { replay } from '../reference/replay.ts';
import { referencePeriod } from '../reference/periods.ts';
import { randomQuery } from '../reference/queries.ts';
import { createRandom, type Random } from '../reference/random.ts';
import { attribute } from '../reference/visits.ts';
import {
  type Arrival,
  changes,
  createWorldMaker,
  minuteMs,
  type World,
} from '../reference/world.ts';

// One for each change of the clock in `changes`, at least.
const worlds = rounds(9, 27);
const steadyWorlds = rounds(5, 9);

async function compareAnswers(
  pipeline: Pipeline,
  random: Random,
  world: World,
  arrived: readonly Arrival[],
  now: number,
  plain = false,
): Promise<void> {
  const { period, query } = randomQuery(random, world, now, plain);
  expect(resolvePeriod(period)).toEqual(referencePeriod(period));
  const answer = await pipeline.reader().dashboard(query);
  const events = arrived.flatMap((arrival) => arrival.events);
  const drops = arrived.flatMap((arrival) => arrival.drops);
  expect({ query, answer }).toEqual({
    query,
    answer: referenceDashboard(events, drops, query),
  });
  // Leaving the lists out changes no other member.
  const noLists = Object.fromEntries(Object.keys(answer.breakdowns).map((name) => [name, []]));
  expect({ query, alone: await pipeline.reader().dashboard({ ...query, limit: 0 }) }).toEqual({
    query,
    alone: { ...answer, pages: [], events: [], breakdowns: noLists },
  });
}

describe('the dashboard over random worlds', () => {
  it.each(
    Array.from(
      { length: worlds },
      (_, index) => [index, changes[index % changes.length]![0]] as const,
    ),
  )('equals the brute-force reference in every member (seed %i, %s)', async (seed) => {
    const random = createRandom(seed + 1);
    // With room for four open visits, visits are evicted long before they end, and so are
    // yesterday's visitors. Visits that span midnight need the large limit.
    const forgetful = random.chance(0.25);
    const world = createWorldMaker(random, { overMidnight: !forgetful })(
      changes[seed % changes.length]!,
    );
    const pipeline = await openPipeline({ maxOpen: forgetful ? 4 : 500_000 });
    try {
      await replay(pipeline, random, world, (arrived, now) =>
        compareAnswers(pipeline, random, world, arrived, now),
      );
      for (let query = 0; query < 2; query++)
        await compareAnswers(pipeline, random, world, world.arrivals, world.end);
      await pipeline.closeVisits(world.end + 90 * minuteMs, true);
      for (let query = 0; query < 2; query++)
        await compareAnswers(pipeline, random, world, world.arrivals, world.end);
    } finally {
      await pipeline.end();
    }
  });
});

async function summariseAll(pipeline: Pipeline): Promise<void> {
  while ((await pipeline.store().writer.summarise()) > 0);
}

/** Delivers the world in batches, each followed by the service's idle work and comparisons. */
async function liveSteadily(pipeline: Pipeline, random: Random, world: World): Promise<void> {
  const { arrivals, from, end } = world;
  for (let delivered = 0, at = from; delivered < arrivals.length;) {
    at = Math.min(end, at + random.integer(4, 40) * 60 * minuteMs);
    const nextIndex = arrivals.findIndex(({ received }) => received > at);
    const last = nextIndex === -1 ? arrivals.length : nextIndex;
    await pipeline.deliver(arrivals.slice(delivered, last), () => random.integer(1, 60));
    delivered = last;
    if (random.chance(0.8)) await pipeline.closeVisits(at, true);
    if (random.chance(0.8)) await summariseAll(pipeline);
    if (random.chance(0.15)) await pipeline.restart();
    if (random.chance(0.4))
      await compareAnswers(
        pipeline,
        random,
        world,
        arrivals.slice(0, delivered),
        at,
        random.chance(0.9),
      );
  }
}

describe('the dashboard over days that are summarised while events arrive', () => {
  it.each(
    Array.from(
      { length: steadyWorlds },
      (_, index) => [index, changes[index % changes.length]![0]] as const,
    ),
  )('equals the brute-force reference in every member (seed %i, %s)', async (seed) => {
    const random = createRandom(1000 + seed);
    const world = createWorldMaker(random, { overMidnight: true, steady: true })(
      changes[seed % changes.length]!,
    );
    const pipeline = await openPipeline();
    try {
      await liveSteadily(pipeline, random, world);
      // Visitors of a summarised day who return today are in the summary and in today's events.
      for (let query = 0; query < 9; query++)
        await compareAnswers(pipeline, random, world, world.arrivals, world.end, true);
      await pipeline.closeVisits(world.end + 90 * minuteMs, true);
      await summariseAll(pipeline);
      for (let query = 0; query < 3; query++)
        await compareAnswers(pipeline, random, world, world.arrivals, world.end, true);
    } finally {
      await pipeline.end();
    }
  });
});

describe('the export of a random world', () => {
  it.each(exportFormats.map((format, index) => [format, 40 + index] as const))(
    'contains every selected event once and complete, as %s',
    async (format, seed) => {
      const random = createRandom(seed);
      const world = createWorldMaker(random, { overMidnight: true })(
        changes[seed % changes.length]!,
      );
      const pipeline = await openPipeline();
      try {
        await replay(pipeline, random, world, (arrived, now) =>
          compareAnswers(pipeline, random, world, arrived, now),
        );
        const events = attribute(world.arrivals.flatMap((arrival) => arrival.events));
        for (let round = 0; round < 6; round++) {
          const query = randomExport(random, world, format);
          const wanted = chosenForExport(events, query);
          const rows = await readExport(pipeline, query);
          expect(rows.map(withoutSession)).toEqual(exportedRows(wanted, query));
          if (query.columns.includes('session_id'))
            expect(sessionsIn(rows)).toEqual(referenceSessions(events, wanted));
        }
      } finally {
        await pipeline.end();
      }
    },
  );
});
