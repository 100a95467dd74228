const [first, last] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/**
 * True when an instant (Unix ms) is in the years 1 to 9999 of UTC. RFC 3339 and PostgreSQL require
 * four digits, and a UTC offset can lead out of this range.
 */
export const hasFourDigitYear = (ms: number): boolean => ms >= first && ms <= last;

// A plus sign that a query string has not escaped arrives as a space.
const written = new RegExp(
  String.raw`^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d+))?` +
    String.raw`(?: ?([Zz])| ?([+\-\u2212 ])(\d\d)(?::?(\d\d))?)?$`,
);

/**
 * Returns a date and time in the form that RFC 3339 recommends: `2026-05-01T10:00:00+02:00`. Reads
 * what RFC 3339 §5.6 and ISO 8601 also allow: `t`, `z`, a space instead of `T`, a comma before the
 * fraction, and offsets like `+0200`, `+02` and `−02:00`. Returns other texts unchanged.
 */
export function canonicalInstant(text: string): string {
  if (text[10] === 'T' && text.endsWith('Z') && !text.includes(',')) return text;
  const match = written.exec(text);
  if (match === null) return text;
  const [, day = '', time = '', fraction, zulu, sign, hours, minutes = '00'] = match;
  const zone =
    zulu === undefined
      ? sign === undefined || hours === undefined
        ? ''
        : `${sign === ' ' ? '+' : sign === '\u2212' ? '-' : sign}${hours}:${minutes}`
      : 'Z';
  return `${day}T${time}${fraction === undefined ? '' : `.${fraction}`}${zone}`;
}

/** Numbers from here on are not seconds, ms and µs anymore: those would be after the year 5138. */
const [leastMs, leastUs, leastNs] = [1e11, 1e14, 1e17];

/**
 * Converts a Unix time to ms. Its unit is told by its size: seconds below 10^11, milliseconds below
 * 10^14, microseconds below 10^17, else nanoseconds.
 */
export function unixMs(time: number): number {
  if (time < leastMs) return Math.round(time * 1000);
  if (time < leastUs) return Math.round(time);
  return Math.round(time / (time < leastNs ? 1e3 : 1e6));
}

/** Converts a Unix time, also as text, or a canonical instant to Unix ms. */
export function timeMs(time: number | string): number {
  if (typeof time === 'number') return unixMs(time);
  return time.includes('T') ? Date.parse(time) : unixMs(Number(time));
}
