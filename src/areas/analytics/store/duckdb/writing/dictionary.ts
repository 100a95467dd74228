import type { DuckDBConnection } from '@duckdb/node-api';
import { listValue } from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';
import { engagement, measurements } from '../../events.ts';
import { type DictionaryColumn, dictionaryColumns } from '../schema/columns.ts';

const kindNumber = new Map<DictionaryColumn, number>(
  dictionaryColumns.map((column, index) => [column, index]),
);

interface Entry {
  kind: number;
  value: string;
  /** The text as DuckDB can store it: lone surrogates replaced. */
  stored: string;
}

interface State {
  /** Numbers of known texts, one cache for each column. */
  known: readonly LRUCache<string, number>[];
  wanted: Map<string, Entry>;
  next: number;
}

const storable = (text: string): string => text.replace(/\p{Surrogate}/gu, '\uFFFD');

function cacheOf({ known }: State, kind: number): LRUCache<string, number> {
  const cache = known[kind];
  if (cache === undefined) throw new RangeError(`no dictionary of kind ${kind}`);
  return cache;
}

function collect(state: State, column: DictionaryColumn, value: string | undefined): void {
  if (value === undefined) return;
  const kind = kindNumber.get(column) ?? 0;
  if (cacheOf(state, kind).get(value) === undefined)
    state.wanted.set(`${kind} ${value}`, { kind, value, stored: storable(value) });
}

function idOf(state: State, column: DictionaryColumn, value: string | undefined): number {
  if (value === undefined) return 0;
  const id = cacheOf(state, kindNumber.get(column) ?? 0).get(value);
  if (id === undefined) throw new Error(`the dictionary was not asked for a ${column}`);
  return id;
}

/** Numbers of those entries that are in the table, by `kind stored`. */
async function readStored(
  connection: DuckDBConnection,
  entries: readonly Entry[],
): Promise<Map<string, number>> {
  const result = await connection.runAndReadAll(
    `SELECT d.kind, d.value, d.id FROM dict d
     JOIN (SELECT unnest($1::INTEGER[]) AS kind, unnest($2::VARCHAR[]) AS value) w
       ON w.kind = d.kind AND w.value = d.value`,
    [listValue(entries.map(({ kind }) => kind)), listValue(entries.map(({ stored }) => stored))],
  );
  return new Map(
    result.getRows().map(([kind, value, id]) => [`${String(kind)} ${String(value)}`, Number(id)]),
  );
}

async function insert(
  state: State,
  connection: DuckDBConnection,
  entries: readonly Entry[],
): Promise<void> {
  const appender = await connection.createAppender('dict');
  const numbers = new Map<string, number>();
  for (const { kind, value, stored } of entries) {
    const key = `${kind} ${stored}`;
    const number = numbers.get(key) ?? state.next;
    cacheOf(state, kind).set(value, number);
    if (number < state.next) continue;
    appender.appendUTinyInt(kind);
    appender.appendUInteger(number);
    appender.appendVarchar(stored);
    appender.endRow();
    numbers.set(key, number);
    state.next += 1;
  }
  appender.closeSync();
}

async function resolve(state: State, connection: DuckDBConnection): Promise<void> {
  if (state.wanted.size === 0) return;
  const entries = [...state.wanted.values()];
  const stored = await readStored(connection, entries);
  const unknown = entries.filter((entry) => {
    const id = stored.get(`${entry.kind} ${entry.stored}`);
    if (id !== undefined) cacheOf(state, entry.kind).set(entry.value, id);
    return id === undefined;
  });
  if (unknown.length > 0) await insert(state, connection, unknown);
  state.wanted = new Map();
}

/** Creates the SQL macros with which statements tell measurements from other events. */
async function createMacros(state: State, connection: DuckDBConnection): Promise<void> {
  const ids = [...measurements].map((name) => idOf(state, 'name', name));
  await connection.run(
    `CREATE OR REPLACE MACRO is_counted(word) AS word NOT IN (${ids.join(', ')})`,
  );
  await connection.run(
    `CREATE OR REPLACE MACRO is_engagement(word) AS word = ${idOf(state, 'name', engagement)}`,
  );
}

async function open(state: State, connection: DuckDBConnection): Promise<void> {
  const result = await connection.runAndReadAll('SELECT coalesce(max(id), 0) FROM dict');
  const highest = Number(result.getRows()[0]?.[0] ?? 0);
  state.next = highest + 1;
  // The first entry of every store: statements find page views by `name = 1`.
  if (highest === 0) {
    const kind = kindNumber.get('name') ?? 0;
    await insert(state, connection, [{ kind, value: 'pageview', stored: 'pageview' }]);
  }
  for (const name of measurements) collect(state, 'name', name);
  await resolve(state, connection);
  await createMacros(state, connection);
}

/**
 * Numbers for texts that repeat, unique for a column and text. `collect` notes what is unknown,
 * `resolve` numbers it within the caller's transaction, and `id` then answers from memory.
 */
export function createDictionary({ max = 200_000 } = {}) {
  // With `max` instead of `maxSize` each cache takes its memory at once: 100 MB and 0.3 s at start.
  const known = dictionaryColumns.map(
    () => new LRUCache<string, number>({ maxSize: max, sizeCalculation: () => 1 }),
  );
  const state: State = { known, wanted: new Map(), next: 0 };

  return {
    /** Prepares for a store: gives `pageview` its entry, and creates the macros. */
    open: (connection: DuckDBConnection): Promise<void> => open(state, connection),

    /** Notes a text that may be new. */
    collect: (column: DictionaryColumn, value: string | undefined): void =>
      collect(state, column, value),

    /** Numbers what was collected. */
    resolve: (connection: DuckDBConnection): Promise<void> => resolve(state, connection),

    /** The number of a text that was collected and resolved; 0 for none. */
    id: (column: DictionaryColumn, value: string | undefined): number => idOf(state, column, value),

    /** Forgets what it knows, after a transaction that was rolled back. */
    async reset(connection: DuckDBConnection): Promise<void> {
      for (const cache of known) cache.clear();
      state.wanted = new Map();
      await open(state, connection);
    },
  };
}

export type Dictionary = ReturnType<typeof createDictionary>;
