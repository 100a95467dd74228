import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type DuckDBConnection, listValue } from '@duckdb/node-api';
import { formulaStart } from '../../../../../lib/text/csv.ts';
import type { ExportColumn, ExportQuestion } from '../../questions.ts';
import { checkPatterns, conditionsOf } from './conditions.ts';
import { visitSelect, type DictionaryColumn, dictionaryColumns } from '../schema/schema.ts';
import { interruptible } from '../sql/interruptible.ts';
import { createSession, integer, timeLiteral } from '../sql/session.ts';

const iso = (column: string) => `strftime(e.${column}::TIMESTAMP, '%Y-%m-%dT%H:%M:%S.%gZ')`;
// Straight from FLOAT to JSON 0.1 would become 0.10000000149011612.
const short = (column: string) => `e.${column}::VARCHAR::DOUBLE`;
const hex = (column: string) => `CASE WHEN e.${column} <> 0 THEN printf('%016x', e.${column}) END`;

/** Columns that are not simply a column of `events` or a word. */
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

const words: Partial<Record<ExportColumn, DictionaryColumn>> = {
  event: 'name',
  revenue_currency: 'currency',
};
const isWord = (name: string): name is DictionaryColumn =>
  (dictionaryColumns as readonly string[]).includes(name);

function columnOf(column: ExportColumn): { sql: string; join: string } {
  const expression = expressions[column];
  if (expression !== undefined) return { sql: expression, join: '' };
  const word = words[column] ?? (isWord(column) ? column : undefined);
  if (word === undefined) return { sql: `e.${column}`, join: '' };
  return { sql: `d_${word}.value`, join: ` LEFT JOIN dict d_${word} ON d_${word}.id = e.${word}` };
}

/** Sessions of the closed and open visits that meet the conditions. */
function sessionsOf(visit: readonly string[]): string {
  const open =
    visitSelect(`events e WHERE e.session_id <> 0 AND e.ts >= (SELECT coalesce(min(open_from), '1970-01-01'::TIMESTAMP_MS) FROM visit_state)
    AND e.session_id NOT IN (SELECT session_id FROM visits)`);
  const where = visit.join(' AND ');
  return `SELECT session_id FROM visits WHERE ${where} UNION ALL SELECT session_id FROM (${open}) WHERE ${where}`;
}

function whereOf({ siteId, from, to }: ExportQuestion, event: string[], visit: string[]): string {
  const parts = ['true', ...event];
  if (siteId !== undefined) parts.push(`site_id = ${siteId}`);
  if (from !== undefined) parts.push(`ts >= ${timeLiteral(from)}`);
  if (to !== undefined) parts.push(`ts < ${timeLiteral(to)}`);
  if (visit.length > 0) parts.push(`session_id IN (${sessionsOf(visit)})`);
  return parts.join(' AND ');
}

/** Columns that no client can write a text into. */
const untexted: ReadonlySet<ExportColumn> = new Set([
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

function csvField(column: ExportColumn): string {
  const text = `r."${column}"::VARCHAR`;
  const quoted = `'"' || replace(${text}, '"', '""') || '"'`;
  if (untexted.has(column)) return `coalesce(${quoted}, '')`;
  // As `guarded` of lib/text/csv.ts.
  const guard = `CASE WHEN regexp_matches(${text}, ${literal(formulaStart)}) THEN '"''' ELSE '"' END`;
  return `coalesce(${guard} || replace(${text}, '"', '""') || '"', '')`;
}

/** One line of text for each row. */
function lines({ format, columns }: ExportQuestion, rows: string): string {
  if (format === 'csv')
    return `SELECT concat_ws(',', ${columns.map(csvField).join(', ')}) AS line FROM (${rows}) r`;
  const members = columns.map(
    (name) => `"${name}": ${name === 'props' ? 'r.props::JSON' : `r."${name}"`}`,
  );
  return `SELECT to_json({${members.join(', ')}})::VARCHAR AS line FROM (${rows}) r`;
}

function rowsOf(question: ExportQuestion): {
  sql: string;
  parameters: ReturnType<typeof conditionsOf>['parameters'];
} {
  const { event, visit, parameters } = conditionsOf(question.filters);
  const { sites } = question;
  const parts = question.columns.map((name) => ({ name, ...columnOf(name) }));
  const joins = [...new Set(parts.map(({ join }) => join))].join('');
  const select = parts.map(({ name, sql }) => `${sql} AS "${name}"`).join(', ');
  return {
    sql: `SELECT ${select} FROM (SELECT * FROM events WHERE ${whereOf(question, event, visit)}) e${joins}
      ORDER BY e.ts, e.event_id`,
    // A list without entries would have no type: a house without sites has one that no event is of.
    parameters: {
      ...parameters,
      site_ids: listValue(sites.length === 0 ? [0] : sites.map(([id]) => id)),
      site_keys: listValue(sites.length === 0 ? [''] : sites.map(([, key]) => key)),
    },
  };
}

/** How an export goes out. */
interface Way {
  /** Where a parquet file is built. */
  temporaryFile: string;
  /** Takes the parts, at its own pace. */
  write: (part: Uint8Array) => Promise<void>;
  /** Ends it. */
  signal: AbortSignal | undefined;
}

async function writeLines(
  connection: DuckDBConnection,
  question: ExportQuestion,
  { write, signal }: Way,
): Promise<number> {
  const { sql, parameters } = rowsOf(question);
  if (question.format === 'csv') await write(Buffer.from(`${question.columns.join(',')}\n`));
  let rows = 0;
  const text = lines(question, sql);
  const used = Object.fromEntries(
    Object.entries(parameters).filter(([name]) => text.includes(`$${name}`)),
  );
  const result = await interruptible(connection, signal, () => connection.stream(text, used));
  const next = () => interruptible(connection, signal, () => result.fetchChunk());
  for (let chunk = await next(); chunk !== null && chunk.rowCount > 0; chunk = await next()) {
    rows += chunk.rowCount;
    await write(Buffer.from(`${chunk.getColumnValues(0).join('\n')}\n`));
  }
  return rows;
}

async function writeParquet(
  connection: DuckDBConnection,
  question: ExportQuestion,
  { temporaryFile: file, write, signal }: Way,
): Promise<number> {
  const { sql, parameters } = rowsOf(question);
  const session = createSession(connection, parameters, signal);
  try {
    const [row] = await session.rows(
      `COPY (${sql}) TO '${file.replaceAll("'", "''")}' (FORMAT parquet, COMPRESSION zstd)`,
    );
    for await (const part of createReadStream(file, { highWaterMark: 256 * 1024 })) {
      if (part instanceof Uint8Array) await write(part);
    }
    return integer(row?.Count);
  } finally {
    await rm(file, { force: true });
  }
}

/** Writes the asked events: lines as they are read, a parquet file once it is whole. Gives the number of rows. */
export async function exportEvents(
  connection: DuckDBConnection,
  question: ExportQuestion,
  way: Way,
): Promise<number> {
  await checkPatterns(connection, question.filters);
  return question.format === 'parquet'
    ? writeParquet(connection, question, way)
    : writeLines(connection, question, way);
}
