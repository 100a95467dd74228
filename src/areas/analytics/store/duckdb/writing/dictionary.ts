import type { DuckDBConnection } from '@duckdb/node-api';
import { listValue } from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';
import {
  type DictionaryColumn,
  dictionaryColumns,
  engagement,
  measurements,
} from '../../events.ts';

const kinds = new Map<DictionaryColumn, number>(
  dictionaryColumns.map((column, index) => [column, index]),
);

interface Entry {
  kind: number;
  value: string;
  /** The text with lone surrogates replaced, which DuckDB cannot store. */
  stored: string;
}

const toStorable = (text: string): string => text.replace(/\p{Surrogate}/gu, '\uFFFD');

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

/**
 * Assigns ids to repeated texts, unique per column and text. `collect` queues unknown texts,
 * `resolve` assigns their ids within the caller's transaction, and `id` then reads from memory.
 */
export function createDictionary({ max = 200_000 } = {}) {
  /** Ids of known texts. With `max`, not `maxSize`, a cache would take its memory upfront. */
  const known = dictionaryColumns.map(
    () => new LRUCache<string, number>({ maxSize: max, sizeCalculation: () => 1 }),
  );
  let wanted = new Map<string, Entry>();
  let nextId = 0;

  return {
    /** Prepares a store: inserts the entry of `pageview`, and creates the macros. */
    open,

    /** Queues a text that may be new. */
    collect,

    /** Assigns ids to the collected texts. */
    resolve,

    /** Returns the id of a collected and resolved text; 0 for undefined. */
    id,

    /** Clears the caches and reloads from the store, after a rolled-back transaction. */
    async reset(connection: DuckDBConnection): Promise<void> {
      for (const cache of known) cache.clear();
      wanted = new Map();
      await open(connection);
    },
  };

  async function open(connection: DuckDBConnection): Promise<void> {
    const result = await connection.runAndReadAll('SELECT coalesce(max(id), 0) FROM dict');
    const highest = Number(result.getRows()[0]?.[0] ?? 0);
    nextId = highest + 1;
    // Must be the first entry of every store: statements select page views by `name = 1`.
    if (highest === 0) {
      const kind = kinds.get('name') ?? 0;
      await insert(connection, [{ kind, value: 'pageview', stored: 'pageview' }]);
    }
    for (const name of measurements) collect('name', name);
    await resolve(connection);
    await createMacros(connection);
  }

  /** Creates the SQL macros that distinguish measurements from other events. */
  async function createMacros(connection: DuckDBConnection): Promise<void> {
    const ids = [...measurements].map((name) => id('name', name));
    await connection.run(
      `CREATE OR REPLACE MACRO is_counted(word) AS word NOT IN (${ids.join(', ')})`,
    );
    await connection.run(
      `CREATE OR REPLACE MACRO is_engagement(word) AS word = ${id('name', engagement)}`,
    );
  }

  function collect(column: DictionaryColumn, value: string | undefined): void {
    if (value === undefined) return;
    const kind = kinds.get(column) ?? 0;
    if (cacheOf(kind).get(value) === undefined)
      wanted.set(`${kind} ${value}`, { kind, value, stored: toStorable(value) });
  }

  function id(column: DictionaryColumn, value: string | undefined): number {
    if (value === undefined) return 0;
    const found = cacheOf(kinds.get(column) ?? 0).get(value);
    if (found === undefined) throw new Error(`the dictionary was not asked for a ${column}`);
    return found;
  }

  function cacheOf(kind: number): LRUCache<string, number> {
    const cache = known[kind];
    if (cache === undefined) throw new RangeError(`no dictionary of kind ${kind}`);
    return cache;
  }

  async function resolve(connection: DuckDBConnection): Promise<void> {
    if (wanted.size === 0) return;
    const entries = [...wanted.values()];
    const found = await readStored(connection, entries);
    const unknown = entries.filter(({ kind, value, stored }) => {
      const storedId = found.get(`${kind} ${stored}`);
      if (storedId !== undefined) cacheOf(kind).set(value, storedId);
      return storedId === undefined;
    });
    if (unknown.length > 0) await insert(connection, unknown);
    wanted = new Map();
  }

  async function insert(connection: DuckDBConnection, entries: readonly Entry[]): Promise<void> {
    const appender = await connection.createAppender('dict');
    const ids = new Map<string, number>();
    for (const { kind, value, stored } of entries) {
      const key = `${kind} ${stored}`;
      const entryId = ids.get(key) ?? nextId;
      cacheOf(kind).set(value, entryId);
      if (entryId < nextId) continue;
      appender.appendUTinyInt(kind);
      appender.appendUInteger(entryId);
      appender.appendVarchar(stored);
      appender.endRow();
      ids.set(key, entryId);
      nextId += 1;
    }
    appender.closeSync();
  }
}

export type Dictionary = ReturnType<typeof createDictionary>;
