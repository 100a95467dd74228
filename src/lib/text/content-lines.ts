/**
 * Escapes a value of vCard 3.0 (RFC 2426) or iCalendar (RFC 5545), so that it can neither start a
 * line nor another value.
 */
export const escapeValue = (value: string): string =>
  value.replace(/[\\;,]/g, String.raw`\$&`).replace(/\r\n?|\n/g, String.raw`\n`);

/** A time of iCalendar in UTC: `20260504T123456Z`. */
export const utcStamp = (time: string | number): string =>
  `${new Date(time).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;

/**
 * Joins content lines with CRLF, leaving out those without a value. Lines are not folded: many
 * scanners do not unfold them, and none has a limit of 75 bytes.
 */
export const contentLines = (lines: readonly [name: string, value: string | undefined][]): string =>
  lines
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}:${value ?? ''}\r\n`)
    .join('');
