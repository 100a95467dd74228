import { formatDuration } from '../../../platform/i18n/durations.ts';
import {
  formatChange as formatRatioChange,
  formatNumber,
  formatPercent as formatRatio,
} from '../../../platform/i18n/numbers.ts';
import { texts } from '../texts/en/figures.ts';

const { totals } = texts;

/** Formats a count: `1,284`. */
export const formatCount = (value: number): string => formatNumber(value);
/** Formats a number with at most one decimal: `2.8`. */
const formatDecimal = (value: number): string => formatNumber(value, { decimals: 1 });
/** Formats per cent: `36.6%`. */
export const formatPercent = (value: number): string => formatRatio(value / 100);
/** Formats a change in per cent: `+9.7%`. */
export const formatChange = (value: number): string => formatRatioChange(value / 100);
/** Formats a change of a rate in percentage points: `-0.4 pp`. */
export const formatPoints = (value: number): string =>
  `${formatNumber(value, { decimals: 1, signed: true })} pp`;

/** The totals to show: name, title and formatter. */
export const shownTotals = [
  ['visitors', totals.visitors, formatCount],
  ['visits', totals.visits, formatCount],
  ['pageviews', totals.pageviews, formatCount],
  ['bounce_rate', totals.bounceRate, formatPercent],
  ['visit_duration_mean', totals.visitDuration, (seconds: number) => formatDuration(seconds)],
  ['views_per_visit', totals.viewsPerVisit, formatDecimal],
] as const;
