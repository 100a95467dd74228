const wholeFormat = new Intl.NumberFormat('en');
const fractionFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const signedFormat = new Intl.NumberFormat('en', {
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

/** Formats a count: `1,284`. */
export const formatCount = (value: number): string => wholeFormat.format(value);
/** Formats a number with at most one decimal: `2.8`. */
const formatDecimal = (value: number): string => fractionFormat.format(value);
/** Formats per cent: `36.6 %`. */
export const formatPercent = (value: number): string => `${formatDecimal(value)} %`;
/** Formats a change in per cent: `+9.7 %`. */
export const formatChange = (value: number): string => `${signedFormat.format(value)} %`;

/** Formats a change of a rate in percentage points: `-0.4 pp`. */
export const formatPoints = (value: number): string => `${signedFormat.format(value)} pp`;

/** Formats seconds: `1 min 34 s`. */
function formatDuration(seconds: number): string {
  const [minutes, rest] = [Math.floor(Math.round(seconds) / 60), Math.round(seconds) % 60];
  return minutes === 0 ? `${rest} s` : `${minutes} min ${rest} s`;
}

/** Formats a value with `write`; a dash for null, when nothing was measured. */
export const formatOrDash = (value: number | null, write: (value: number) => string): string =>
  value === null ? '–' : write(value);

/** The totals to show: name, title and formatter. */
export const shownTotals = [
  ['visitors', 'Visitors', formatCount],
  ['visits', 'Visits', formatCount],
  ['pageviews', 'Page views', formatCount],
  ['bounce_rate', 'Bounce rate', formatPercent],
  ['visit_duration_mean', 'Visit duration', formatDuration],
  ['views_per_visit', 'Views per visit', formatDecimal],
] as const;
