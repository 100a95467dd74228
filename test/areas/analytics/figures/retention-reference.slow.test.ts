import fc from 'fast-check';
import { expect, it } from 'vitest';
import { systemRequester } from '../../../../src/platform/http/requests/requester.ts';
import { createRetention } from '../../../../src/areas/analytics/figures/retention.ts';
import { retentionUnits } from '../../../../src/areas/analytics/figures/schemas.retention.ts';
import { dayMs } from '../../../../src/lib/durations.ts';
import { type Pipeline, openPipeline } from '../reference/pipeline.ts';
import { replay } from '../reference/replay.ts';
import { randomFilter } from '../reference/queries.ts';
import { createRandom } from '../reference/random.ts';
import { type ReferenceRetention, referenceRetention } from '../reference/retention.ts';
import { openTrial } from '../reference/trial.ts';
import { changes, createWorld, eventsOf } from '../reference/world.ts';
import { defaultSettings } from '../site-data.ts';

const siteStub = {
  key: 'site',
  createdAt: new Date(0),
  closed: false,
  settings: defaultSettings,
  rules: undefined,
};

const queryArbitrary = fc.record({
  unit: fc.constantFrom(...retentionUnits),
  cohorts: fc.integer({ min: 2, max: 24 }),
  bots: fc.boolean(),
  filters: fc.integer({ min: 0, max: 2 }),
  /** Days since the start of the world. */
  at: fc.integer({ min: 8, max: 40 }),
  site: fc.nat({ max: 1 }),
});

async function cohortsOf(
  pipeline: Pipeline,
  { site, unit, cohorts, zone, now, filters, bots }: ReferenceRetention,
) {
  const retention = createRetention({
    queries: { retention: (query) => pipeline.reader().retention({ ...query, filters }) },
    sites: { peek: () => ({ ...siteStub, id: site }) },
    clock: { now: () => now },
  });
  const answer = await retention.getRetention(
    { site_id: 'site', unit, cohorts, timezone: zone, filter: undefined, bots },
    systemRequester('test'),
  );
  return answer.cohorts;
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);

it('the cohorts of random worlds equal a person-by-person count', async () => {
  let people = 0;
  let returned = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 1e6 }),
      fc.constantFrom(...changes),
      fc.array(queryArbitrary, { minLength: 8, maxLength: 8 }),
      async (seed, change, queries) => {
        const random = createRandom(seed);
        const options = { overMidnight: true, steady: random.chance(0.5) };
        const world = createWorld(random, change, options);
        const pipeline = await openPipeline();
        try {
          await replay(pipeline, random, world, async () => undefined);
          for (const { unit, cohorts, bots, filters: count, at, site: index } of queries) {
            const filters = Array.from({ length: count }, () => randomFilter(random));
            const now = world.from + at * dayMs + random.integer(0, dayMs);
            const site = world.sites[index] ?? 1;
            const query = { site, unit, cohorts, zone: world.zone, now, filters, bots };
            const counted = await cohortsOf(pipeline, query);
            const reference = referenceRetention(eventsOf(world.arrivals), query);
            expect(
              counted.map(({ start, visitors }) => ({ start: Date.parse(start), visitors })),
            ).toEqual(reference);
            for (const { size, visitors, returned: shares } of counted) {
              const [first = 0, ...later] = visitors;
              expect(size).toBe(first);
              const shareOf = (each: number) =>
                size === 0 ? null : Number(((100 * each) / size).toFixed(1));
              expect(shares).toEqual(visitors.map(shareOf));
              people += first;
              returned += sum(later);
            }
          }
        } finally {
          await pipeline.end();
        }
      },
    ),
    { numRuns: 18, seed: 7 },
  );
  // Empty cohorts would be equal however they were counted.
  expect(people).toBeGreaterThan(150);
  expect(returned).toBeGreaterThan(150);
}, 300_000);

it('a store of an earlier version keeps working and counts its old events by user id', async () => {
  const { pipeline, world } = await openTrial(0, createRandom(11), { overMidnight: true });
  const half = Math.floor(world.arrivals.length / 2);
  await pipeline.deliver(world.arrivals.slice(0, half), () => 100);
  await pipeline.query('ALTER TABLE events DROP COLUMN person');
  await pipeline.restart();
  await pipeline.deliver(world.arrivals.slice(half), () => 100);
  const end = world.end + dayMs;
  const [cohort] = (
    await pipeline.reader().retention({ siteId: 1, starts: [0], end, filters: [], bots: true })
  ).counts;
  expect(
    await pipeline.query(
      'SELECT count(*) FILTER (person IS NOT NULL) > 0, ' +
        'count(*) FILTER (person IS NULL AND user_id IS NOT NULL AND visitor_id <> 0) > 0 ' +
        'FROM events',
    ),
  ).toEqual([[true, true]]);
  expect(cohort?.[0]).toBeGreaterThan(3);
});
