import type { DuckDBConnection } from '@duckdb/node-api';

/** Texts that repeat are kept once, in `dict`, one numbering for each of these kinds. 0 stands for "none". */
export const dictionaryColumns = [
  'name',
  'hostname',
  'pathname',
  'title',
  'referrer',
  'source',
  'channel',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'browser',
  'browser_version',
  'os',
  'os_version',
  'device',
  'language',
  'country',
  'currency',
  'tag',
] as const;
export type DictionaryColumn = (typeof dictionaryColumns)[number];

/** Columns of `events` in their order. `word` is the number of a text in `dict`. */
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
  ...(Object.fromEntries(dictionaryColumns.map((kind) => [kind, 'UINTEGER' as const])) as Record<
    DictionaryColumn,
    'UINTEGER'
  >),
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

/** Dimensions that a visit takes from its first event. */
export const visitDimensions = [
  'referrer',
  'source',
  'channel',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'country',
  'browser',
  'browser_version',
  'os',
  'os_version',
  'device',
  'language',
] as const satisfies readonly DictionaryColumn[];

const columns = (spec: Record<string, string>) =>
  Object.entries(spec)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ');

/** Columns of a visit, closed or open: computed by `visitSelect`, kept in `visits` when it is over. */
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
  ...Object.fromEntries(visitDimensions.map((name) => [name, 'UINTEGER'])),
};

// No keys and no indexes: they stay in memory and make the log's replay fragile.
const tables: Record<string, string> = {
  dict: 'kind UTINYINT NOT NULL, id UINTEGER NOT NULL, value VARCHAR NOT NULL',
  events: columns(eventColumns),
  visits: columns(visitColumns),
  visit_state: 'open_from TIMESTAMP_MS NOT NULL',
  visit_memory: 'complete_from TIMESTAMP_MS NOT NULL',
  ingest_state: 'segment BIGINT NOT NULL, "offset" BIGINT NOT NULL',
  dropped:
    'site_id UINTEGER NOT NULL, hour TIMESTAMP_MS NOT NULL, reason VARCHAR NOT NULL, n UBIGINT NOT NULL',
};

/** Raise it with every change of a summary: they are then made anew from events and visits. */
const summaryVersion = 4;

const summaryTables: Record<string, string> = {
  visit_days:
    'site_id UINTEGER NOT NULL, day INTEGER NOT NULL, kind UTINYINT NOT NULL, value UINTEGER NOT NULL, visits UINTEGER NOT NULL, bounces UINTEGER NOT NULL, persons INTEGER NOT NULL',
  visit_slots:
    'site_id UINTEGER NOT NULL, slot TIMESTAMP_MS NOT NULL, visits UINTEGER NOT NULL, bounces UINTEGER NOT NULL, seconds UBIGINT NOT NULL',
  event_slots:
    'site_id UINTEGER NOT NULL, slot TIMESTAMP_MS NOT NULL, pageviews UINTEGER NOT NULL, events UINTEGER NOT NULL, bot_events UINTEGER NOT NULL',
  page_days:
    'site_id UINTEGER NOT NULL, day INTEGER NOT NULL, pathname UINTEGER NOT NULL, pageviews UINTEGER NOT NULL, visitors INTEGER NOT NULL',
  name_days:
    'site_id UINTEGER NOT NULL, day INTEGER NOT NULL, name UINTEGER NOT NULL, events UINTEGER NOT NULL, visitors INTEGER NOT NULL, sessions INTEGER NOT NULL',
  engagement_days:
    'site_id UINTEGER NOT NULL, day INTEGER NOT NULL, pathname UINTEGER NOT NULL, engaged_ms UBIGINT, depths BIGINT NOT NULL, measured INTEGER NOT NULL',
  repeat_starts:
    'site_id UINTEGER NOT NULL, day INTEGER NOT NULL, started TIMESTAMP_MS NOT NULL, visitor_id UBIGINT NOT NULL',
  regulars: 'site_id UINTEGER NOT NULL, visitor_id UBIGINT NOT NULL',
  summarised_days: 'day INTEGER NOT NULL',
};

async function createTables(
  connection: DuckDBConnection,
  wanted: Record<string, string>,
): Promise<void> {
  for (const [name, spec] of Object.entries(wanted))
    await connection.run(`CREATE TABLE IF NOT EXISTS ${name} (${spec})`);
}

async function hasSummaries(connection: DuckDBConnection): Promise<boolean> {
  await connection.run('CREATE TABLE IF NOT EXISTS summary_version (version INTEGER NOT NULL)');
  const result = await connection.runAndReadAll('SELECT max(version) FROM summary_version');
  return result.getRows()[0]?.[0] === summaryVersion;
}

/** Makes the tables that are missing, and empties summaries of an earlier form. */
export async function createSchema(connection: DuckDBConnection): Promise<void> {
  await createTables(connection, tables);
  // New columns are the last ones, in files of an earlier version too.
  await connection.run('ALTER TABLE events ADD COLUMN IF NOT EXISTS person UBIGINT');
  if (await hasSummaries(connection)) return;
  for (const name of Object.keys(summaryTables))
    await connection.run(`DROP TABLE IF EXISTS ${name}`);
  await createTables(connection, summaryTables);
  await connection.run(`INSERT INTO summary_version VALUES (${summaryVersion})`);
}

/** SELECT that makes visits out of `events` (an alias `e`), to be completed by FROM and WHERE clauses given as `from`. */
export function visitSelect(from: string): string {
  const first = (name: string) => `arg_min(e.${name}, (e.ts, e.event_id))`;
  return `SELECT any_value(e.site_id) AS site_id, e.session_id, any_value(e.visitor_id) AS visitor_id,
    min(e.ts) AS started, max(e.ts) AS ended, bool_or(e.bot) AS bot,
    count(*) FILTER (e.name = 1)::UINTEGER AS pageviews, count(*)::UINTEGER AS events,
    (count(*) FILTER (e.name = 1) <= 1 AND count(*) FILTER (e.name <> 1 AND e.interactive) = 0) AS bounce,
    coalesce(arg_min(e.pathname, (e.ts, e.event_id)) FILTER (e.name = 1), 0)::UINTEGER AS entry_page,
    coalesce(arg_max(e.pathname, (e.ts, e.event_id)) FILTER (e.name = 1), 0)::UINTEGER AS exit_page,
    ${first('hostname')} AS hostname, ${visitDimensions.map((name) => `${first(name)} AS ${name}`).join(', ')}
    FROM ${from} GROUP BY e.session_id`;
}
