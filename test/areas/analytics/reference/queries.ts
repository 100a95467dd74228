import {
  intervals,
  type RequestedPeriod,
  periods,
} from '../../../../src/areas/analytics/figures/periods/periods.ts';
import {
  type DashboardStoreQuery,
  eventDimensions,
  type Filter,
  operators,
  type Step,
  visitDimensions,
} from '../../../../src/areas/analytics/store/queries.ts';
import {
  countries,
  eventNames,
  languages,
  origins,
  pages,
  userIds,
  props,
  tags,
  titles,
} from './catalog.ts';
import { referencePeriod } from './periods.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

const texts = [
  ...[...pages, ...eventNames, ...titles, ...tags, ...countries, ...languages, ...userIds],
  ...['pageview', 'Google', 'Direct', 'shop.example'],
  ...origins.flatMap((origin) => Object.values(origin.dimensions)),
  ...Object.values(props).flat(),
  ...['Chrome', 'Safari', 'mobile', 'desktop', '17', 'Linux'],
];
const parts = ['%', '_', 'o', 'PRI', 'ü', '🎉', '"', `'`, '\\', '|', '', 'no such text'];
const patterns = [
  ...['^/pric', '[Ss]ignup$', '^$', '.', '%', 'o+', '^(Chrome|Google)$', '🎉', `['"]`, '\\d'],
  '^[^/]*$',
];

const dimensions: readonly Filter['dimension'][] = [
  ...eventDimensions,
  ...visitDimensions,
  ...Object.keys(props).map((key) => `props.${key}` as const),
  'props.no such key',
];

export function randomFilter(random: Random): Filter {
  const operator = random.pick(operators);
  const dimension = random.pick(dimensions);
  if (operator.startsWith('matches'))
    return { dimension, operator, values: [random.pick(patterns)] };
  const value = () =>
    operator.startsWith('contains') && random.chance(0.7)
      ? random.pick(parts)
      : random.chance(0.1)
        ? ''
        : random.pick(texts);
  return { dimension, operator, values: Array.from({ length: random.integer(1, 4) }, value) };
}

/** Returns filters by an event of the visit, half of the time with a detail of that event. */
function eventFilters(random: Random): Filter[] {
  const name = random.pick(eventNames);
  const operator = random.pick(['is', 'is', 'contains', 'is_not'] as const);
  const byName: Filter = { dimension: 'event', operator, values: [name] };
  const plan: Filter = { dimension: 'props.plan', operator: 'is_not', values: ['free'] };
  return random.chance(0.5) ? [byName] : [byName, plan];
}

const stepValues = [
  ...['*', '*', '/*', '/p*', '*o*', '/blog/*', '*ï*', '/a_*', '50%*', '*"*', '/back\\*', '*/*/*'],
  ...['s*p', 'S*', '%*', '_*', 'no such *', ...pages, ...eventNames, 'pageview'],
];
const stepDimensions = [
  ...eventDimensions.filter((dimension) => dimension !== 'event'),
  ...Object.keys(props).map((key) => `props.${key}` as const),
];

const wideSteps = [
  ['page', '*'],
  ['page', '/*'],
  ['page', '/b*'],
  ['page', '*i*'],
  ['event', '*'],
  ['event', '*s*'],
  ['event', '*u*'],
] as const;

/** Returns a random step; a `wide` one matches many events. */
export function randomStep(random: Random, wide = false): Step {
  if (wide) {
    const [kind, value] = random.pick(wideSteps);
    return {
      kind,
      value,
      filters: random.chance(0.2)
        ? [{ dimension: 'props.plan', operator: 'is_not', values: ['free'] }]
        : [],
    };
  }
  const filters = Array.from({ length: random.pick([0, 0, 0, 1, 2]) }, () => ({
    ...randomFilter(random),
    dimension: random.pick(stepDimensions),
  }));
  return { kind: random.chance(0.6) ? 'page' : 'event', value: random.pick(stepValues), filters };
}

const iso = (ms: number) => new Date(ms).toISOString();

export function randomPeriod(
  random: Random,
  { zone, from, end }: World,
  now: number,
): RequestedPeriod & { interval: NonNullable<RequestedPeriod['interval']> } {
  const period = random.pick(periods);
  const edges = [random.integer(from, end), random.integer(from, end)].sort((a, b) => a - b);
  const [first = 0, last = 0] = edges;
  const days = random.chance(0.5);
  const asText = (ms: number) => (days ? iso(ms).slice(0, 10) : iso(ms));
  const custom =
    period === 'custom'
      ? { from: asText(first), to: asText(days ? last : last + 1) }
      : { from: undefined, to: undefined };
  const interval =
    period === '12mo' ? random.pick(['day', 'week', 'month'] as const) : random.pick(intervals);
  const instants = period === '24h' || (period === 'custom' && !days);
  const compare = random.pick(
    instants ? ([undefined, 'previous'] as const) : ([undefined, 'previous', 'year'] as const),
  );
  return { period, ...custom, timezone: zone, interval, compare, now };
}

/**
 * Returns a query for one of the world's sites, with its period resolved by the reference. A
 * `plain` one has no filters and no bots.
 */
export function randomQuery(
  random: Random,
  world: World,
  now: number,
  plain = false,
): { period: ReturnType<typeof randomPeriod>; query: DashboardStoreQuery } {
  const period = randomPeriod(random, world, now);
  const { range, compare, buckets } = referencePeriod(period);
  return {
    period,
    query: {
      siteId: random.pick(world.sites),
      range,
      compare,
      buckets,
      now,
      filters: [
        ...Array.from({ length: plain ? 0 : random.pick([0, 0, 1, 1, 2]) }, () =>
          randomFilter(random),
        ),
        ...(!plain && random.chance(0.3) ? eventFilters(random) : []),
      ],
      bots: !plain && random.chance(0.25),
      goal: random.chance(0.5) ? randomStep(random, random.chance(0.7)) : undefined,
      limit: random.pick([1, 2, 3, 10, 1000]),
    },
  };
}
