import { expect } from 'vitest';
import { createRetention } from '../../../../src/areas/analytics/figures/retention.ts';
import { retentionUnits } from '../../../../src/areas/analytics/figures/schemas.retention.ts';
import { dayMs } from '../../../../src/lib/durations.ts';
import { systemRequester } from '../../../../src/platform/http/requests/requester.ts';
import { defaultSettings } from '../site-data.ts';
import type { Pipeline } from './pipeline.ts';
import { randomFilter } from './queries.ts';
import { type ReferenceRetention, referenceRetention } from './retention.ts';
import type { Trial } from './trial.ts';
import { eventsOf } from './world.ts';

const siteStub = {
  key: 'site',
  createdAt: new Date(0),
  closed: false,
  settings: defaultSettings,
  rules: undefined,
};

async function cohortsOf(
  pipeline: Pipeline,
  { site, unit, cohorts, zone, now, filters, bots }: ReferenceRetention,
) {
  const retention = createRetention({
    queries: { retention: (query) => pipeline.reader().read('retention', { ...query, filters }) },
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

/**
 * Compares the cohorts of a random question with the reference. Returns how many people they have,
 * in their first and in later periods.
 */
export async function compareCohorts({
  pipeline,
  random,
  world,
}: Trial): Promise<{ people: number; returned: number }> {
  const query = {
    site: random.pick(world.sites),
    unit: random.pick(retentionUnits),
    cohorts: random.integer(2, 24),
    zone: world.zone,
    now: world.from + random.integer(8 * dayMs, 41 * dayMs),
    filters: Array.from({ length: random.integer(0, 2) }, () => randomFilter(random)),
    bots: random.chance(0.5),
  };
  const found = { people: 0, returned: 0 };
  const counted = await cohortsOf(pipeline, query);
  const cohorts = counted.map(({ start, visitors }) => ({ start: Date.parse(start), visitors }));
  const reference = referenceRetention(eventsOf(world.arrivals), query);
  expect({ query, cohorts }).toEqual({ query, cohorts: reference });
  for (const { size, visitors, returned } of counted) {
    const [first = 0, ...later] = visitors;
    expect(size).toBe(first);
    const shareOf = (each: number) =>
      size === 0 ? null : Number(((100 * each) / size).toFixed(1));
    expect(returned).toEqual(visitors.map(shareOf));
    found.people += first;
    found.returned += sum(later);
  }
  return found;
}
