import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { interruptible } from './interruptible.ts';
import type { Row } from './values.ts';

/**
 * Runs statements on a connection, binding to each only the named parameters that it mentions.
 * Aborting the signal interrupts the current statement.
 */
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
      const read = () => connection.runAndReadAll(sql, used(sql));
      return (await interruptible(connection, signal, read)).getRowObjects();
    },
  };
}

export type Session = ReturnType<typeof createSession>;
