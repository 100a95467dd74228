import { dayMs } from '../../../../../../lib/durations.ts';
import { integer } from '../../sql/values.ts';
import { visitorsNowMs } from '../selection.ts';
import type { DashboardContext } from './context.ts';

/** Counts visitors with an event in the last five minutes. */
export async function readVisitorsNow({
  session,
  selection,
  query: { now },
}: DashboardContext): Promise<number> {
  // Client clocks may be ahead.
  const range = { from: now - visitorsNowMs, to: now + dayMs };
  const recent = selection.events('visitor_id', range, ' AND visitor_id <> 0');
  const [row] = await session.rows(`SELECT count(DISTINCT visitor_id) AS n FROM (${recent})`);
  return integer(row?.n);
}
