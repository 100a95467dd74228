import type { DuckDBConnection } from '@duckdb/node-api';
import { visitSelect } from '../schema/schema.ts';
import { integer, timeLiteral } from '../sql/session.ts';
import { forgetSummaries } from './summaries.ts';
import { dayMs } from '../../../../../lib/durations.ts';

/** Deletes the site's visits from before the instant. Those that go on after it begin with what is left of them: gives when. */
async function shortenVisits(
  connection: DuckDBConnection,
  site: string,
  before: string,
): Promise<number[]> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE shortened AS SELECT session_id FROM visits WHERE ${site} AND started < ${before} AND ended >= ${before}`,
  );
  await connection.run(`DELETE FROM visits WHERE ${site} AND started < ${before}`);
  await connection.run(
    `INSERT INTO visits BY NAME ${visitSelect(`events e SEMI JOIN shortened USING (session_id) WHERE e.${site}`)}`,
  );
  const result = await connection.runAndReadAll(
    `SELECT epoch_ms(started) FROM visits SEMI JOIN shortened USING (session_id) WHERE ${site}`,
  );
  return result.getRows().map(([started]) => integer(started));
}

/** Days before `day` (counted from 1970) stay added up: without the site. */
async function forgetDays(connection: DuckDBConnection, site: string, day: number): Promise<void> {
  for (const table of ['visit_days', 'page_days', 'name_days', 'engagement_days', 'repeat_starts'])
    await connection.run(`DELETE FROM ${table} WHERE ${site} AND day < ${day}`);
  for (const table of ['visit_slots', 'event_slots'])
    await connection.run(
      `DELETE FROM ${table} WHERE ${site} AND slot < ${timeLiteral(day * dayMs)}`,
    );
}

/**
 * Deletes what a site had before an instant (Unix ms) within the caller's transaction: events, visits, what is added up of
 * its days, counts of what was dropped. Gives how many events. Texts that other events share stay in the dictionary.
 */
export async function forgetBefore(
  connection: DuckDBConnection,
  siteId: number,
  ms: number,
): Promise<number> {
  const [site, before] = [`site_id = ${siteId}`, timeLiteral(ms)];
  const { rowsChanged } = await connection.run(
    `DELETE FROM events WHERE ${site} AND ts < ${before}`,
  );
  await connection.run(`DELETE FROM dropped WHERE ${site} AND hour < ${before}`);
  const starts = await shortenVisits(connection, site, before);
  await forgetDays(connection, site, Math.floor(ms / dayMs));
  await connection.run(
    `DELETE FROM regulars WHERE ${site} AND visitor_id NOT IN (SELECT visitor_id FROM events WHERE ${site})`,
  );
  await forgetSummaries(connection, ms % dayMs === 0 ? starts : [ms, ...starts]);
  return rowsChanged;
}
