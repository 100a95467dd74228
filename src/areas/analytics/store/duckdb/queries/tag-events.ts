import type { DuckDBConnection } from '@duckdb/node-api';
import type { TagEvent, TagEventsStoreQuery } from '../../queries.ts';
import { type DictionaryColumn, dictionaryColumns } from '../../events.ts';
import { createSession } from '../sql/session.ts';
import { siteCondition } from '../sql/site-condition.ts';
import { integer, type Row } from '../sql/values.ts';

const kindOf = (column: DictionaryColumn): number => dictionaryColumns.indexOf(column);
const eventId = `(SELECT id FROM dict WHERE kind = ${kindOf('name')} AND value = $event)`;

const texts = ['country', 'device', 'os'] as const;
const text = (value: Row[string] | undefined): string | null =>
  typeof value === 'string' ? value : null;

/** Reads the newest events of a tag. */
export async function readTagEvents(
  connection: DuckDBConnection,
  { siteId, event, tag, limit }: TagEventsStoreQuery,
  signal?: AbortSignal,
): Promise<TagEvent[]> {
  const joins = texts.map((name) => `LEFT JOIN dict d_${name} ON d_${name}.id = e.${name}`);
  const rows = await createSession(connection, { event, tag }, signal).rows(
    `SELECT epoch_ms(e.ts) AS at, ${texts.map((name) => `d_${name}.value AS ${name}`).join(', ')}
     FROM (
       SELECT * FROM events WHERE ${siteCondition(siteId)} AND NOT bot AND name = ${eventId}
         AND tag = (SELECT id FROM dict WHERE kind = ${kindOf('tag')} AND value = $tag)
       ORDER BY ts DESC, event_id LIMIT ${limit}) e
     ${joins.join(' ')}
     ORDER BY e.ts DESC, e.event_id`,
  );
  return rows.map(({ at, country, device, os }) => ({
    at: integer(at),
    country: text(country),
    device: text(device),
    os: text(os),
  }));
}
