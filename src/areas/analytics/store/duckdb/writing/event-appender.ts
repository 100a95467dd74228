import type { DuckDBConnection } from '@duckdb/node-api';
import { DuckDBDataChunk } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { type DictionaryColumn, dictionaryColumns, type EventRow } from '../../events.ts';
import {
  bigintColumn,
  chunkRows,
  type Column,
  numberColumn,
  textColumn,
  timeColumn,
  uuidColumn,
} from './column-buffers.ts';
import type { Dictionary } from './dictionary.ts';
import { eventColumns } from '../schema/columns.ts';

/** Returns a decimal text as its value times 10,000, in two's complement. */
function toScaled(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.');
  const value = BigInt(whole) * 10_000n + BigInt(fraction.padEnd(4, '0').slice(0, 4));
  return BigInt.asUintN(64, amount.startsWith('-') ? -value : value);
}

/** Returns props as JSON without lone surrogates, which DuckDB's JSON functions reject. */
function toPropsJson(props: Readonly<Record<string, string>>): string {
  const text = JSON.stringify(props);
  if (!text.includes('\\ud')) return text;
  const clean = (part: string) => part.replace(/\p{Surrogate}/gu, '\uFFFD');
  return JSON.stringify(
    Object.fromEntries(Object.entries(props).map(([key, value]) => [clean(key), clean(value)])),
  );
}

type Vector = duckdb.Vector;
const u8 = (vector: Vector) => numberColumn(vector, Uint8Array);
const u16 = (vector: Vector) => numberColumn(vector, Uint16Array);
const u32 = (vector: Vector) => numberColumn(vector, Uint32Array);
const f32 = (vector: Vector) => numberColumn(vector, Float32Array);
const flag = (value: boolean) => (value ? 1 : 0);

/** A column of a chunk, and the setter of its value for an event. */
interface BoundColumn {
  column: Column;
  set: (row: EventRow, index: number) => void;
}

type Fill = (vector: Vector, dictionary: Dictionary) => BoundColumn;

function fill<V>(
  make: (vector: Vector) => Column & { set: (row: number, value: V) => void },
  read: (row: EventRow) => V | undefined,
): Fill {
  return (vector) => {
    const column = make(vector);
    return {
      column,
      set(row, index) {
        const value = read(row);
        if (value === undefined) column.setNull(index);
        else column.set(index, value);
      },
    };
  };
}

const entry =
  (name: DictionaryColumn): Fill =>
  (vector, dictionary) =>
    fill(u32, (row) => dictionary.id(name, row[name]))(vector, dictionary);

const fills: Record<keyof typeof eventColumns, Fill> = {
  site_id: fill(u32, (row) => row.siteId),
  ts: fill(timeColumn, (row) => row.time),
  received_at: fill(timeColumn, (row) => row.receivedAt),
  event_id: fill(uuidColumn, (row) => row.id),
  visitor_id: fill(bigintColumn, (row) => row.visitor),
  session_id: fill(bigintColumn, (row) => row.session),
  named: fill(u8, (row) => flag(row.named)),
  interactive: fill(u8, (row) => flag(row.interactive)),
  bot: fill(u8, (row) => flag(row.bot)),
  ...(Object.fromEntries(dictionaryColumns.map((name) => [name, entry(name)])) as Record<
    DictionaryColumn,
    Fill
  >),
  screen_w: fill(u16, (row) => row.screenWidth),
  screen_h: fill(u16, (row) => row.screenHeight),
  scroll_depth: fill(u8, (row) => row.scrollDepth),
  engagement_ms: fill(u32, (row) => row.engagementMs),
  revenue: fill(bigintColumn, (row) =>
    row.revenue === undefined ? undefined : toScaled(row.revenue),
  ),
  lcp: fill(f32, (row) => row.vitals?.lcp),
  inp: fill(f32, (row) => row.vitals?.inp),
  cls: fill(f32, (row) => row.vitals?.cls),
  fcp: fill(f32, (row) => row.vitals?.fcp),
  ttfb: fill(f32, (row) => row.vitals?.ttfb),
  query: fill(textColumn, (row) => row.query),
  click_id: fill(textColumn, (row) => row.clickId),
  user_id: fill(textColumn, (row) => row.userId),
  props: fill(textColumn, (row) => (row.props === undefined ? undefined : toPropsJson(row.props))),
  person: fill(bigintColumn, (row) => row.person),
};
const orderedFills = Object.keys(eventColumns).map(
  (name) => fills[name as keyof typeof eventColumns],
);

/** Queues every text of the rows that the dictionary may not know. */
export function collectTexts(dictionary: Dictionary, rows: readonly EventRow[]): void {
  for (const row of rows) for (const name of dictionaryColumns) dictionary.collect(name, row[name]);
}

/**
 * Appends rows to `events`, column by column and chunk by chunk, within the caller's transaction.
 * All their texts must be resolved in the dictionary.
 */
export async function appendEvents(
  connection: DuckDBConnection,
  dictionary: Dictionary,
  rows: readonly EventRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const appender = await connection.createAppender('events');
  const types = orderedFills.map((_, index) => appender.columnType(index));
  for (let start = 0; start < rows.length; start += chunkRows) {
    const part = rows.slice(start, start + chunkRows);
    const chunk = DuckDBDataChunk.create(types);
    const bound = orderedFills.map((make, index) =>
      make(duckdb.data_chunk_get_vector(chunk.chunk, index), dictionary),
    );
    for (const [index, row] of part.entries()) for (const { set } of bound) set(row, index);
    for (const { column } of bound) column.flush(part.length);
    duckdb.data_chunk_set_size(chunk.chunk, part.length);
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}
