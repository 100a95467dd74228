import { countryName } from '../../../../lib/places/country-names.ts';
import { formatChange, formatOrDash, shownTotals, formatCount } from '../../figures/format.ts';
import type { DashboardView } from '../../figures/schemas.dashboard.ts';

const maxNameLength = 80;

/** Sanitises a name from an event: one line, no control or bidi characters, limited length. */
function cleanName(text: string): string {
  const plain = text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return plain.length <= maxNameLength
    ? plain
    : `${plain.slice(0, maxNameLength - 1).toWellFormed()}…`;
}

const plural = (count: number, one: string): string =>
  `${formatCount(count)} ${one}${count === 1 ? '' : 's'}`;
const section = (title: string, lines: readonly string[]): string =>
  [title, ...(lines.length === 0 ? ['None in this time.'] : lines)].join('\n');

function formatTotals({ totals, change }: Pick<DashboardView, 'totals' | 'change'>): string {
  return shownTotals
    .map(([name, title, write]) => {
      const by = change?.[name] ?? null;
      const text = `${title}: ${formatOrDash(totals[name], write)}`;
      return by === null ? text : `${text} (${formatChange(by)})`;
    })
    .join('\n');
}

/**
 * Formats a report as plain text: totals with changes, and the top of each list. Paragraphs are
 * separated by blank lines.
 */
export function reportText(view: DashboardView): string {
  const visits = (
    list: DashboardView['sources'],
    none: string,
    name = (value: string): string => value,
  ) =>
    list.map(
      ({ value, visitors }) =>
        `${value === null ? none : cleanName(name(value))}: ${plural(visitors, 'visitor')}`,
    );
  return [
    formatTotals(view),
    section(
      'Pages',
      view.pages.map(
        ({ value, visitors, pageviews }) =>
          `${cleanName(value)}: ${plural(visitors, 'visitor')}, ${plural(pageviews, 'page view')}`,
      ),
    ),
    section('Sources', visits(view.sources, 'Direct, or not known')),
    section(
      'Countries',
      visits(view.countries, 'Not known', (code) => countryName(code) ?? code),
    ),
    section(
      'Events',
      view.events.map(
        ({ value, visitors, events }) =>
          `${cleanName(value)}: ${plural(visitors, 'visitor')}, ${plural(events, 'event')}`,
      ),
    ),
  ].join('\n\n');
}
