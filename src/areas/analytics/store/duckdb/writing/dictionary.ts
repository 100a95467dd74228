import type { DuckDBConnection } from '@duckdb/node-api';
import { listValue } from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';
import { engagement, measurements } from '../../events.ts';
import { type DictionaryColumn, dictionaryColumns } from '../schema/schema.ts';

const kindNumber = new Map<DictionaryColumn, number>(
  dictionaryColumns.map((kind, index) => [kind, index]),
);

interface Word {
  kind: number;
  value: string;
  /** The text as it can be stored: without halves of surrogate pairs. */
  stored: string;
}

const storable = (text: string): string => text.replace(/\p{Surrogate}/gu, '\uFFFD');

/** The number that the name `pageview` has in every store. */
export const pageviewWord = 1;

/**
 * Numbers for texts that repeat. Numbers are unique for a kind and text. `collect` notes what is unknown,
 * `resolve` numbers it within the caller's transaction, `id` then answers from memory.
 */
export function createDictionary({ max = 200_000 } = {}) {
  // With `max` instead of `maxSize` each cache would take its whole memory at once: 100 MB and 0.3 s at the start.
  const known = dictionaryColumns.map(
    () => new LRUCache<string, number>({ maxSize: max, sizeCalculation: () => 1 }),
  );
  let wanted = new Map<string, Word>();
  let next = 0;

  const cache = (kind: number) => {
    const words = known[kind];
    if (words === undefined) throw new RangeError(`no dictionary of kind ${kind}`);
    return words;
  };

  async function readKnown(connection: DuckDBConnection, words: readonly Word[]): Promise<void> {
    const result = await connection.runAndReadAll(
      'SELECT d.kind, d.value, d.id FROM dict d JOIN (SELECT unnest($1::INTEGER[]) AS kind, unnest($2::VARCHAR[]) AS value) w ON w.kind = d.kind AND w.value = d.value',
      [listValue(words.map((word) => word.kind)), listValue(words.map((word) => word.stored))],
    );
    const found = new Map(
      result.getRows().map(([kind, value, id]) => [`${String(kind)} ${String(value)}`, Number(id)]),
    );
    for (const [key, { kind, value, stored }] of wanted) {
      const id = found.get(`${kind} ${stored}`);
      if (id === undefined) continue;
      cache(kind).set(value, id);
      wanted.delete(key);
    }
  }

  async function insertNew(connection: DuckDBConnection, words: readonly Word[]): Promise<void> {
    const appender = await connection.createAppender('dict');
    const numbers = new Map<string, number>();
    for (const { kind, value, stored } of words) {
      const key = `${kind} ${stored}`;
      const number = numbers.get(key) ?? next;
      cache(kind).set(value, number);
      if (number < next) continue;
      appender.appendUTinyInt(kind);
      appender.appendUInteger(number);
      appender.appendVarchar(stored);
      appender.endRow();
      numbers.set(key, number);
      next += 1;
    }
    appender.closeSync();
  }

  return {
    /** Prepares for a store: reads the highest number, gives `pageview` its own, and makes `is_counted(name)`, false for measurements, and `is_engagement(name)`. */
    async open(connection: DuckDBConnection): Promise<void> {
      const result = await connection.runAndReadAll('SELECT coalesce(max(id), 0) FROM dict');
      const highest = Number(result.getRows()[0]?.[0] ?? 0);
      next = highest + 1;
      if (highest === 0)
        await insertNew(connection, [
          { kind: kindNumber.get('name') ?? 0, value: 'pageview', stored: 'pageview' },
        ]);
      for (const name of measurements) this.collect('name', name);
      await this.resolve(connection);
      await connection.run(
        `CREATE OR REPLACE MACRO is_counted(word) AS word NOT IN (${[...measurements].map((name) => this.id('name', name)).join(', ')})`,
      );
      await connection.run(
        `CREATE OR REPLACE MACRO is_engagement(word) AS word = ${this.id('name', engagement)}`,
      );
    },

    /** Notes a text that may be new. */
    collect(kind: DictionaryColumn, value: string | undefined): void {
      if (value === undefined) return;
      const number = kindNumber.get(kind) ?? 0;
      if (cache(number).get(value) === undefined)
        wanted.set(`${number} ${value}`, { kind: number, value, stored: storable(value) });
    },

    async resolve(connection: DuckDBConnection): Promise<void> {
      if (wanted.size === 0) return;
      await readKnown(connection, [...wanted.values()]);
      if (wanted.size > 0) await insertNew(connection, [...wanted.values()]);
      wanted = new Map();
    },

    /** The number of a text that was collected and resolved; 0 for none. */
    id(kind: DictionaryColumn, value: string | undefined): number {
      if (value === undefined) return 0;
      const id = cache(kindNumber.get(kind) ?? 0).get(value);
      if (id === undefined) throw new Error(`the dictionary was not asked for a ${kind}`);
      return id;
    },

    /** Forgets what it knows, after a transaction that was rolled back. */
    async reset(connection: DuckDBConnection): Promise<void> {
      for (const words of known) words.clear();
      wanted = new Map();
      await this.open(connection);
    },
  };
}

export type Dictionary = ReturnType<typeof createDictionary>;
