const wholeFormat = new Intl.NumberFormat('en');
const fractionFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const signedFormat = new Intl.NumberFormat('en', {
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

/** A count: `1,284`. */
export const whole = (value: number): string => wholeFormat.format(value);
/** With one digit behind the point, if it has one: `2.8`. */
export const fraction = (value: number): string => fractionFormat.format(value);
export const perCent = (value: number): string => `${fraction(value)} %`;
/** A change in per cent: `+9.7 %`. */
export const changed = (value: number): string => `${signedFormat.format(value)} %`;

/** Seconds as people say them: `1 min 34 s`. */
export function duration(seconds: number): string {
  const [minutes, rest] = [Math.floor(Math.round(seconds) / 60), Math.round(seconds) % 60];
  return minutes === 0 ? `${rest} s` : `${minutes} min ${rest} s`;
}

/** What is null where nothing was measured. */
export const orNone = (value: number | null, write: (value: number) => string): string =>
  value === null ? '–' : write(value);

/** The totals that people are shown: name, title, and how it is written. */
export const shownTotals = [
  ['visitors', 'Visitors', whole],
  ['visits', 'Visits', whole],
  ['pageviews', 'Page views', whole],
  ['bounce_rate', 'Bounce rate', perCent],
  ['visit_duration_mean', 'Visit duration', duration],
  ['views_per_visit', 'Views per visit', fraction],
] as const;
