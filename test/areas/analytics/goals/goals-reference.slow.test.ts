import { describe, expect, it } from 'vitest';
import { rounds } from '../../../support/rounds.ts';
import { referenceFunnel, referenceGoals } from '../reference/goals.ts';
import { type Pipeline, openPipeline } from '../reference/pipeline.ts';
import { replay } from '../reference/replay.ts';
import { randomQuery, randomStep } from '../reference/queries.ts';
import { createRandom, type Random } from '../reference/random.ts';
import {
  type Arrival,
  changes,
  createWorldMaker,
  minuteMs,
  type World,
} from '../reference/world.ts';

const worlds = rounds(9, 18);
/** Counts of non-trivial answers: worlds without any would prove nothing. */
const found = { goals: 0, revenue: 0, second: 0, fourth: 0, tied: 0 };

async function compareAnswers(
  pipeline: Pipeline,
  random: Random,
  world: World,
  arrived: readonly Arrival[],
  now: number,
): Promise<void> {
  const events = arrived.flatMap((arrival) => arrival.events);
  const { siteId, range, filters, bots } = randomQuery(random, world, now).query;
  const goals = {
    siteId,
    range,
    filters,
    bots,
    steps: Array.from({ length: random.integer(0, 12) }, () => randomStep(random)),
  };
  const reached = await pipeline.reader().goals(goals);
  expect({ goals, reached }).toEqual({ goals, reached: referenceGoals(events, goals) });

  const wide = random.chance(0.7);
  const selection = random.chance(0.3)
    ? { range, filters }
    : { range: { from: world.from, to: world.end }, filters: [] };
  const steps = Array.from({ length: random.integer(2, 8) }, () => randomStep(random, wide));
  const funnel = {
    siteId,
    ...selection,
    bots,
    steps,
    within: random.pick(['visit', 'visitor'] as const),
  };
  const answer = await pipeline.reader().funnel(funnel);
  expect({ funnel, answer }).toEqual({ funnel, answer: referenceFunnel(events, funnel) });

  found.goals += reached.goals.filter((goal) => goal.events > 0).length;
  found.revenue += reached.goals.filter((goal) => goal.revenue.length > 0).length;
  found.second += Number((answer.steps[1]?.entered ?? 0) > 0);
  found.fourth += Number((answer.steps[3]?.entered ?? 0) > 0);
  found.tied += Number(answer.steps.some((step) => step.medianSeconds === 0));
}

describe('goals and funnels over random worlds', () => {
  it.each(
    Array.from(
      { length: worlds },
      (_, index) => [index, changes[index % changes.length]![0]] as const,
    ),
  )('equal the brute-force reference in every member (seed %i, %s)', async (seed) => {
    const random = createRandom(5000 + seed);
    const world = createWorldMaker(random, { overMidnight: true, steady: random.chance(0.3) })(
      changes[seed % changes.length]!,
    );
    const pipeline = await openPipeline();
    try {
      await replay(pipeline, random, world, (arrived, now) =>
        compareAnswers(pipeline, random, world, arrived, now),
      );
      for (let query = 0; query < 8; query++)
        await compareAnswers(pipeline, random, world, world.arrivals, world.end);
      await pipeline.closeVisits(world.end + 90 * minuteMs, true);
      for (let query = 0; query < 8; query++)
        await compareAnswers(pipeline, random, world, world.arrivals, world.end);
    } finally {
      await pipeline.end();
    }
  });

  it('cover goals that were reached and funnels that visitors went through', () => {
    expect(found.goals).toBeGreaterThan(worlds * 11);
    expect(found.revenue).toBeGreaterThan(worlds * 4);
    expect(found.second).toBeGreaterThan(worlds * 4);
    expect(found.fourth).toBeGreaterThan(worlds * 0.8);
    expect(found.tied).toBeGreaterThan(worlds / 6);
  });
});
