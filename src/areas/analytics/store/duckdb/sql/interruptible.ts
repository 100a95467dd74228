import type { DuckDBConnection } from '@duckdb/node-api';

const repeatMs = 20;

/**
 * Runs one statement. Aborting the signal interrupts it and rejects with the signal's reason. After
 * an interrupt, a transaction can only be rolled back.
 */
export async function interruptible<T>(
  connection: DuckDBConnection,
  signal: AbortSignal | undefined,
  statement: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  let repeating: NodeJS.Timeout | undefined;
  const onAbort = () => {
    connection.interrupt();
    // DuckDB drops an interrupt that arrives while the statement still waits for a thread.
    repeating = setInterval(() => connection.interrupt(), repeatMs);
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await statement();
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    clearInterval(repeating);
  }
}
