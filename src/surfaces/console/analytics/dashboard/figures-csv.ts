import { rowName } from './breakdown-lists.ts';
import { type Cell, toCsv } from '../../../../lib/text/csv.ts';
import type { DashboardView } from '../../../../areas/analytics/figures/schemas.dashboard.ts';

const countNames = [
  'visitors',
  'visits',
  'pageviews',
  'events',
  'bounce_rate',
  'conversion_rate',
] as const;

type Counts = Partial<Record<(typeof countNames)[number], number | null | undefined>>;

/**
 * A row of the file. Counts that the list does not have are empty. `shown`: its name as the
 * dashboard has it, such as `Germany`.
 */
const row = (list: string, value: string | null, counts: Counts, shown = value): Cell[] => [
  list,
  value,
  ...countNames.map((name) => counts[name] ?? null),
  shown,
];

const visitLists = [
  'entry_pages',
  'exit_pages',
  'referrers',
  'sources',
  'channels',
  'campaigns',
  'countries',
  'browsers',
  'operating_systems',
  'devices',
  'languages',
] as const;

/** All figures of a view as one CSV table, with columns for the list, the value and its counts. */
export function figuresCsv({ totals, series, pages, events, ...lists }: DashboardView): string {
  return toCsv([
    ['list', 'value', ...countNames, 'name'],
    row('totals', '', totals),
    ...series.map(({ start, ...counts }) => row('series', start, counts)),
    ...pages.map(({ value, ...counts }) => row('pages', value, counts)),
    ...events.map(({ value, ...counts }) => row('events', value, counts)),
    ...visitLists.flatMap((name) =>
      lists[name].map(({ value, ...counts }) => row(name, value, counts, rowName(name, value))),
    ),
  ]);
}
