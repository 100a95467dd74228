/** What stands in a table; null is an empty cell. */
export type Cell = string | number | null;

/** RFC 4180. A text that a spreadsheet would take for a formula gets a quote before it (OWASP, CSV injection). */
function cellOf(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as CSV (RFC 4180), with CRLF. */
export const csvText = (rows: readonly (readonly Cell[])[]): string => rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
