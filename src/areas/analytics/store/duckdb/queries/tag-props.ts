import type { DuckDBConnection } from '@duckdb/node-api';
import { type DictionaryColumn, dictionaryColumns } from '../../events.ts';
import type { TagPropCount, TagPropsStoreQuery } from '../../queries.ts';
import { createSession } from '../sql/session.ts';
import { siteCondition } from '../sql/site-condition.ts';
import { integer } from '../sql/values.ts';

const idOf = (column: DictionaryColumn, parameter: string): string => {
  const kind = dictionaryColumns.indexOf(column);
  return `(SELECT id FROM dict WHERE kind = ${kind} AND value = $${parameter})`;
};

/** More values than a tag has in practice: at most so many are read. */
const maxValues = 100;

/** Counts the events of a tag by a property, the most frequent value first. */
export async function readTagProps(
  connection: DuckDBConnection,
  { siteId, event, tag, property, range }: TagPropsStoreQuery,
  signal?: AbortSignal,
): Promise<TagPropCount[]> {
  const path = `/${property.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const rows = await createSession(connection, { event, tag, path, ...range }, signal).rows(
    `SELECT json_extract_string(props, $path) AS value, count(*) AS n FROM events
     WHERE ${siteCondition(siteId)} AND NOT bot
       AND name = ${idOf('name', 'event')} AND tag = ${idOf('tag', 'tag')}
       AND ts >= make_timestamp_ms($from) AND ts < make_timestamp_ms($to)
       AND json_extract_string(props, $path) IS NOT NULL
     GROUP BY value ORDER BY n DESC, value LIMIT ${maxValues}`,
  );
  return rows.map(({ value, n }) => ({ value: String(value), events: integer(n) }));
}
