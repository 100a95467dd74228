import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { interruptible } from './interruptible.ts';

export type Row = Record<string, DuckDBValue>;

/** Runs statements with those of the named parameters that they mention; an aborted signal ends them. */
export function createSession(
  connection: DuckDBConnection,
  parameters: Record<string, DuckDBValue>,
  signal?: AbortSignal,
) {
  const used = (sql: string): Record<string, DuckDBValue> | undefined => {
    const names = new Set([...sql.matchAll(/\$(\w+)/g)].map((match) => match[1] ?? ''));
    const entries = Object.entries(parameters).filter(([name]) => names.has(name));
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  };
  return {
    async run(sql: string): Promise<void> {
      await interruptible(connection, signal, () => connection.run(sql, used(sql)));
    },
    async rows(sql: string): Promise<Row[]> {
      return (
        await interruptible(connection, signal, () => connection.runAndReadAll(sql, used(sql)))
      ).getRowObjects();
    },
  };
}

export type Session = ReturnType<typeof createSession>;

/** A whole number out of a result, 0 for NULL. */
export const integer = (value: DuckDBValue | undefined): number =>
  value == null ? 0 : Number(value);

/** The text in the column `value`; null when there is none. */
export const textOf = ({ value }: Row): string | null => (typeof value === 'string' ? value : null);

/** A time as a constant of the columns' own type: any other type would be cast row by row, and no block skipped. */
export const timeLiteral = (ms: number): string =>
  `TIMESTAMP_MS '${new Date(ms).toISOString().replace('T', ' ').replace('Z', '')}'`;
