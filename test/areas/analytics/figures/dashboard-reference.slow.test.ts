import { describe, expect, it } from 'vitest';
import { resolvePeriod } from '../../../../src/areas/analytics/figures/periods/periods.ts';
import { exportFormats } from '../../../../src/areas/analytics/store/queries.ts';
import { minuteMs } from '../../../../src/lib/durations.ts';
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
import { referencePeriod } from '../reference/periods.ts';
import { randomQuery } from '../reference/queries.ts';
import { createRandom } from '../reference/random.ts';
import { replay } from '../reference/replay.ts';
import { closeAllVisits, openTrial, seeds, type Trial } from '../reference/trial.ts';
import { attribute } from '../reference/visits.ts';
import { type Arrival, eventsOf } from '../reference/world.ts';

/** How many queries are asked until one is asked again, without lists. */
const untilBare = rounds(3, 1);
let asked = 0;

/** Compares the answer to a random query with the reference, at a time of the world. */
async function compareAt(
  { pipeline, random, world }: Trial,
  arrived: readonly Arrival[],
  now: number,
  isPlain = false,
): Promise<void> {
  const { period, query } = randomQuery(random, world, now, isPlain);
  expect(resolvePeriod(period)).toEqual(referencePeriod(period));
  const answer = await pipeline.reader().read('dashboard', query);
  const drops = arrived.flatMap((arrival) => arrival.drops);
  expect({ query, answer }).toEqual({
    query,
    answer: referenceDashboard(eventsOf(arrived), drops, query),
  });
  asked += 1;
  if (asked % untilBare > 0) return;
  // Leaving the lists out changes no other member.
  const noLists = Object.fromEntries(Object.keys(answer.breakdowns).map((name) => [name, []]));
  expect({
    query,
    alone: await pipeline.reader().read('dashboard', { ...query, limit: 0 }),
  }).toEqual({
    query,
    alone: { ...answer, pages: [], events: [], breakdowns: noLists },
  });
}

/** Compares answers when the whole world has arrived. */
async function compareAtEnd(trial: Trial, times: number, isPlain = false): Promise<void> {
  const { arrivals, end } = trial.world;
  for (let query = 0; query < times; query++) await compareAt(trial, arrivals, end, isPlain);
}

const live = (trial: Trial): Promise<void> =>
  replay(trial.pipeline, trial.random, trial.world, (arrived, now) =>
    compareAt(trial, arrived, now),
  );

describe('the dashboard over random worlds', () => {
  it.each(seeds(rounds(9, 27)))(
    'equals the brute-force reference in every member (seed %i, %s)',
    async (seed) => {
      const random = createRandom(seed + 1);
      // With room for four open visits, visits are evicted long before they end, and so are
      // yesterday's visitors. Visits that span midnight need the large limit.
      const forgetful = random.chance(0.25);
      const options = { overMidnight: !forgetful, ...(forgetful && { maxOpen: 4 }) };
      const trial = await openTrial(seed, random, options);
      await live(trial);
      await compareAtEnd(trial, 2);
      await closeAllVisits(trial);
      await compareAtEnd(trial, 2);
    },
  );
});

/** Delivers the world in batches, each followed by the service's idle work and comparisons. */
async function liveSteadily(trial: Trial): Promise<void> {
  const { pipeline, random, world } = trial;
  const { arrivals, from, end } = world;
  for (let delivered = 0, at = from; delivered < arrivals.length;) {
    at = Math.min(end, at + random.integer(4, 40) * 60 * minuteMs);
    const nextIndex = arrivals.findIndex(({ received }) => received > at);
    const last = nextIndex === -1 ? arrivals.length : nextIndex;
    await pipeline.deliver(arrivals.slice(delivered, last), () => random.integer(1, 60));
    delivered = last;
    if (random.chance(0.8)) await pipeline.closeVisits(at, true);
    if (random.chance(0.8)) await pipeline.summariseAll();
    if (random.chance(0.15)) await pipeline.restart();
    if (random.chance(0.4))
      await compareAt(trial, arrivals.slice(0, delivered), at, random.chance(0.9));
  }
}

describe('the dashboard over days that are summarised while events arrive', () => {
  it.each(seeds(rounds(5, 9)))(
    'equals the brute-force reference in every member (seed %i, %s)',
    async (seed) => {
      const random = createRandom(1000 + seed);
      const trial = await openTrial(seed, random, { overMidnight: true, steady: true });
      await liveSteadily(trial);
      // Visitors of a summarised day who return today are in the summary and in today's events.
      await compareAtEnd(trial, rounds(6, 9), true);
      await closeAllVisits(trial);
      await trial.pipeline.summariseAll();
      await compareAtEnd(trial, 3, true);
    },
  );
});

describe('the export of a random world', () => {
  it.each(exportFormats.map((format, index) => [format, 40 + index] as const))(
    'contains every selected event once and complete, as %s',
    async (format, seed) => {
      const random = createRandom(seed);
      const trial = await openTrial(seed, random, { overMidnight: true });
      await live(trial);
      const events = attribute(eventsOf(trial.world.arrivals));
      for (let round = 0; round < 6; round++) {
        const query = randomExport(random, trial.world, format);
        const wanted = chosenForExport(events, query);
        const rows = await readExport(trial.pipeline, query);
        expect(rows.map(withoutSession)).toEqual(exportedRows(wanted, query));
        if (query.columns.includes('session_id'))
          expect(sessionsIn(rows)).toEqual(referenceSessions(events, wanted));
      }
    },
  );
});
