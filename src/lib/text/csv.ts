/** The value of a cell; null for an empty one. */
export type Cell = string | number | null;

/**
 * Matches texts that a spreadsheet may run as a formula (OWASP, "CSV Injection"), and those that
 * look already escaped. Has the same meaning in JavaScript and RE2, because the event store uses it
 * in queries.
 */
export const formulaPattern = "^'*[=+\\-@\\t\\r\\n\uFF1D\uFF0B\uFF0D\uFF20]";

const dangerous = new RegExp(formulaPattern, 'u');

/** Protects a text against formula injection: prefixes a formula with an apostrophe. */
export const escapeFormula = (text: string): string => (dangerous.test(text) ? `'${text}` : text);

/** Restores a text from the output of `escapeFormula`. */
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && dangerous.test(text) ? text.slice(1) : text;

/** Formats a cell (RFC 4180). Numbers, including negative ones, are not escaped. */
function cellOf(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = escapeFormula(value);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Serializes rows as CSV (RFC 4180), with CRLF. */
export const toCsv = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
