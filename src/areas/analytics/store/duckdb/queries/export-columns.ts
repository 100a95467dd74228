import { formulaPattern } from '../../../../../lib/text/csv.ts';
import type { ExportColumn } from '../../queries.ts';
import { type DictionaryColumn, dictionaryColumns } from '../../events.ts';

const iso = (column: string) => `strftime(e.${column}::TIMESTAMP, '%Y-%m-%dT%H:%M:%S.%gZ')`;
// Converted directly from FLOAT to JSON, 0.1 would become 0.10000000149011612.
const short = (column: string) => `e.${column}::VARCHAR::DOUBLE`;
const hex = (column: string) => `CASE WHEN e.${column} <> 0 THEN printf('%016x', e.${column}) END`;

/** Computed columns of an export. */
const expressions: Partial<Record<ExportColumn, string>> = {
  id: 'e.event_id::VARCHAR',
  timestamp: iso('ts'),
  received_at: iso('received_at'),
  site_id: 'map_extract_value(map($site_ids::UINTEGER[], $site_keys::VARCHAR[]), e.site_id)',
  visitor_id: hex('visitor_id'),
  session_id: hex('session_id'),
  screen: `e.screen_w::VARCHAR || 'x' || e.screen_h::VARCHAR`,
  revenue_amount: 'e.revenue',
  lcp: short('lcp'),
  inp: short('inp'),
  cls: short('cls'),
  fcp: short('fcp'),
  ttfb: short('ttfb'),
};

/** Columns whose name differs from the dictionary-encoded column that they read. */
const dictionaries: Partial<Record<ExportColumn, DictionaryColumn>> = {
  event: 'name',
  revenue_currency: 'currency',
};

const isDictionary = (name: string): name is DictionaryColumn =>
  (dictionaryColumns as readonly string[]).includes(name);

/** Returns the expression of a column of `events e`, and the join that it needs. */
export function exportExpression(column: ExportColumn): { sql: string; join: string } {
  const expression = expressions[column];
  if (expression !== undefined) return { sql: expression, join: '' };
  const entry = dictionaries[column] ?? (isDictionary(column) ? column : undefined);
  if (entry === undefined) return { sql: `e.${column}`, join: '' };
  const table = `d_${entry}`;
  return { sql: `${table}.value`, join: ` LEFT JOIN dict ${table} ON ${table}.id = e.${entry}` };
}

/** Columns that never hold text sent by a client. */
const safeColumns: ReadonlySet<ExportColumn> = new Set([
  'id',
  'timestamp',
  'received_at',
  'visitor_id',
  'session_id',
  'screen',
  'country',
  'interactive',
  'bot',
  'scroll_depth',
  'engagement_ms',
  'revenue_amount',
  'lcp',
  'inp',
  'cls',
  'fcp',
  'ttfb',
]);

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Returns a CSV field of a row `r`. Escapes spreadsheet formulas, as lib/text/csv.ts does. */
export function csvField(column: ExportColumn): string {
  const text = `r."${column}"::VARCHAR`;
  const escaped = `replace(${text}, '"', '""')`;
  if (safeColumns.has(column)) return `coalesce('"' || ${escaped} || '"', '')`;
  const isFormula = `regexp_matches(${text}, ${literal(formulaPattern)})`;
  const start = `CASE WHEN ${isFormula} THEN '"''' ELSE '"' END`;
  return `coalesce(${start} || ${escaped} || '"', '')`;
}
