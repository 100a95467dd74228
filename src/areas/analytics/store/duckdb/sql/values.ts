import type { DuckDBValue } from '@duckdb/node-api';

export type Row = Record<string, DuckDBValue>;

/** A whole number from a result; 0 for NULL. */
export const integer = (value: DuckDBValue | undefined): number =>
  value == null ? 0 : Number(value);

/** A number from a result; null for NULL. */
export const decimal = (value: DuckDBValue | undefined): number | null =>
  value == null ? null : Number(value);

/** The text in the column `value`; null when there is none. */
export const textOf = ({ value }: Row): string | null => (typeof value === 'string' ? value : null);

/**
 * A time (Unix ms) as a literal of the columns' own type. Any other type would be cast row by row,
 * and DuckDB could skip no block.
 */
export const timeLiteral = (ms: number): string =>
  `TIMESTAMP_MS '${new Date(ms).toISOString().replace('T', ' ').replace('Z', '')}'`;
