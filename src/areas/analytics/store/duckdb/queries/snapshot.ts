import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { Filter } from '../../queries.ts';
import { createSession, type Session } from '../sql/session.ts';
import { siteCondition } from '../sql/site-condition.ts';
import { decimal, integer, timeLiteral } from '../sql/values.ts';
import { checkPatterns, toQueryConditions } from './conditions.ts';
import {
  createSelection,
  readsFrom,
  type Selected,
  type Selection,
  type VisitStarts,
} from './selection.ts';

export interface SnapshotOptions {
  /** Named parameters besides those of the query's filters. */
  parameters?: Record<string, DuckDBValue>;
  /** Further filters to validate. */
  filters?: readonly Filter[];
  /** Interrupts the query. */
  signal?: AbortSignal | undefined;
}

/** Reads since when visits matter. Looks for earlier starts only if visits are read as a whole. */
async function readStarts(
  session: Session,
  query: Selected,
  hasContents: boolean,
): Promise<VisitStarts> {
  const [row] = await session.rows('SELECT epoch_ms(min(open_from)) AS ms FROM visit_state');
  const [openFrom, from] = [integer(row?.ms), readsFrom(query)];
  if (!hasContents || from === 0) return { openFrom, readFrom: from };
  const [earliest] = await session.rows(
    `SELECT epoch_ms(min(started)) AS ms FROM visits WHERE ${siteCondition(query.siteId)}
     AND ended >= ${timeLiteral(from)} AND started < ${timeLiteral(from)}`,
  );
  const began = decimal(earliest?.ms) ?? from;
  return { openFrom, readFrom: Math.min(openFrom, began) };
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
  const conditions = toQueryConditions(query);
  const session = createSession(connection, { ...conditions.parameters, ...parameters }, signal);
  await checkPatterns(connection, [...query.filters, ...filters]);
  await session.run('BEGIN');
  try {
    const starts = await readStarts(session, query, conditions.contents.length > 0);
    const selection = createSelection(query, conditions, starts);
    for (const statement of selection.preparation) await session.run(statement);
    return await work(session, selection);
  } finally {
    // Not through the session, whose aborted signal would prevent the rollback.
    await connection.run('ROLLBACK');
  }
}
