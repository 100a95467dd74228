import type { DuckDBConnection } from '@duckdb/node-api';
import type { TagCount, TagCountsStoreQuery, TagDay, TagDaysStoreQuery } from '../../queries.ts';
import { dictionaryColumns } from '../../events.ts';
import { createSession } from '../sql/session.ts';
import { siteCondition } from '../sql/site-condition.ts';
import { integer } from '../sql/values.ts';

const kindOf = (column: 'name' | 'tag'): number => dictionaryColumns.indexOf(column);

/** The wanted tags, which events of these sites have, and the parameters of both. */
function selectionOf({ siteId, event, tags }: TagCountsStoreQuery) {
  const names = tags.map((_, index) => `$tag${index}`).join(', ');
  return {
    parameters: {
      event,
      ...Object.fromEntries(tags.map((tag, index) => [`tag${index}`, tag])),
    },
    wanted: `WITH wanted AS (
      SELECT id, value FROM dict WHERE kind = ${kindOf('tag')} AND value IN (${names}))`,
    from: `FROM events e JOIN wanted w ON w.id = e.tag
      WHERE e.${siteCondition(siteId)} AND NOT e.bot AND e.name = (
        SELECT id FROM dict WHERE kind = ${kindOf('name')} AND value = $event)`,
  };
}

/** Counts events by tag in one pass over the events of the sites. */
export async function readTagCounts(
  connection: DuckDBConnection,
  query: TagCountsStoreQuery,
  signal?: AbortSignal,
): Promise<TagCount[]> {
  if (query.tags.length === 0) return [];
  const { parameters, wanted, from } = selectionOf(query);
  const rows = await createSession(connection, parameters, signal).rows(
    `${wanted}
     SELECT w.value AS tag, count(*) AS n, epoch_ms(max(e.ts)) AS last ${from}
     GROUP BY w.value`,
  );
  return rows.map(({ tag, n, last }) => ({
    tag: String(tag),
    events: integer(n),
    lastEventAt: integer(last),
  }));
}

/** Counts events by tag and UTC day, from an instant on. */
export async function readTagDays(
  connection: DuckDBConnection,
  query: TagDaysStoreQuery,
  signal?: AbortSignal,
): Promise<TagDay[]> {
  if (query.tags.length === 0) return [];
  const { parameters, wanted, from } = selectionOf(query);
  const rows = await createSession(connection, { ...parameters, since: query.since }, signal).rows(
    `${wanted}
     SELECT w.value AS tag, epoch_ms(date_trunc('day', e.ts)) AS day, count(*) AS n ${from}
       AND e.ts >= make_timestamp_ms($since)
     GROUP BY 1, 2`,
  );
  return rows.map(({ tag, day, n }) => ({
    tag: String(tag),
    day: integer(day),
    events: integer(n),
  }));
}
