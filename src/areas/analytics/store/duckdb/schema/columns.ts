import { type DictionaryColumn, dictionaryColumns } from '../../events.ts';
import { firstEventDimensions } from '../../queries.ts';

/** Columns of `events`, in order. Append new ones: `ALTER TABLE` adds them at the end, too. */
export const eventColumns = {
  site_id: 'UINTEGER',
  ts: 'TIMESTAMP_MS',
  received_at: 'TIMESTAMP_MS',
  event_id: 'UUID',
  visitor_id: 'UBIGINT',
  session_id: 'UBIGINT',
  named: 'BOOLEAN',
  interactive: 'BOOLEAN',
  bot: 'BOOLEAN',
  ...(Object.fromEntries(
    dictionaryColumns.map((column) => [column, 'UINTEGER' as const]),
  ) as Record<DictionaryColumn, 'UINTEGER'>),
  screen_w: 'USMALLINT',
  screen_h: 'USMALLINT',
  scroll_depth: 'UTINYINT',
  engagement_ms: 'UINTEGER',
  revenue: 'DECIMAL(18,4)',
  lcp: 'FLOAT',
  inp: 'FLOAT',
  cls: 'FLOAT',
  fcp: 'FLOAT',
  ttfb: 'FLOAT',
  query: 'VARCHAR',
  click_id: 'VARCHAR',
  user_id: 'VARCHAR',
  props: 'VARCHAR',
  person: 'UBIGINT',
} as const;

/** Columns of a visit that hold the value of its first event. */
export const firstEventColumns = firstEventDimensions satisfies readonly DictionaryColumn[];

/** Columns of a visit: computed by `visitSelect`, stored in `visits` once the visit is over. */
export const visitColumns: Record<string, string> = {
  site_id: 'UINTEGER',
  session_id: 'UBIGINT',
  visitor_id: 'UBIGINT',
  started: 'TIMESTAMP_MS',
  ended: 'TIMESTAMP_MS',
  bot: 'BOOLEAN',
  pageviews: 'UINTEGER',
  events: 'UINTEGER',
  bounce: 'BOOLEAN',
  entry_page: 'UINTEGER',
  exit_page: 'UINTEGER',
  hostname: 'UINTEGER',
  ...Object.fromEntries(firstEventColumns.map((name) => [name, 'UINTEGER'])),
};
