import fc from 'fast-check';
import { expect, it } from 'vitest';
import { systemRequester } from '../../../../src/platform/http/requests/requester.ts';
import { createRetention } from '../../../../src/areas/analytics/figures/retention.ts';
import { retentionUnits } from '../../../../src/areas/analytics/figures/schemas.retention.ts';
import { openPipeline } from '../reference/pipeline.ts';
import { replay } from '../reference/replay.ts';
import { randomFilter } from '../reference/queries.ts';
import { createRandom } from '../reference/random.ts';
import { referenceRetention } from '../reference/retention.ts';
import { changes, createWorldMaker, dayMs } from '../reference/world.ts';

const settings = {
  honour_gpc: true,
  honour_dnt: false,
  hosts: [],
  shields: { ips: [], countries: [], pages: [] },
  retention_days: null,
};
const siteStub = { key: 'site', createdAt: new Date(0), closed: false, settings, rules: undefined };

const queryArbitrary = fc.record({
  unit: fc.constantFrom(...retentionUnits),
  cohorts: fc.integer({ min: 2, max: 24 }),
  bots: fc.boolean(),
  filters: fc.integer({ min: 0, max: 2 }),
  /** Days since the start of the world. */
  at: fc.integer({ min: 8, max: 40 }),
  site: fc.nat({ max: 1 }),
});

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
        const world = createWorldMaker(random, { overMidnight: true, steady: random.chance(0.5) })(
          change,
        );
        const pipeline = await openPipeline();
        try {
          await replay(pipeline, random, world, async () => undefined);
          const events = world.arrivals.flatMap((arrival) => arrival.events);
          for (const { unit, cohorts, bots, filters: count, at, site: index } of queries) {
            const filters = Array.from({ length: count }, () => randomFilter(random));
            const [now, site] = [
              world.from + at * dayMs + random.integer(0, dayMs),
              world.sites[index] ?? 1,
            ];
            const retention = createRetention({
              queries: {
                retention: (query) => pipeline.reader().retention({ ...query, filters }),
              },
              sites: { peek: () => ({ ...siteStub, id: site }) },
              clock: { now: () => now },
            });
            const answer = await retention.getRetention(
              { site_id: 'site', unit, cohorts, timezone: world.zone, filter: undefined, bots },
              systemRequester('test'),
            );
            const reference = referenceRetention(events, {
              site,
              unit,
              cohorts,
              zone: world.zone,
              now,
              filters,
              bots,
            });
            expect(
              answer.cohorts.map(({ start, visitors }) => ({ start: Date.parse(start), visitors })),
            ).toEqual(reference);
            expect(answer.cohorts.map(({ size }) => size)).toEqual(
              reference.map(({ visitors }) => visitors[0]),
            );
            people += reference.reduce((sum, { visitors }) => sum + (visitors[0] ?? 0), 0);
            returned += reference.reduce(
              (sum, { visitors }) => sum + visitors.slice(1).reduce((all, each) => all + each, 0),
              0,
            );
            for (const { size, visitors, returned: shares } of answer.cohorts) {
              expect(shares).toEqual(
                visitors.map((each) =>
                  size === 0 ? null : Number(((100 * each) / size).toFixed(1)),
                ),
              );
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
  const random = createRandom(11);
  const world = createWorldMaker(random, { overMidnight: true })(changes[0]!);
  const pipeline = await openPipeline();
  try {
    const half = Math.floor(world.arrivals.length / 2);
    await pipeline.deliver(world.arrivals.slice(0, half), () => 100);
    const connection = await pipeline.store().connect();
    await connection.run('ALTER TABLE events DROP COLUMN person');
    connection.closeSync();
    await pipeline.restart();
    await pipeline.deliver(world.arrivals.slice(half), () => 100);
    const end = world.end + dayMs;
    const [cohort] = (
      await pipeline.reader().retention({ siteId: 1, starts: [0], end, filters: [], bots: true })
    ).counts;
    const rows = await pipeline.store().connect();
    const result = await rows.runAndReadAll(
      'SELECT count(*) FILTER (person IS NOT NULL) > 0, ' +
        'count(*) FILTER (person IS NULL AND user_id IS NOT NULL AND visitor_id <> 0) > 0 ' +
        'FROM events',
    );
    rows.closeSync();
    expect(result.getRows()).toEqual([[true, true]]);
    expect(cohort?.[0]).toBeGreaterThan(3);
  } finally {
    await pipeline.end();
  }
});
