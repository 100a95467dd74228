import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type DuckDBConnection, listValue } from '@duckdb/node-api';
import type { ExportStoreQuery } from '../../queries.ts';
import { visitSelect } from '../schema/visit-select.ts';
import { interruptible } from '../sql/interruptible.ts';
import { createSession } from '../sql/session.ts';
import { integer, timeLiteral } from '../sql/values.ts';
import { checkPatterns, type Conditions, toConditions } from './conditions.ts';
import { csvField, exportExpression } from './export-columns.ts';

/** Returns a SELECT of the closed and open visits that meet the conditions. */
function selectSessions(visit: readonly string[]): string {
  const open = visitSelect(`events e
    WHERE e.session_id <> 0
    AND e.ts >= (SELECT coalesce(min(open_from), '1970-01-01'::TIMESTAMP_MS) FROM visit_state)
    AND e.session_id NOT IN (SELECT session_id FROM visits)`);
  const where = visit.join(' AND ');
  return `SELECT session_id FROM visits WHERE ${where}
    UNION ALL SELECT session_id FROM (${open}) WHERE ${where}`;
}

function whereClause({ siteId, from, to }: ExportStoreQuery, { event, visit }: Conditions): string {
  const parts = ['true', ...event];
  if (siteId !== undefined) parts.push(`site_id = ${siteId}`);
  if (from !== undefined) parts.push(`ts >= ${timeLiteral(from)}`);
  if (to !== undefined) parts.push(`ts < ${timeLiteral(to)}`);
  if (visit.length > 0) parts.push(`session_id IN (${selectSessions(visit)})`);
  return parts.join(' AND ');
}

/** Returns a SELECT of one line of text for each row. */
function selectLines({ format, columns }: ExportStoreQuery, rows: string): string {
  if (format === 'csv')
    return `SELECT concat_ws(',', ${columns.map(csvField).join(', ')}) AS line FROM (${rows}) r`;
  const members = columns.map(
    (name) => `"${name}": ${name === 'props' ? 'r.props::JSON' : `r."${name}"`}`,
  );
  return `SELECT to_json({${members.join(', ')}})::VARCHAR AS line FROM (${rows}) r`;
}

function selectRows(query: ExportStoreQuery): Pick<Conditions, 'parameters'> & { sql: string } {
  const conditions = toConditions(query.filters);
  const { sites } = query;
  const parts = query.columns.map((name) => ({ name, ...exportExpression(name) }));
  const joins = [...new Set(parts.map(({ join }) => join))].join('');
  const select = parts.map(({ name, sql }) => `${sql} AS "${name}"`).join(', ');
  return {
    sql: `SELECT ${select}
      FROM (SELECT * FROM events WHERE ${whereClause(query, conditions)}) e${joins}
      ORDER BY e.ts, e.event_id`,
    parameters: {
      ...conditions.parameters,
      // An empty list would have no type. Site 0 does not exist.
      site_ids: listValue(sites.length === 0 ? [0] : sites.map(([id]) => id)),
      site_keys: listValue(sites.length === 0 ? [''] : sites.map(([, key]) => key)),
    },
  };
}

export interface ExportTarget {
  /** Where a Parquet file is built. */
  temporaryFile: string;
  /** Takes a part. The export waits until it resolves. */
  write: (part: Uint8Array) => Promise<void>;
  /** Cancels the export. */
  signal: AbortSignal | undefined;
}

async function writeLines(
  connection: DuckDBConnection,
  query: ExportStoreQuery,
  { write, signal }: ExportTarget,
): Promise<number> {
  const { sql, parameters } = selectRows(query);
  if (query.format === 'csv') await write(Buffer.from(`${query.columns.join(',')}\n`));
  let rows = 0;
  const text = selectLines(query, sql);
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
  query: ExportStoreQuery,
  { temporaryFile: file, write, signal }: ExportTarget,
): Promise<number> {
  const { sql, parameters } = selectRows(query);
  const session = createSession(connection, parameters, signal);
  const path = file.replaceAll("'", "''");
  try {
    const [row] = await session.rows(
      `COPY (${sql}) TO '${path}' (FORMAT parquet, COMPRESSION zstd)`,
    );
    for await (const part of createReadStream(file, { highWaterMark: 256 * 1024 })) {
      if (part instanceof Uint8Array) await write(part);
    }
    return integer(row?.Count);
  } finally {
    await rm(file, { force: true });
  }
}

/**
 * Writes the events, oldest first: CSV and NDJSON as rows are read, Parquet once the file is
 * complete. Returns the number of rows.
 */
export async function exportEvents(
  connection: DuckDBConnection,
  query: ExportStoreQuery,
  target: ExportTarget,
): Promise<number> {
  await checkPatterns(connection, query.filters);
  return query.format === 'parquet'
    ? writeParquet(connection, query, target)
    : writeLines(connection, query, target);
}
