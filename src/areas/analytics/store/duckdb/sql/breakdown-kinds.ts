import { visitBreakdowns } from '../../queries.ts';

/** The dimensions by which visits are counted. The kind of a dimension is its index. */
export const kindColumns = Object.values(visitBreakdowns);
/** The kind that counts visits by their duration in whole seconds. */
export const durationKind = kindColumns.length;
/** The kind that counts all visits, with value 0. */
export const everyoneKind = durationKind + 1;

/** SQL of the duration of a visit in whole seconds. */
export const visitSeconds = '((epoch_ms(ended) - epoch_ms(started)) // 1000)';

/** The columns of visits that `countVisits` reads. */
export const countedColumns = `started, ended, bounce, ${kindColumns.join(', ')}`;

export interface KindQuery {
  /** SELECT of visits. */
  rows: string;
  /** Aggregates with their names, for each kind and value. */
  aggregates: string;
  /** Further columns to group by. */
  keys?: readonly string[];
  /** Also count by duration. */
  durations?: boolean;
}

/** Returns a SELECT of `keys`, kind, value and aggregates: all dimensions in one pass. */
export function byKind({ rows, aggregates, keys = [], durations = false }: KindQuery): string {
  const columns = durations ? [...kindColumns, 'seconds'] : kindColumns;
  const source = durations ? `SELECT *, ${visitSeconds}::UINTEGER AS seconds FROM (${rows})` : rows;
  // A row of one grouping set has NULL in the columns of the others; a visit has 0 for "not set".
  const branches = columns.map((column, index) => `WHEN ${column} IS NOT NULL THEN ${index}`);
  const sets = [...columns.map((column) => [...keys, column]), keys].map(
    (set) => `(${set.join(', ')})`,
  );
  return `SELECT ${keys.map((key) => `${key}, `).join('')}
      (CASE ${branches.join(' ')} ELSE ${everyoneKind} END)::UTINYINT AS kind,
      coalesce(${columns.join(', ')}, 0)::UINTEGER AS value, ${aggregates}
    FROM (${source}) GROUP BY GROUPING SETS (${sets.join(', ')})`;
}

/** Returns a SELECT of `keys`, kind, value, visits, bounces and `persons` (an aggregate). */
export const countVisits = (rows: string, persons: string, keys: readonly string[] = []): string =>
  byKind({
    rows,
    keys,
    durations: true,
    aggregates: `count(*)::UINTEGER AS visits,
      coalesce(sum(bounce::INTEGER), 0)::UINTEGER AS bounces, ${persons}::INTEGER AS persons`,
  });
