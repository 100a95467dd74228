import type { DuckDBConnection } from '@duckdb/node-api';
import type { TagCount, TagCountsStoreQuery } from '../../queries.ts';
import { dictionaryColumns } from '../../events.ts';
import { createSession } from '../sql/session.ts';
import { siteCondition } from '../sql/site-condition.ts';
import { integer } from '../sql/values.ts';

const kindOf = (column: 'name' | 'tag'): number => dictionaryColumns.indexOf(column);

/** Counts events by tag in one pass over the events of the sites. */
export async function readTagCounts(
  connection: DuckDBConnection,
  { siteId, event, tags }: TagCountsStoreQuery,
  signal?: AbortSignal,
): Promise<TagCount[]> {
  if (tags.length === 0) return [];
  const names = tags.map((_, index) => `$tag${index}`).join(', ');
  const parameters = Object.fromEntries(tags.map((tag, index) => [`tag${index}`, tag]));
  const rows = await createSession(connection, { event, ...parameters }, signal).rows(
    `WITH wanted AS (
       SELECT id, value FROM dict WHERE kind = ${kindOf('tag')} AND value IN (${names}))
     SELECT w.value AS tag, count(*) AS n, epoch_ms(max(e.ts)) AS last
     FROM events e JOIN wanted w ON w.id = e.tag
     WHERE e.${siteCondition(siteId)} AND NOT e.bot AND e.name = (
       SELECT id FROM dict WHERE kind = ${kindOf('name')} AND value = $event)
     GROUP BY w.value`,
  );
  return rows.map(({ tag, n, last }) => ({
    tag: String(tag),
    events: integer(n),
    lastEventAt: integer(last),
  }));
}
