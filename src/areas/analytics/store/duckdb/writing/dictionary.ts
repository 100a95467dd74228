import type { DuckDBConnection } from '@duckdb/node-api';
import { listValue } from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';
import { engagement, measurements } from '../../events.ts';
import { type DictionaryColumn, dictionaryColumns } from '../schema/columns.ts';

const kinds = new Map<DictionaryColumn, number>(
  dictionaryColumns.map((column, index) => [column, index]),
);

interface Entry {
  kind: number;
  value: string;
  /** The text with lone surrogates replaced, which DuckDB cannot store. */
  stored: string;
}

interface State {
  /** Ids of known texts, one cache per column. */
  known: readonly LRUCache<string, number>[];
  wanted: Map<string, Entry>;
  nextId: number;
}

const toStorable = (text: string): string => text.replace(/\p{Surrogate}/gu, '\uFFFD');

function getCache({ known }: State, kind: number): LRUCache<string, number> {
  const cache = known[kind];
  if (cache === undefined) throw new RangeError(`no dictionary of kind ${kind}`);
  return cache;
}

function collect(state: State, column: DictionaryColumn, value: string | undefined): void {
  if (value === undefined) return;
  const kind = kinds.get(column) ?? 0;
  if (getCache(state, kind).get(value) === undefined)
    state.wanted.set(`${kind} ${value}`, { kind, value, stored: toStorable(value) });
}

function getId(state: State, column: DictionaryColumn, value: string | undefined): number {
  if (value === undefined) return 0;
  const id = getCache(state, kinds.get(column) ?? 0).get(value);
  if (id === undefined) throw new Error(`the dictionary was not asked for a ${column}`);
  return id;
}

/** Returns the ids of the entries that are in the table, by `kind stored`. */
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
  const ids = new Map<string, number>();
  for (const { kind, value, stored } of entries) {
    const key = `${kind} ${stored}`;
    const id = ids.get(key) ?? state.nextId;
    getCache(state, kind).set(value, id);
    if (id < state.nextId) continue;
    appender.appendUTinyInt(kind);
    appender.appendUInteger(id);
    appender.appendVarchar(stored);
    appender.endRow();
    ids.set(key, id);
    state.nextId += 1;
  }
  appender.closeSync();
}

async function resolve(state: State, connection: DuckDBConnection): Promise<void> {
  if (state.wanted.size === 0) return;
  const entries = [...state.wanted.values()];
  const stored = await readStored(connection, entries);
  const unknown = entries.filter((entry) => {
    const id = stored.get(`${entry.kind} ${entry.stored}`);
    if (id !== undefined) getCache(state, entry.kind).set(entry.value, id);
    return id === undefined;
  });
  if (unknown.length > 0) await insert(state, connection, unknown);
  state.wanted = new Map();
}

/** Creates the SQL macros that distinguish measurements from other events. */
async function createMacros(state: State, connection: DuckDBConnection): Promise<void> {
  const ids = [...measurements].map((name) => getId(state, 'name', name));
  await connection.run(
    `CREATE OR REPLACE MACRO is_counted(word) AS word NOT IN (${ids.join(', ')})`,
  );
  await connection.run(
    `CREATE OR REPLACE MACRO is_engagement(word) AS word = ${getId(state, 'name', engagement)}`,
  );
}

async function open(state: State, connection: DuckDBConnection): Promise<void> {
  const result = await connection.runAndReadAll('SELECT coalesce(max(id), 0) FROM dict');
  const highest = Number(result.getRows()[0]?.[0] ?? 0);
  state.nextId = highest + 1;
  // Must be the first entry of every store: statements select page views by `name = 1`.
  if (highest === 0) {
    const kind = kinds.get('name') ?? 0;
    await insert(state, connection, [{ kind, value: 'pageview', stored: 'pageview' }]);
  }
  for (const name of measurements) collect(state, 'name', name);
  await resolve(state, connection);
  await createMacros(state, connection);
}

/**
 * Assigns ids to repeated texts, unique per column and text. `collect` queues unknown texts,
 * `resolve` assigns their ids within the caller's transaction, and `id` then reads from memory.
 */
export function createDictionary({ max = 200_000 } = {}) {
  // With `max` instead of `maxSize`, each cache allocates upfront: 100 MB and 0.3 s at start.
  const known = dictionaryColumns.map(
    () => new LRUCache<string, number>({ maxSize: max, sizeCalculation: () => 1 }),
  );
  const state: State = { known, wanted: new Map(), nextId: 0 };

  return {
    /** Prepares a store: inserts the entry of `pageview`, and creates the macros. */
    open: (connection: DuckDBConnection): Promise<void> => open(state, connection),

    /** Queues a text that may be new. */
    collect: (column: DictionaryColumn, value: string | undefined): void =>
      collect(state, column, value),

    /** Assigns ids to the collected texts. */
    resolve: (connection: DuckDBConnection): Promise<void> => resolve(state, connection),

    /** Returns the id of a collected and resolved text; 0 for undefined. */
    id: (column: DictionaryColumn, value: string | undefined): number =>
      getId(state, column, value),

    /** Clears the caches and reloads from the store, after a rolled-back transaction. */
    async reset(connection: DuckDBConnection): Promise<void> {
      for (const cache of known) cache.clear();
      state.wanted = new Map();
      await open(state, connection);
    },
  };
}

export type Dictionary = ReturnType<typeof createDictionary>;
