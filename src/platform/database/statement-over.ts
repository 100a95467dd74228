import { CompiledQuery } from 'kysely';
import type { Database } from './database.ts';

interface Types {
  uuid: string;
  text: string;
  integer: number;
  timestamptz: Date;
}

type Columns = Record<string, keyof Types>;
type Row<C extends Columns> = { [Name in keyof C]: Types[C[Name]] | null };
type Value = string | number | Date | null;

// As texts: the embedded engine's driver writes lists of those only.
const written = (value: Value): string | null =>
  value instanceof Date ? value.toISOString() : value === null ? null : String(value);

function givenBy(names: readonly string[], columns: Columns): string {
  const lists = names.map((name, at) => `$${at + 1}::text[]::${columns[name] ?? 'text'}[]`);
  // The condition, always true, lets the planner expect one row: it joins by the index then. With
  // the real number it would read the whole of a table that was nearly empty when the statement was
  // planned, and go on when it is large.
  return (
    `(select * from unnest(${lists.join(', ')}) with ordinality ` +
    `as listed(${names.join(', ')}, nth) where nth between 1 and 1000000) as given`
  );
}

/**
 * Makes a statement over many rows. `text` gives its SQL from the place to select them from:
 * `given`, with the columns, and in `nth` each row's place from 1. The rows are one list for each
 * column, so that the text is the same for any number of them and the server plans it once; it is
 * written here and not built, since building takes longer than sending. What it gives are the rows
 * that come back.
 */
export function statementOver<Back, C extends Columns>(
  db: Database,
  columns: C,
  text: (given: string) => string,
): (rows: readonly Row<C>[]) => Promise<Back[]> {
  const names = Object.keys(columns) as (keyof C & string)[];
  const sql = text(givenBy(names, columns));
  return async (rows) => {
    const lists = names.map((name) => rows.map((row) => written(row[name])));
    return (await db.executeQuery<Back>(CompiledQuery.raw(sql, lists))).rows;
  };
}
