import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { DashboardQuestion, Filter, SelectionQuestion } from '../../questions.ts';
import { checkPatterns, conditionsOf } from './conditions.ts';
import { createSelection, type Selection } from './selection.ts';
import { createSession, integer, type Session } from '../sql/session.ts';

/** What a question needs besides its selection. */
export interface More {
  /** Named parameters of its own. */
  parameters?: Record<string, DuckDBValue>;
  /** Filters of its own, whose patterns are to be checked. */
  filters?: readonly Filter[];
  /** Ends it. */
  signal?: AbortSignal | undefined;
}

async function openFrom(session: Session): Promise<number> {
  const [row] = await session.rows('SELECT epoch_ms(min(open_from)) AS ms FROM visit_state');
  return integer(row?.ms);
}

/**
 * Works on one snapshot of the store; temporary tables that `work` makes are gone afterwards. Throws an error that says
 * "not a regular expression" for a pattern of a filter that is none, and the reason of the signal that ends it.
 */
export async function readSelected<T>(
  connection: DuckDBConnection,
  question: SelectionQuestion & Partial<Pick<DashboardQuestion, 'compare' | 'buckets' | 'now'>>,
  work: (session: Session, selection: Selection) => Promise<T>,
  { parameters = {}, filters = [], signal }: More = {},
): Promise<T> {
  const conditions = conditionsOf(question.filters);
  const session = createSession(connection, { ...conditions.parameters, ...parameters }, signal);
  await checkPatterns(connection, [...question.filters, ...filters]);
  await session.run('BEGIN');
  try {
    const selection = createSelection(question, conditions, await openFrom(session));
    for (const statement of selection.preparation) await session.run(statement);
    return await work(session, selection);
  } finally {
    // By itself: it must also end what was interrupted.
    await connection.run('ROLLBACK');
  }
}
