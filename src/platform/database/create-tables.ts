import { type ColumnType, type Generated, type Migration, sql } from 'kysely';

/** Tables by name: their columns by name, each as SQL writes it after the name. */
type SqlTables = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Returns the migration that creates `tables`, then runs `statements`: constraints of several
 * columns, indexes, views, triggers.
 */
export const createTables = (tables: SqlTables, statements: readonly string[] = []): Migration => ({
  async up(db) {
    const created = Object.entries(tables).map(([table, columns]) => {
      const definitions = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`);
      return `create table ${table} (${definitions.join(', ')})`;
    });
    for (const statement of [...created, ...statements]) await sql.raw(statement).execute(db);
  },
});

/**
 * The rows of tables, derived from the SQL of their columns; `check (x in ('a', 'b'))` becomes
 * `'a' | 'b'`. `Known` has the types of columns of which the code knows more than SQL says.
 */
export type Rows<Created extends SqlTables, Known = unknown> = {
  -readonly [Table in keyof Created]: {
    -readonly [Name in keyof Created[Table]]: Name extends keyof Lookup<Known, Table>
      ? Lookup<Known, Table>[Name]
      : Column<Created[Table][Name]>;
  };
};

type Lookup<Known, Table> = Table extends keyof Known ? Known[Table] : unknown;

type Column<Sql extends string> = Sql extends `jsonb${string}`
  ? ColumnType<unknown, Written<Sql, string>, OrNull<Sql, string>>
  : Sql extends `${string}${' default ' | ' generated ' | 'serial '}${string}`
    ? Generated<OrNull<Sql, Value<Sql>>>
    : OrNull<Sql, Value<Sql>>;

type Written<Sql extends string, Type> = Sql extends `${string} default ${string}`
  ? OrNull<Sql, Type> | undefined
  : OrNull<Sql, Type>;

type OrNull<
  Sql extends string,
  Type,
> = Sql extends `${string}${'not null' | 'primary key'}${string}` ? Type : Type | null;

type Value<Sql extends string> = Sql extends `${string} in (${infer List})${string}`
  ? Quoted<List>
  : FirstWord<Sql> extends keyof ValueTypes
    ? ValueTypes[FirstWord<Sql>]
    : never;

type FirstWord<Sql extends string> = Sql extends `${infer Word} ${string}` ? Word : Sql;

type Quoted<List extends string> = List extends `${string}'${infer Text}'${infer Rest}`
  ? Text | Quoted<Rest>
  : never;

/** As `value-parsers.ts` reads them. */
interface ValueTypes {
  bigint: number;
  boolean: boolean;
  bytea: Buffer;
  date: string;
  integer: number;
  serial: number;
  smallint: number;
  text: string;
  'text[]': string[];
  timestamptz: Date;
  uuid: string;
}
