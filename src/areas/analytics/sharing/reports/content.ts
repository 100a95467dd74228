import { DateTime } from 'luxon';
import { readablePath } from '../../../../lib/text/readable-path.ts';
import { formatDay } from '../../../../platform/i18n/dates.ts';
import { formatOrDash, largestChange } from '../../../../platform/i18n/numbers.ts';
import type { Bar, Stat } from '../../../../platform/ui/mail/content.ts';
import { changeOfTotal } from '../../figures/changes.ts';
import { countryOf } from '../../figures/display-names.ts';
import { formatCount, formatPercent, shownTotals } from '../../figures/format.ts';
import type { DashboardView } from '../../figures/schemas.dashboard.ts';
import { texts } from '../../texts/en/reports.ts';
import { type Days, formatDays, type Frequency } from './periods.ts';

const maxNameLength = 80;

/** Sanitises a name from an event: one line, no control or bidi characters, limited length. */
function cleanName(text: string): string {
  const plain = text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  if (plain === '') return '–';
  return plain.length <= maxNameLength
    ? plain
    : `${plain.slice(0, maxNameLength - 1).toWellFormed()}…`;
}

const inWords = (count: number, words: typeof texts.visitors): string =>
  words({ count, shown: formatCount(count) });

/** The figures of a period and of the one before. */
interface Figures {
  now: DashboardView;
  change: DashboardView['change'];
  before: Pick<DashboardView, 'totals'>;
}

function headline({ now: { totals }, change }: Figures): string {
  const text = texts.headline;
  if (totals.visitors === 0) return text.none;
  const visitors = inWords(totals.visitors, texts.visitors);
  const by = change?.visitors ?? null;
  if (by === null) return visitors;
  const most = 100 * largestChange;
  if (by > most) return text.farUp({ visitors, by: formatPercent(most) });
  const shown = formatPercent(Math.abs(by));
  if (shown === formatPercent(0)) return text.unchanged({ visitors });
  return by > 0 ? text.up({ visitors, by: shown }) : text.down({ visitors, by: shown });
}

function preheader({ totals, pages }: DashboardView, days: Days): string {
  const facts = {
    days: formatDays(days),
    views: inWords(totals.pageviews, texts.pageviews),
    visits: inWords(totals.visits, texts.visits),
  };
  return pages.length === 0
    ? texts.preheader.alone(facts)
    : texts.preheader.withPages({
        ...facts,
        pages: pages.map(({ value }) => cleanName(readablePath(value))).join(', '),
      });
}

type Total = (typeof shownTotals)[number][0];

function changeOf(name: Total, { now, change, before }: Figures): Stat['change'] {
  const known = changeOfTotal(name, { totals: now.totals, before: before.totals, change });
  if (known === undefined) return undefined;
  const { text, direction, isGood } = known;
  return { text, tone: direction === 'same' ? 'neutral' : isGood ? 'good' : 'bad' };
}

const stats = (figures: Figures): Stat[] =>
  shownTotals.map(([name, label, write]) => ({
    label,
    value: formatOrDash(figures.now.totals[name], write),
    change: changeOf(name, figures),
  }));

/** Adds to each bar its length, of which the longest has 1. */
function withSizes<Row extends { visitors: number }>(
  rows: readonly Row[],
  describe: (row: Row) => Omit<Bar, 'size'>,
): Bar[] {
  const most = Math.max(1, ...rows.map(({ visitors }) => visitors));
  return rows.map((row) => ({ ...describe(row), size: row.visitors / most }));
}

/** The first week of a month may begin in the month before. */
function columnLabel(start: string, frequency: Frequency, { first }: Days, zone: string): string {
  const at = DateTime.fromISO(start, { zone, locale: 'en' });
  if (frequency === 'weekly') return at.toFormat('ccc d');
  const firstDay = DateTime.fromISO(first, { zone, locale: 'en' });
  return formatDay(DateTime.max(at, firstDay).toISO() ?? start, { timeZone: zone });
}

function lists({ pages, sources, countries, events }: DashboardView) {
  const text = texts.lists;
  const visits = (
    rows: DashboardView['sources'],
    none: string,
    name = (value: string): string => value,
  ) =>
    withSizes(rows, ({ value, visitors }) => ({
      label: value === null ? none : cleanName(name(value)),
      value: inWords(visitors, texts.visitors),
    }));
  const both = (value: string, visitors: number, detail: string) => ({
    label: cleanName(value),
    value: inWords(visitors, texts.visitors),
    detail,
  });
  return [
    {
      title: text.pages,
      bars: withSizes(pages, ({ value, visitors, pageviews }) =>
        both(readablePath(value), visitors, inWords(pageviews, texts.pageviews)),
      ),
    },
    { title: text.sources, bars: visits(sources, text.direct) },
    {
      title: text.countries,
      bars: visits(countries, text.unknown, countryOf),
    },
    {
      title: text.events,
      bars: withSizes(events, (row) =>
        both(row.value, row.visitors, inWords(row.events, texts.events)),
      ),
    },
  ].filter(({ bars }) => bars.length > 0);
}

/**
 * Formats the figures of a report: a headline, totals with changes, visitors over time, and the top
 * of each list. `now` has a series of days for a week, and of weeks for a month.
 */
export function reportContent(
  figures: Figures,
  { frequency, timezone }: { frequency: Frequency; timezone: string },
  days: Days,
) {
  const { now } = figures;
  return {
    headline: headline(figures),
    preheader: preheader(now, days),
    stats: stats(figures),
    columns: {
      title: texts.columns[frequency],
      bars: withSizes(now.series, ({ start, visitors }) => ({
        label: columnLabel(start, frequency, days, timezone),
        value: formatCount(visitors),
      })),
    },
    lists: lists(now),
  };
}

export type ReportContent = ReturnType<typeof reportContent>;
