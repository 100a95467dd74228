/** What stands in a table; null is an empty cell. */
export type Cell = string | number | null;

/**
 * Texts that a spreadsheet may run as a formula (OWASP, "CSV Injection"), and those that only look
 * as if they had been guarded already. Read alike by JavaScript and by RE2, so that the event store
 * can use it within a query.
 */
export const formulaStart = "^'*[=+\\-@\\t\\r\\n\uFF1D\uFF0B\uFF0D\uFF20]";

const dangerous = new RegExp(formulaStart, 'u');

/** A text as it may stand in a cell: one that would be a formula begins with an apostrophe. */
export const guarded = (text: string): string => (dangerous.test(text) ? `'${text}` : text);

/** The text that was guarded: what `guarded` wrote is read back exactly. */
export const unguarded = (text: string): string =>
  text.startsWith("'") && dangerous.test(text) ? text.slice(1) : text;

/** RFC 4180. Numbers stay numbers, negative ones too. */
function cellOf(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = guarded(value);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as CSV (RFC 4180), with CRLF. */
export const csvText = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
