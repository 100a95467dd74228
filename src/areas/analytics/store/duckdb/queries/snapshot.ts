import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { Filter } from '../../queries.ts';
import { createSession, type Session } from '../sql/session.ts';
import { integer } from '../sql/values.ts';
import { checkPatterns, toConditions } from './conditions.ts';
import { createSelection, type Selected, type Selection } from './selection.ts';

export interface SnapshotOptions {
  /** Named parameters besides those of the query's filters. */
  parameters?: Record<string, DuckDBValue>;
  /** Further filters to validate. */
  filters?: readonly Filter[];
  /** Interrupts the query. */
  signal?: AbortSignal | undefined;
}

async function readOpenFrom(session: Session): Promise<number> {
  const [row] = await session.rows('SELECT epoch_ms(min(open_from)) AS ms FROM visit_state');
  return integer(row?.ms);
}

/**
 * Runs `work` on one snapshot of the store, then rolls back, which drops its temporary tables.
 * Throws an error that says "not a regular expression" for an invalid pattern, and the reason of an
 * aborted signal.
 */
export async function readSnapshot<T>(
  connection: DuckDBConnection,
  query: Selected,
  work: (session: Session, selection: Selection) => Promise<T>,
  { parameters = {}, filters = [], signal }: SnapshotOptions = {},
): Promise<T> {
  const conditions = toConditions(query.filters);
  const session = createSession(connection, { ...conditions.parameters, ...parameters }, signal);
  await checkPatterns(connection, [...query.filters, ...filters]);
  await session.run('BEGIN');
  try {
    const selection = createSelection(query, conditions, await readOpenFrom(session));
    for (const statement of selection.preparation) await session.run(statement);
    return await work(session, selection);
  } finally {
    // Not through the session, whose aborted signal would prevent the rollback.
    await connection.run('ROLLBACK');
  }
}
