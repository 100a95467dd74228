import { describe, expect, it } from 'vitest';
import { resolvePeriod } from '../../../../src/areas/analytics/figures/periods/periods.ts';
import { exportFormats } from '../../../../src/areas/analytics/store/questions.ts';
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
import { type House, openHouse } from '../reference/house.ts';
import { live } from '../reference/living.ts';
import { referencePeriod } from '../reference/periods.ts';
import { randomQuestion } from '../reference/questions.ts';
import { createRandom, type Random } from '../reference/random.ts';
import { attribute } from '../reference/visits.ts';
import {
  type Arrival,
  changes,
  createWorldMaker,
  minuteMs,
  type World,
} from '../reference/world.ts';

const rounds = 27;
const steadyRounds = Number(process.env.STEADY_ROUNDS ?? 9);

async function compareAnswers(
  house: House,
  random: Random,
  world: World,
  arrived: readonly Arrival[],
  now: number,
  plain = false,
): Promise<void> {
  const { period, question } = randomQuestion(random, world, now, plain);
  expect(resolvePeriod(period)).toEqual(referencePeriod(period));
  const answer = await house.reader().dashboard(question);
  const events = arrived.flatMap((arrival) => arrival.events);
  const drops = arrived.flatMap((arrival) => arrival.drops);
  expect({ question, answer }).toEqual({
    question,
    answer: referenceDashboard(events, drops, question),
  });
  // Without lists everything else stays as it is.
  const noLists = Object.fromEntries(Object.keys(answer.breakdowns).map((name) => [name, []]));
  expect({ question, alone: await house.reader().dashboard({ ...question, limit: 0 }) }).toEqual({
    question,
    alone: { ...answer, pages: [], events: [], breakdowns: noLists },
  });
}

describe('the dashboard over random worlds', () => {
  it.each(
    Array.from(
      { length: rounds },
      (_, index) => [index, changes[index % changes.length]![0]] as const,
    ),
  )('equals the brute-force reference in every member (seed %i, %s)', async (seed) => {
    const random = createRandom(seed + 1);
    // A memory of four visits forgets them long before they are over, yesterday's visitors too:
    // those only fit the big one.
    const forgetful = random.chance(0.25);
    const world = createWorldMaker(random, { overMidnight: !forgetful })(
      changes[seed % changes.length]!,
    );
    const house = await openHouse({ maxOpen: forgetful ? 4 : 500_000 });
    try {
      await live(house, random, world, (arrived, now) =>
        compareAnswers(house, random, world, arrived, now),
      );
      for (let question = 0; question < 2; question++)
        await compareAnswers(house, random, world, world.arrivals, world.end);
      await house.closeVisits(world.end + 90 * minuteMs, true);
      for (let question = 0; question < 2; question++)
        await compareAnswers(house, random, world, world.arrivals, world.end);
    } finally {
      await house.end();
    }
  });
});

async function addUp(house: House): Promise<void> {
  while ((await house.store().writer.summarise()) > 0);
}

/**
 * One delivery after the other, each followed by what the service does when it is idle, and by
 * questions.
 */
async function liveSteadily(house: House, random: Random, world: World): Promise<void> {
  const { arrivals, from, end } = world;
  for (let taken = 0, at = from; taken < arrivals.length;) {
    at = Math.min(end, at + random.integer(4, 40) * 60 * minuteMs);
    const upTo = arrivals.findIndex(({ received }) => received > at);
    const last = upTo === -1 ? arrivals.length : upTo;
    await house.deliver(arrivals.slice(taken, last), () => random.integer(1, 60));
    taken = last;
    if (random.chance(0.8)) await house.closeVisits(at, true);
    if (random.chance(0.8)) await addUp(house);
    if (random.chance(0.15)) await house.restart();
    if (random.chance(0.4))
      await compareAnswers(house, random, world, arrivals.slice(0, taken), at, random.chance(0.9));
  }
}

describe('the dashboard over days that are added up while events come', () => {
  it.each(
    Array.from(
      { length: steadyRounds },
      (_, index) => [index, changes[index % changes.length]![0]] as const,
    ),
  )('equals the brute-force reference in every member (seed %i, %s)', async (seed) => {
    const random = createRandom(1000 + seed);
    const world = createWorldMaker(random, { overMidnight: true, steady: true })(
      changes[seed % changes.length]!,
    );
    const house = await openHouse();
    try {
      await liveSteadily(house, random, world);
      // Who came on a day that is added up, and comes today: counted there, and looked at here.
      for (let question = 0; question < 9; question++)
        await compareAnswers(house, random, world, world.arrivals, world.end, true);
      await house.closeVisits(world.end + 90 * minuteMs, true);
      await addUp(house);
      for (let question = 0; question < 3; question++)
        await compareAnswers(house, random, world, world.arrivals, world.end, true);
    } finally {
      await house.end();
    }
  });
});

describe('the export of a random world', () => {
  it.each(exportFormats.map((format, index) => [format, 40 + index] as const))(
    'has exactly the events, each once and whole, as %s',
    async (format, seed) => {
      const random = createRandom(seed);
      const world = createWorldMaker(random, { overMidnight: true })(
        changes[seed % changes.length]!,
      );
      const house = await openHouse();
      try {
        await live(house, random, world, (arrived, now) =>
          compareAnswers(house, random, world, arrived, now),
        );
        const events = attribute(world.arrivals.flatMap((arrival) => arrival.events));
        for (let round = 0; round < 6; round++) {
          const question = randomExport(random, world, format);
          const wanted = chosenForExport(events, question);
          const rows = await readExport(house, question);
          expect(rows.map(withoutSession)).toEqual(exportedRows(wanted, question));
          if (question.columns.includes('session_id'))
            expect(sessionsIn(rows)).toEqual(referenceSessions(events, wanted));
        }
      } finally {
        await house.end();
      }
    },
  );
});
