import type { DuckDBConnection } from '@duckdb/node-api';
import { dayMs } from '../../../../../lib/durations.ts';
import { visitSelect } from '../schema/visit-select.ts';
import { integer, timeLiteral } from '../sql/values.ts';
import { invalidateSummaries } from './summaries.ts';

/**
 * Deletes the site's visits that began before the instant. Visits that continue after it are
 * rewritten from their remaining events. Returns the new start times of these (Unix ms).
 */
async function shortenVisits(
  connection: DuckDBConnection,
  site: string,
  before: string,
): Promise<number[]> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE shortened AS
     SELECT session_id FROM visits WHERE ${site} AND started < ${before} AND ended >= ${before}`,
  );
  await connection.run(`DELETE FROM visits WHERE ${site} AND started < ${before}`);
  const shortened = visitSelect(`events e SEMI JOIN shortened USING (session_id) WHERE e.${site}`);
  await connection.run(`INSERT INTO visits BY NAME ${shortened}`);
  const result = await connection.runAndReadAll(
    `SELECT epoch_ms(started) FROM visits SEMI JOIN shortened USING (session_id) WHERE ${site}`,
  );
  return result.getRows().map(([started]) => integer(started));
}

/** Removes the site from the summaries of days before `day` (days since 1970). */
async function deleteSummaries(
  connection: DuckDBConnection,
  site: string,
  day: number,
): Promise<void> {
  for (const table of ['visit_days', 'page_days', 'name_days', 'engagement_days', 'repeat_starts'])
    await connection.run(`DELETE FROM ${table} WHERE ${site} AND day < ${day}`);
  for (const table of ['visit_slots', 'event_slots'])
    await connection.run(
      `DELETE FROM ${table} WHERE ${site} AND slot < ${timeLiteral(day * dayMs)}`,
    );
}

/**
 * Deletes the data of a site before an instant (Unix ms), within the caller's transaction: events,
 * visits, summaries and drop counts. Texts stay in the dictionary, since other events may share
 * them. Returns the number of deleted events.
 */
export async function deleteBefore(
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
  await deleteSummaries(connection, site, Math.floor(ms / dayMs));
  await connection.run(
    `DELETE FROM regulars
     WHERE ${site} AND visitor_id NOT IN (SELECT visitor_id FROM events WHERE ${site})`,
  );
  await invalidateSummaries(connection, ms % dayMs === 0 ? starts : [ms, ...starts]);
  return rowsChanged;
}
