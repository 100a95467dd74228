import type { DuckDBConnection } from '@duckdb/node-api';
import { minuteMs } from '../../../../../lib/durations.ts';
import type { RecentResult, RecentStoreQuery } from '../../recent.ts';
import { createSession } from '../sql/session.ts';
import { siteCondition } from '../sql/site-condition.ts';
import { integer, type Row, timeLiteral } from '../sql/values.ts';

/** Columns of the last events, by the name of the member of the result. */
const texts = {
  event: 'name',
  hostname: 'hostname',
  pathname: 'pathname',
  country: 'country',
  browser: 'browser',
  os: 'os',
} as const;

const textIn = (row: Row, name: keyof typeof texts): string | null => {
  const value = row[name];
  return typeof value === 'string' ? value : null;
};

/** Reads visitors by minute, and the last events, newest first. Bots are left out. */
export async function readRecent(
  connection: DuckDBConnection,
  { siteId, now, minutes, limit }: RecentStoreQuery,
  signal?: AbortSignal,
): Promise<RecentResult> {
  const session = createSession(connection, {}, signal);
  const from = now - minutes * minuteMs;
  const where = `${siteCondition(siteId)} AND ts >= ${timeLiteral(from)}
    AND ts < ${timeLiteral(now)} AND NOT bot AND is_counted(name)`;
  const counts = await session.rows(
    `SELECT (epoch_ms(ts) - ${from}) // ${minuteMs} AS minute,
       count(DISTINCT nullif(visitor_id, 0)) AS visitors
     FROM events WHERE ${where} GROUP BY 1`,
  );
  const names = Object.entries(texts);
  const rows = await session.rows(
    `SELECT epoch_ms(e.ts) AS ms, ${names.map(([name]) => `d_${name}.value AS ${name}`).join(', ')}
     FROM (SELECT * FROM events WHERE ${where} ORDER BY ts DESC, event_id LIMIT ${limit}) e
     ${names
       .map(([name, column]) => `LEFT JOIN dict d_${name} ON d_${name}.id = e.${column}`)
       .join(' ')}
     ORDER BY e.ts DESC, e.event_id`,
  );
  return {
    visitors: Array.from({ length: minutes }, (_, minute) =>
      integer(counts.find((row) => integer(row.minute) === minute)?.visitors),
    ),
    events: rows.map((row) => ({
      time: integer(row.ms),
      event: textIn(row, 'event') ?? '',
      hostname: textIn(row, 'hostname'),
      pathname: textIn(row, 'pathname') ?? '',
      country: textIn(row, 'country'),
      browser: textIn(row, 'browser'),
      os: textIn(row, 'os'),
    })),
  };
}
