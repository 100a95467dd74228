const whole = new Intl.NumberFormat('en');
const onePlace = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** `1,284`. */
export const count = (value: number): string => whole.format(value);

/** `38.2 %`; a dash without a value. */
export const percent = (value: number | null): string =>
  value === null ? '–' : `${onePlace.format(value)} %`;

/** At most one decimal place; a dash without a value. */
export const decimal = (value: number | null): string =>
  value === null ? '–' : onePlace.format(value);

/** Seconds as `1 m 34 s`; a dash without a value. */
export function duration(seconds: number | null): string {
  if (seconds === null) return '–';
  const all = Math.round(seconds);
  if (all < 60) return `${all} s`;
  if (all < 3600) return `${Math.floor(all / 60)} m ${all % 60} s`;
  if (all < 86_400) return `${Math.floor(all / 3600)} h ${Math.floor((all % 3600) / 60)} m`;
  return `${Math.floor(all / 86_400)} d ${Math.floor((all % 86_400) / 3600)} h`;
}

/** `duration` without a zero at its end: `1 h`, `90 s`, `1 d 2 h`. */
export const shortDuration = (seconds: number): string => duration(seconds).replace(/ 0 \w$/, '');

/** Bytes as `12.3 MB`. */
export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const step = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3));
  return `${onePlace.format(value / 1000 ** step)} ${units[step] ?? ''}`;
}

/** `1 session`, `2 sessions`. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;
