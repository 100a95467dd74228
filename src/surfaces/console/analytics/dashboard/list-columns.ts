import { count, duration, percent } from '../../components/number-format.ts';
import { texts } from '../texts/en.ts';
import { type BreakdownName, rowName } from './breakdown-lists.ts';

const { columns: titles } = texts.breakdowns;

/** A row of any list: each has some of the figures. */
export interface ListRow {
  value: string | null;
  visitors: number;
  pageviews?: number;
  events?: number;
  bounce_rate?: number;
  engaged_seconds?: number | null;
  scroll_depth?: number | null;
  conversions?: number | undefined;
  conversion_rate?: number | null | undefined;
}

type Figure = Exclude<keyof ListRow, 'value'>;

export interface ListColumn {
  figure: Figure;
  title: string;
  write: (value: number | null) => string;
  isMinor?: boolean;
}

const whole = (value: number | null): string => count(value ?? 0);

const all = {
  visitors: { figure: 'visitors', title: titles.visitors, write: whole },
  pageviews: { figure: 'pageviews', title: titles.views, write: whole },
  events: { figure: 'events', title: titles.events, write: whole },
  bounceRate: { figure: 'bounce_rate', title: titles.bounceRate, write: percent },
  engaged: {
    figure: 'engaged_seconds',
    title: titles.engagedTime,
    write: duration,
    isMinor: true,
  },
  scroll: { figure: 'scroll_depth', title: titles.scrollDepth, write: percent, isMinor: true },
  conversion: { figure: 'conversion_rate', title: titles.conversion, write: percent },
  conversions: { figure: 'conversions', title: titles.conversions, write: whole },
  rate: { figure: 'conversion_rate', title: titles.rate, write: percent },
} as const satisfies Record<string, ListColumn>;

/** The columns of a list after the name. The first orders it, unless asked otherwise. */
export function listColumns(name: BreakdownName, hasGoal: boolean): readonly ListColumn[] {
  if (name === 'events') return [all.events, { ...all.visitors, isMinor: true }, all.conversion];
  const goal = [all.conversions, all.rate];
  if (name === 'pages')
    return [all.pageviews, all.visitors, ...(hasGoal ? goal : [all.engaged, all.scroll])];
  return [all.visitors, ...(hasGoal ? goal : [all.bounceRate])];
}

const figureOf = (row: ListRow, figure: Figure): number => row[figure] ?? -1;

/** What orders a list: a figure, the largest first, or the name. A `-` before it turns it round. */
export interface ListOrder {
  by: Figure | 'name';
  isReversed: boolean;
}

/** Reads the order from an address. Undefined: the list's own. */
export function readOrder(
  text: string | undefined,
  columns: readonly ListColumn[],
): ListOrder | undefined {
  const [, sign = '', by = ''] = /^(-?)(\w+)$/.exec(text ?? '') ?? [];
  if (by === 'name') return { by, isReversed: sign !== '' };
  const found = columns.find(({ figure }) => figure === by);
  return found && { by: found.figure, isReversed: sign !== '' };
}

export const orderText = ({ by, isReversed }: ListOrder): string => `${isReversed ? '-' : ''}${by}`;

/** Orders rows. Those alike stay as they were. */
export function sortRows<Row extends ListRow>(
  rows: readonly Row[],
  name: BreakdownName,
  { by, isReversed }: ListOrder,
): Row[] {
  const compare = (a: Row, b: Row): number =>
    by === 'name'
      ? rowName(name, a.value).localeCompare(rowName(name, b.value), 'en')
      : figureOf(b, by) - figureOf(a, by);
  return rows.toSorted((a, b) => (isReversed ? compare(b, a) : compare(a, b)));
}
