import { type RawBuilder, sql } from 'kysely';
import { storableText } from '../../lib/text/storable-text.ts';
import { contains } from '../database/contains.ts';
import { cancellable, type Database } from '../database/database.ts';
import { foldCase } from '../database/fold-case.ts';
import type { Tables } from '../database/tables.ts';
import type { ListCursors } from './list-cursor.ts';
import type { ListQuery, Resource, ResourcePage, Values } from './resource.ts';

export type Row = Readonly<Record<string, unknown>>;

type TableName = Extract<keyof Tables, string>;

/** How a resource lies in its table. */
export interface TableSource<View> {
  table: TableName;
  toView: (row: Row) => View;
  /** The condition of a filter. Default: the column of the same name has the value. */
  filters?: Readonly<Record<string, (value: unknown) => RawBuilder<boolean>>>;
  /** The SQL of a sort. Default: the column of the same name. It is never null. */
  sorts?: Readonly<Record<string, RawBuilder<unknown>>>;
  /** The columns that `q` searches. */
  searched?: readonly string[];
  /** The condition of `q`, where columns are not enough. */
  search?: (text: string) => RawBuilder<boolean>;
}

export interface TableListDeps<View> {
  db: Database;
  cursors: ListCursors;
  resource: Pick<Resource, 'name' | 'filters' | 'hasTotal'>;
  source: TableSource<View>;
}

interface Order {
  by: RawBuilder<unknown>;
  isDescending: boolean;
}

function searchCondition(columns: readonly string[], text: string): RawBuilder<boolean> {
  const conditions = columns.map(
    (column) => sql`${foldCase(sql.ref(column))} like ${foldCase(contains(storableText(text)))}`,
  );
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

/** The filters of a query, in a fixed order. */
const givenFilters = ({ filters = {} }: Pick<Resource, 'filters'>, query: Values) =>
  Object.keys(filters)
    .sort()
    .flatMap((name): [string, unknown][] =>
      query[name] === undefined ? [] : [[name, query[name]]],
    );

function conditionsOf<View>(
  { resource, source }: TableListDeps<View>,
  query: ListQuery,
): RawBuilder<boolean>[] {
  const { filters = {}, searched = [] } = source;
  const search = source.search ?? ((text: string) => searchCondition(searched, text));
  const isEqual = (name: string, value: unknown) => sql<boolean>`${sql.ref(name)} = ${value}`;
  return [
    ...givenFilters(resource, query).map(
      ([name, value]) => filters[name]?.(value) ?? isEqual(name, value),
    ),
    ...(query.q === undefined ? [] : [search(query.q)]),
  ];
}

function orderOf<View>({ sorts = {} }: TableSource<View>, sort: string): Order {
  const name = sort.replace(/^-/, '');
  return { by: sorts[name] ?? sql.ref(name), isDescending: sort.startsWith('-') };
}

/** Entries after a position, which rows of one id each are compared with. */
function afterPosition(
  { by, isDescending }: Order,
  { value, id }: { value: string; id: string },
): RawBuilder<boolean> {
  const operator = isDescending ? sql`<` : sql`>`;
  return sql<boolean>`(${by}, id) ${operator} (${value}, ${id})`;
}

const whereAll = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<unknown> =>
  conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;

async function countRows(
  db: Database,
  table: TableName,
  conditions: readonly RawBuilder<boolean>[],
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from ${sql.table(table)} ${whereAll(conditions)}`.execute(db);
  return rows[0]?.total ?? 0;
}

/**
 * Lists the rows of a table page by page, by keyset: rows that are added or deleted meanwhile
 * neither repeat nor hide others. Throws `request.cursor_invalid`.
 */
export function createTableList<View>(deps: TableListDeps<View>) {
  const { db, cursors, resource, source } = deps;

  return async (query: ListQuery, signal?: AbortSignal): Promise<ResourcePage<View>> => {
    const { limit, sort, cursor, q } = query;
    const list = JSON.stringify([resource.name, sort, q ?? null, givenFilters(resource, query)]);
    const order = orderOf(source, sort);
    const position = cursor === undefined ? undefined : cursors.read(list, cursor);
    const selected = conditionsOf(deps, query);
    const after = position === undefined ? [] : [afterPosition(order, position)];
    const where = whereAll([...selected, ...after]);
    const direction = order.isDescending ? sql`desc` : sql`asc`;
    const { rows } = await sql<Row & { id: string; sorted_by: string }>`
      select *, (${order.by})::text as sorted_by from ${sql.table(source.table)} ${where}
      order by ${order.by} ${direction}, id ${direction} limit ${limit + 1}`.execute(
      cancellable(db, signal),
    );
    const total =
      resource.hasTotal === true ? await countRows(db, source.table, selected) : undefined;
    const shown = rows.slice(0, limit);
    const cursorAt = (at: number): string | null => {
      const row = shown.at(at);
      return row === undefined ? null : cursors.write(list, { value: row.sorted_by, id: row.id });
    };
    return {
      data: shown.map(source.toView),
      cursorAt,
      next_cursor: rows.length > limit ? cursorAt(-1) : null,
      ...(total !== undefined && { total }),
    };
  };
}
