import { formatDuration } from '../../../platform/i18n/durations.ts';
import {
  formatChange as formatRatioChange,
  formatNumber,
  formatPercent as formatRatio,
} from '../../../platform/i18n/numbers.ts';

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
  ['visitors', 'Visitors', formatCount],
  ['visits', 'Visits', formatCount],
  ['pageviews', 'Page views', formatCount],
  ['bounce_rate', 'Bounce rate', formatPercent],
  ['visit_duration_mean', 'Visit duration', (seconds: number) => formatDuration(seconds)],
  ['views_per_visit', 'Views per visit', formatDecimal],
] as const;
