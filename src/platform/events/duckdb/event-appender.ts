import type { DuckDBConnection } from '@duckdb/node-api';
import { DuckDBDataChunk } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import type { EventRow } from '../types.ts';
import { bigintColumn, chunkRows, type Column, numberColumn, textColumn, timeColumn, uuidColumn } from './columns.ts';
import type { Dictionary } from './dictionary.ts';
import { eventColumns, type WordKind } from './schema.ts';

/** The text of each kind in an event. */
const words: Record<WordKind, (row: EventRow) => string | undefined> = {
  name: (row) => row.name,
  hostname: (row) => row.hostname,
  pathname: (row) => row.pathname,
  title: (row) => row.title,
  referrer: (row) => row.referrer,
  source: (row) => row.source,
  channel: (row) => row.channel,
  utm_source: (row) => row.utmSource,
  utm_medium: (row) => row.utmMedium,
  utm_campaign: (row) => row.utmCampaign,
  utm_term: (row) => row.utmTerm,
  utm_content: (row) => row.utmContent,
  browser: (row) => row.browser,
  browser_version: (row) => row.browserVersion,
  os: (row) => row.os,
  os_version: (row) => row.osVersion,
  device: (row) => row.device,
  language: (row) => row.language,
  country: (row) => row.country,
  currency: (row) => row.revenue?.currency,
  tag: (row) => row.tag,
};

const wordReaders = Object.entries(words) as [WordKind, (row: EventRow) => string | undefined][];

/** A decimal text as its value times 10,000, in two's complement. */
function scaled(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.');
  const value = BigInt(whole) * 10_000n + BigInt(fraction.padEnd(4, '0').slice(0, 4));
  return BigInt.asUintN(64, amount.startsWith('-') ? -value : value);
}

/** Text of the props for the JSON functions, which refuse the escaped half of a surrogate pair. */
function propsText(props: Readonly<Record<string, string>>): string {
  const text = JSON.stringify(props);
  if (!text.includes('\\ud')) return text;
  const whole = (part: string) => part.replace(/\p{Surrogate}/gu, '\uFFFD');
  return JSON.stringify(Object.fromEntries(Object.entries(props).map(([key, value]) => [whole(key), whole(value)])));
}

type Setter = (row: EventRow, at: number) => void;

function optional<V>(column: Column & { set(row: number, value: V): void }, read: (row: EventRow) => V | undefined): Setter {
  return (row, at) => {
    const value = read(row);
    if (value === undefined) column.setNull(at);
    else column.set(at, value);
  };
}

function createSetters(vectors: Map<string, duckdb.Vector>, dictionary: Dictionary) {
  const flushes: Column[] = [];
  const setters: Setter[] = [];
  const vector = (name: string): duckdb.Vector => {
    const found = vectors.get(name);
    if (found === undefined) throw new Error(`events has no column ${name}`);
    return found;
  };
  function add<V, C extends Column & { set(row: number, value: V): void }>(
    name: string, make: (vector: duckdb.Vector) => C, read: (row: EventRow) => V | undefined,
  ): void {
    const column = make(vector(name));
    flushes.push(column);
    setters.push(optional(column, read));
  }
  const u8 = (v: duckdb.Vector) => numberColumn(v, Uint8Array);
  const u16 = (v: duckdb.Vector) => numberColumn(v, Uint16Array);
  const u32 = (v: duckdb.Vector) => numberColumn(v, Uint32Array);
  const f32 = (v: duckdb.Vector) => numberColumn(v, Float32Array);

  add('site_id', u32, (row) => row.siteId);
  add('ts', timeColumn, (row) => row.time);
  add('received_at', timeColumn, (row) => row.receivedAt);
  add('event_id', uuidColumn, (row) => row.id);
  add('visitor_id', bigintColumn, (row) => row.visitor);
  add('session_id', bigintColumn, (row) => row.session);
  add('named', u8, (row) => (row.named ? 1 : 0));
  add('interactive', u8, (row) => (row.interactive ? 1 : 0));
  add('bot', u8, (row) => (row.bot ? 1 : 0));
  for (const [kind, read] of wordReaders) add(kind, u32, (row) => dictionary.id(kind, read(row)));
  add('screen_w', u16, (row) => row.screenWidth);
  add('screen_h', u16, (row) => row.screenHeight);
  add('scroll_depth', u8, (row) => row.scrollDepth);
  add('engagement_ms', u32, (row) => row.engagementMs);
  add('revenue', bigintColumn, (row) => (row.revenue === undefined ? undefined : scaled(row.revenue.amount)));
  for (const vital of ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const) add(vital, f32, (row) => row.vitals?.[vital]);
  add('query', textColumn, (row) => row.query);
  add('click_id', textColumn, (row) => row.clickId);
  add('user_id', textColumn, (row) => row.userId);
  add('props', textColumn, (row) => (row.props === undefined ? undefined : propsText(row.props)));
  return { setters, flushes };
}

/** Notes every text of the rows that the dictionary may not know. */
export function collectWords(dictionary: Dictionary, rows: readonly EventRow[]): void {
  for (const row of rows) for (const [kind, read] of wordReaders) dictionary.collect(kind, read(row));
}

/**
 * Writes rows into `events` by columns, a chunk at a time. The dictionary must know all their texts.
 * Runs within the caller's transaction.
 */
export async function appendEvents(connection: DuckDBConnection, dictionary: Dictionary, rows: readonly EventRow[]): Promise<void> {
  if (rows.length === 0) return;
  const appender = await connection.createAppender('events');
  const names = Object.keys(eventColumns);
  const types = names.map((_, index) => appender.columnType(index));
  for (let start = 0; start < rows.length; start += chunkRows) {
    const part = rows.slice(start, start + chunkRows);
    const chunk = DuckDBDataChunk.create(types);
    const vectors = new Map(names.map((name, index) => [name, duckdb.data_chunk_get_vector(chunk.chunk, index)]));
    const { setters, flushes } = createSetters(vectors, dictionary);
    for (const [at, row] of part.entries()) for (const set of setters) set(row, at);
    for (const column of flushes) column.flush(part.length);
    duckdb.data_chunk_set_size(chunk.chunk, part.length);
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}

