import { type Cell, csvText } from '../../../../lib/text/csv.ts';
import type { DashboardView } from '../../../../areas/analytics/figures/schemas.dashboard.ts';

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

/** All figures of a view in one table: which list, which value, and what was counted of it. */
export function figuresCsv({ totals, series, pages, events, ...lists }: DashboardView): string {
  const rows: Cell[][] = [
    [
      'list',
      'value',
      'visitors',
      'visits',
      'pageviews',
      'events',
      'bounce_rate',
      'conversion_rate',
    ],
    [
      'totals',
      '',
      totals.visitors,
      totals.visits,
      totals.pageviews,
      totals.events,
      totals.bounce_rate,
      null,
    ],
    ...series.map(({ start, visitors, visits, pageviews, events: times }): Cell[] => [
      'series',
      start,
      visitors,
      visits,
      pageviews,
      times,
      null,
      null,
    ]),
    ...pages.map(({ value, visitors, pageviews }): Cell[] => [
      'pages',
      value,
      visitors,
      null,
      pageviews,
      null,
      null,
      null,
    ]),
    ...events.map(({ value, visitors, events: times, conversion_rate: rate }): Cell[] => [
      'events',
      value,
      visitors,
      null,
      null,
      times,
      null,
      rate,
    ]),
    ...visitLists.flatMap((name) =>
      lists[name].map(({ value, visitors, visits, bounce_rate: bounces }): Cell[] => [
        name,
        value,
        visitors,
        visits,
        null,
        null,
        bounces,
        null,
      ]),
    ),
  ];
  return csvText(rows);
}
