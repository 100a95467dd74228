import { visitBreakdowns } from '../../questions.ts';

/** The dimensions by which visits are counted: a dimension's kind is its place. */
export const kindColumns = Object.values(visitBreakdowns);
/** Visits by their length in whole seconds. */
export const durationKind = kindColumns.length;
/** All visits, with value 0. */
export const everyoneKind = durationKind + 1;

/** Whole seconds of a visit. */
export const visitSeconds = '((epoch_ms(ended) - epoch_ms(started)) // 1000)';

/** Columns that `byKind` reads of visits with durations. */
export const countedColumns = `started, ended, bounce, ${kindColumns.join(', ')}`;

export interface KindQuery {
  /** SELECT of visits. */
  rows: string;
  /** What is wanted for each kind and value, with names. */
  aggregates: string;
  /** Columns to group by as well. */
  keys?: readonly string[];
  /** Count also by length. */
  durations?: boolean;
}

/** SELECT of `keys`, kind, value and the aggregates. One pass over the rows counts by all dimensions. */
export function byKind({ rows, aggregates, keys = [], durations = false }: KindQuery): string {
  const columns = durations ? [...kindColumns, 'seconds'] : kindColumns;
  const source = durations ? `SELECT *, ${visitSeconds}::UINTEGER AS seconds FROM (${rows})` : rows;
  // In the row of one set the columns of the others are NULL; a visit itself has 0 for what it lacks.
  const kind = `CASE ${columns.map((column, index) => `WHEN ${column} IS NOT NULL THEN ${index}`).join(' ')} ELSE ${everyoneKind} END`;
  const sets = [...columns.map((column) => [...keys, column]), keys].map(
    (set) => `(${set.join(', ')})`,
  );
  return `SELECT ${keys.map((key) => `${key}, `).join('')}(${kind})::UTINYINT AS kind, coalesce(${columns.join(', ')}, 0)::UINTEGER AS value, ${aggregates}
    FROM (${source}) GROUP BY GROUPING SETS (${sets.join(', ')})`;
}

/** SELECT of kind, value, visits, bounces and `persons` (an aggregate), by `keys`. */
export const countVisits = (rows: string, persons: string, keys: readonly string[] = []): string =>
  byKind({
    rows,
    keys,
    durations: true,
    aggregates: `count(*)::UINTEGER AS visits, coalesce(sum(bounce::INTEGER), 0)::UINTEGER AS bounces, ${persons}::INTEGER AS persons`,
  });
