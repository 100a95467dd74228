import { type AliasedRawBuilder, type RawBuilder, sql } from 'kysely';

interface Types {
  uuid: string;
  text: string;
  integer: number;
  timestamptz: Date;
}

type Columns = Record<string, keyof Types>;
type Row<C extends Columns> = { [Name in keyof C]: Types[C[Name]] };
type Nullable<R> = { [Name in keyof R]: R[Name] | null };

const written = (value: string | number | Date | null) => (value instanceof Date ? value.toISOString() : value === null ? null : String(value));

function list(values: (string | number | Date | null)[], type: keyof Types): RawBuilder<unknown> {
  // As texts first: the embedded engine's driver writes lists of those only.
  return sql`${values.map(written)}::text[]::${sql.raw(type)}[]`;
}

/**
 * Rows as one parameter a column, to select from: `given`, with their place from 1 in `nth`. The text of the statement
 * is the same for any number of rows, so that the server plans it once.
 */
export function recordset<C extends Columns>(columns: C, rows: readonly Nullable<Row<C>>[]): AliasedRawBuilder<Row<C> & { nth: number }, 'given'> {
  const names = Object.keys(columns) as (keyof C & string)[];
  const lists = names.map((name) => list(rows.map((row) => row[name]), columns[name] ?? 'text'));
  // The condition, always true, lets the planner expect one row: it joins by the index then. With the real number it
  // would read the whole of a table that was nearly empty when the statement was planned, and go on when it is large.
  return sql<Row<C> & { nth: number }>`(select * from unnest(${sql.join(lists)}) with ordinality as listed(${sql.raw([...names, 'nth'].join(', '))})
    where nth between 1 and 1000000)`.as<'given'>(sql`given`);
}
