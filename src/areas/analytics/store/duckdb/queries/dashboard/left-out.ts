import type { DashboardResult } from '../../../queries.ts';
import { rangesWithout } from '../../sql/days.ts';
import { siteCondition } from '../../sql/site-condition.ts';
import { integer, timeLiteral } from '../../sql/values.ts';
import type { DashboardContext } from './context.ts';
import { slotCondition } from './series.ts';

async function readDropped({
  session,
  query: { siteId, range },
}: DashboardContext): Promise<Record<string, number>> {
  const rows = await session.rows(
    `SELECT reason, sum(n) AS n FROM dropped
     WHERE (site_id = 0 OR ${siteCondition(siteId)})
     AND hour >= ${timeLiteral(range.from)} AND hour < ${timeLiteral(range.to)}
     GROUP BY 1 ORDER BY 1`,
  );
  return Object.fromEntries(rows.map((row) => [String(row.reason), integer(row.n)]));
}

async function countBotEvents({
  session,
  selection,
  query: { siteId, range },
  days,
}: DashboardContext): Promise<number> {
  const parts = rangesWithout(range, days).map(
    (part) => `SELECT count(*) AS n FROM (${selection.botEvents('ts', part)})`,
  );
  const summarised = slotCondition(days);
  if (summarised !== undefined)
    parts.push(
      `SELECT sum(bot_events) AS n FROM event_slots
       WHERE ${siteCondition(siteId)} AND ${summarised}`,
    );
  const [row] = await session.rows(`SELECT sum(n) AS n FROM (${parts.join(' UNION ALL ')})`);
  return integer(row?.n);
}

/** Reads what the figures leave out: dropped events, and events of bots. */
export async function readLeftOut(
  context: DashboardContext,
): Promise<Pick<DashboardResult, 'dropped' | 'bot_events'>> {
  return { dropped: await readDropped(context), bot_events: await countBotEvents(context) };
}
