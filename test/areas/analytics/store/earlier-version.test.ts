import { expect, it } from 'vitest';
import { dayMs } from '../../../../src/lib/durations.ts';
import { createRandom } from '../reference/random.ts';
import { openTrial } from '../reference/trial.ts';

it('a store of an earlier version keeps working and counts its old events by user id', async () => {
  const { pipeline, world } = await openTrial(0, createRandom(11), { overMidnight: true });
  const half = Math.floor(world.arrivals.length / 2);
  await pipeline.deliver(world.arrivals.slice(0, half), () => 100);
  await pipeline.query('ALTER TABLE events DROP COLUMN person');
  await pipeline.restart();
  await pipeline.deliver(world.arrivals.slice(half), () => 100);
  const end = world.end + dayMs;
  const [cohort] = (
    await pipeline
      .reader()
      .read('retention', { siteId: 1, starts: [0], end, filters: [], bots: true })
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
