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

// As text: the embedded engine's driver can only write arrays of text.
const toText = (value: Value): string | null =>
  value instanceof Date ? value.toISOString() : value === null ? null : String(value);

function givenFrom(names: readonly string[], columns: Columns): string {
  const lists = names.map((name, at) => `$${at + 1}::text[]::${columns[name] ?? 'text'}[]`);
  // The condition is always true and makes the planner expect one row, so that it joins by the
  // index. With the real number it would choose a sequential scan while the table is nearly empty,
  // and keep that plan when the table is large.
  return (
    `(select * from unnest(${lists.join(', ')}) with ordinality ` +
    `as listed(${names.join(', ')}, nth) where nth between 1 and 1000000) as given`
  );
}

/**
 * Makes a statement over many rows. `text` returns its SQL around the expression to select the rows
 * from: `given`, with the columns and the 1-based row number `nth`. The rows are passed as one
 * array for each column, so that the SQL is the same for any number of rows and the server plans it
 * once. The SQL is plain text because building it takes longer than sending it. The function
 * returns the rows of the result.
 */
export function statementOver<Back, C extends Columns>(
  db: Database,
  columns: C,
  text: (given: string) => string,
): (rows: readonly Row<C>[]) => Promise<Back[]> {
  const names = Object.keys(columns) as (keyof C & string)[];
  const sql = text(givenFrom(names, columns));
  return async (rows) => {
    const lists = names.map((name) => rows.map((row) => toText(row[name])));
    return (await db.executeQuery<Back>(CompiledQuery.raw(sql, lists))).rows;
  };
}
