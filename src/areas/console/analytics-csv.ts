import type { DashboardView } from '../analytics/schemas.dashboard.ts';

type Cell = string | number | null;

/** RFC 4180. A text that a spreadsheet would take for a formula gets a quote before it (OWASP, CSV injection). */
function cellOf(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as CSV (RFC 4180), with CRLF. */
export const csvText = (rows: readonly (readonly Cell[])[]): string => rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');

const visitLists = ['entry_pages', 'exit_pages', 'referrers', 'sources', 'channels', 'campaigns', 'countries', 'browsers', 'operating_systems', 'devices', 'languages'] as const;

/** All figures of a view in one table: which list, which value, and what was counted of it. */
export function figuresCsv({ totals, series, pages, events, ...lists }: DashboardView): string {
  const rows: Cell[][] = [
    ['list', 'value', 'visitors', 'visits', 'pageviews', 'events', 'bounce_rate', 'conversion_rate'],
    ['totals', '', totals.visitors, totals.visits, totals.pageviews, totals.events, totals.bounce_rate, null],
    ...series.map(({ start, visitors, visits, pageviews, events: times }): Cell[] => ['series', start, visitors, visits, pageviews, times, null, null]),
    ...pages.map(({ value, visitors, pageviews }): Cell[] => ['pages', value, visitors, null, pageviews, null, null, null]),
    ...events.map(({ value, visitors, events: times, conversion_rate: rate }): Cell[] => ['events', value, visitors, null, null, times, null, rate]),
    ...visitLists.flatMap((name) => lists[name].map(({ value, visitors, visits, bounce_rate: bounces }): Cell[] => [name, value, visitors, visits, null, null, bounces, null])),
  ];
  return csvText(rows);
}
