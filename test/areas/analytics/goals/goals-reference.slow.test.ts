import { describe, expect, it } from 'vitest';
import { rounds } from '../../../support/rounds.ts';
import { compareCohorts } from '../reference/cohorts.ts';
import { referenceFunnel, referenceGoals } from '../reference/goals.ts';
import { randomQuery, randomStep } from '../reference/queries.ts';
import { createRandom } from '../reference/random.ts';
import { replay } from '../reference/replay.ts';
import { closeAllVisits, openTrial, seeds, type Trial } from '../reference/trial.ts';
import { type Arrival, eventsOf } from '../reference/world.ts';

const worlds = rounds(9, 18);
/** How often each kind of question is asked of a world, before and after its visits are closed. */
const questions = rounds(5, 8);
/** Counts of non-trivial answers: worlds without any would prove nothing. */
const found = { goals: 0, revenue: 0, second: 0, fourth: 0, tied: 0, people: 0, returned: 0 };

async function compareAt(
  { pipeline, random, world }: Trial,
  arrived: readonly Arrival[],
  now: number,
): Promise<void> {
  const events = eventsOf(arrived);
  const { siteId, range, filters, bots } = randomQuery(random, world, now).query;
  const goalSteps = Array.from({ length: random.integer(0, 12) }, () => randomStep(random));
  const goals = { siteId, range, filters, bots, steps: goalSteps };
  const reached = await pipeline.reader().read('goals', goals);
  expect({ goals, reached }).toEqual({ goals, reached: referenceGoals(events, goals) });

  const wide = random.chance(0.7);
  const selection = random.chance(0.3)
    ? { range, filters }
    : { range: { from: world.from, to: world.end }, filters: [] };
  const steps = Array.from({ length: random.integer(2, 8) }, () => randomStep(random, wide));
  const within = random.pick(['visit', 'visitor'] as const);
  const funnel = { siteId, ...selection, bots, steps, within };
  const answer = await pipeline.reader().read('funnel', funnel);
  expect({ funnel, answer }).toEqual({ funnel, answer: referenceFunnel(events, funnel) });

  found.goals += reached.goals.filter((goal) => goal.events > 0).length;
  found.revenue += reached.goals.filter((goal) => goal.revenue.length > 0).length;
  found.second += Number((answer.steps[1]?.entered ?? 0) > 0);
  found.fourth += Number((answer.steps[3]?.entered ?? 0) > 0);
  found.tied += Number(answer.steps.some((step) => step.medianSeconds === 0));
}

describe('goals, funnels and cohorts of random worlds', () => {
  it.each(seeds(worlds))(
    'equal the brute-force reference in every member (seed %i, %s)',
    async (seed) => {
      const random = createRandom(5000 + seed);
      const options = { overMidnight: true, steady: random.chance(0.3) };
      const trial = await openTrial(seed, random, options);
      const { pipeline, world } = trial;
      const compareAtEnd = async () => {
        for (let question = 0; question < questions; question++) {
          await compareAt(trial, world.arrivals, world.end);
          const { people, returned } = await compareCohorts(trial);
          found.people += people;
          found.returned += returned;
        }
      };
      await replay(pipeline, random, world, (arrived, now) => compareAt(trial, arrived, now));
      await compareAtEnd();
      await closeAllVisits(trial);
      await compareAtEnd();
    },
  );

  it('cover goals that were reached, funnels that were gone through, and returns', () => {
    const asked = worlds * questions;
    expect(found.goals).toBeGreaterThan(asked * 1.4);
    expect(found.revenue).toBeGreaterThan(asked * 0.5);
    expect(found.second).toBeGreaterThan(asked * 0.5);
    expect(found.fourth).toBeGreaterThan(asked * 0.1);
    expect(found.tied).toBeGreaterThan(asked / 50);
    expect(found.people).toBeGreaterThan(asked);
    expect(found.returned).toBeGreaterThan(asked);
  });
});
