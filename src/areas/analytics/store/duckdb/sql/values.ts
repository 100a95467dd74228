import type { DuckDBValue } from '@duckdb/node-api';

export type Row = Record<string, DuckDBValue>;

/** Returns a whole number from a result; 0 for NULL. */
export const integer = (value: DuckDBValue | undefined): number =>
  value == null ? 0 : Number(value);

/** Returns a number from a result; null for NULL. */
export const decimal = (value: DuckDBValue | undefined): number | null =>
  value == null ? null : Number(value);

/** Returns the text in the column `value`; null for NULL. */
export const textOf = ({ value }: Row): string | null => (typeof value === 'string' ? value : null);

/**
 * Returns a time (Unix ms) as a literal of the column type. Any other type would be cast row by
 * row, and DuckDB could not skip blocks.
 */
export const timeLiteral = (ms: number): string =>
  `TIMESTAMP_MS '${new Date(ms).toISOString().replace('T', ' ').replace('Z', '')}'`;
