import type { DashboardView } from '../../../../areas/analytics/figures/schemas.dashboard.ts';
import { formatPoints } from '../../../../areas/analytics/figures/format.ts';
import type { ValueUnit } from '../../../../platform/ui/charts/value-ticks.ts';
import { count, decimal, duration, percent } from '../../components/number-format.ts';
import type { Metric, ViewParams } from '../view-params.ts';
import { texts } from '../texts/en.ts';

type Point = Omit<DashboardView['series'][number], 'start' | 'partial'>;

export interface MetricSpec {
  label: string;
  /** Its name among the totals. */
  total: keyof NonNullable<DashboardView['change']>;
  valueOf: (point: Point) => number | null;
  unit: ValueUnit;
  format: (value: number | null) => string;
  /** How two values differ. Default: in percent. */
  change?: (value: number, before: number) => string;
}

const words = texts.dashboard.totals;
const whole = { unit: 'whole', format: (value: number | null) => count(value ?? 0) } as const;

const specs: Readonly<Record<Metric, MetricSpec>> = {
  visitors: {
    ...whole,
    label: words.visitors,
    total: 'visitors',
    valueOf: ({ visitors }) => visitors,
  },
  visits: { ...whole, label: words.visits, total: 'visits', valueOf: ({ visits }) => visits },
  pageviews: {
    ...whole,
    label: words.pageviews,
    total: 'pageviews',
    valueOf: ({ pageviews }) => pageviews,
  },
  views_per_visit: {
    label: words.viewsPerVisit,
    total: 'views_per_visit',
    valueOf: ({ views_per_visit: views }) => views,
    unit: 'number',
    format: decimal,
  },
  bounce_rate: {
    label: words.bounceRate,
    total: 'bounce_rate',
    valueOf: ({ bounce_rate: rate }) => rate,
    unit: 'number',
    format: percent,
    change: (value, before) => formatPoints(value - before),
  },
  visit_duration_mean: {
    label: words.duration,
    total: 'visit_duration_mean',
    valueOf: ({ visit_duration_mean: mean }) => mean,
    unit: 'seconds',
    format: (value) => duration(value),
  },
  conversions: {
    ...whole,
    label: words.conversions,
    total: 'conversions',
    valueOf: ({ conversions = 0 }) => conversions,
  },
};

const events: MetricSpec = {
  ...whole,
  label: words.events,
  total: 'events',
  valueOf: ({ events: all }) => all,
};

/** What the tile and the chart of a metric show. Without a goal, all events are counted. */
export const metricSpec = (metric: Metric, { goal }: Pick<ViewParams, 'goal'>): MetricSpec =>
  metric === 'conversions' && goal === undefined ? events : specs[metric];
