const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** `1,284`. */
export const wholeNumber = (value: number): string => whole.format(value);

/** `12.3K`: for axes of charts that also have a table with exact numbers. */
export const shortNumber = (value: number): string => short.format(value);

/** The smallest of 1, 2, 5, 10, 20, 50, … that is at least `value`: the end of an axis. */
export function niceCeiling(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value) ?? 10 * power;
}
