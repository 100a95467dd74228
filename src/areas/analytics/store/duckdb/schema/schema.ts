import type { DuckDBConnection } from '@duckdb/node-api';
import { eventColumns, visitColumns } from './columns.ts';

type Columns = Readonly<Record<string, string>>;

// No keys and no indexes: DuckDB keeps them in memory, and they make the log replay fragile.
const tables: Record<string, Columns> = {
  dict: { kind: 'UTINYINT NOT NULL', id: 'UINTEGER NOT NULL', value: 'VARCHAR NOT NULL' },
  events: eventColumns,
  visits: visitColumns,
  visit_state: { open_from: 'TIMESTAMP_MS NOT NULL' },
  visit_memory: { complete_from: 'TIMESTAMP_MS NOT NULL' },
  ingest_state: { segment: 'BIGINT NOT NULL', '"offset"': 'BIGINT NOT NULL' },
  dropped: {
    site_id: 'UINTEGER NOT NULL',
    hour: 'TIMESTAMP_MS NOT NULL',
    reason: 'VARCHAR NOT NULL',
    n: 'UBIGINT NOT NULL',
  },
};

/** Increment when a summary changes: all are then recomputed from events and visits. */
const summaryVersion = 5;

const siteDay = { site_id: 'UINTEGER NOT NULL', day: 'INTEGER NOT NULL' };
const siteSlot = { site_id: 'UINTEGER NOT NULL', slot: 'TIMESTAMP_MS NOT NULL' };

const summaryTables: Record<string, Columns> = {
  visit_days: {
    ...siteDay,
    kind: 'UTINYINT NOT NULL',
    value: 'UINTEGER NOT NULL',
    visits: 'UINTEGER NOT NULL',
    bounces: 'UINTEGER NOT NULL',
    persons: 'INTEGER NOT NULL',
  },
  visit_slots: {
    ...siteSlot,
    visits: 'UINTEGER NOT NULL',
    bounces: 'UINTEGER NOT NULL',
    seconds: 'UBIGINT NOT NULL',
  },
  event_slots: {
    ...siteSlot,
    pageviews: 'UINTEGER NOT NULL',
    events: 'UINTEGER NOT NULL',
    bot_events: 'UINTEGER NOT NULL',
  },
  page_days: {
    ...siteDay,
    pathname: 'UINTEGER NOT NULL',
    pageviews: 'UINTEGER NOT NULL',
    visitors: 'INTEGER NOT NULL',
    sessions: 'INTEGER NOT NULL',
  },
  name_days: {
    ...siteDay,
    name: 'UINTEGER NOT NULL',
    events: 'UINTEGER NOT NULL',
    visitors: 'INTEGER NOT NULL',
    sessions: 'INTEGER NOT NULL',
  },
  engagement_days: {
    ...siteDay,
    pathname: 'UINTEGER NOT NULL',
    engaged_ms: 'UBIGINT',
    depths: 'BIGINT NOT NULL',
    measured: 'INTEGER NOT NULL',
  },
  repeat_starts: {
    ...siteDay,
    started: 'TIMESTAMP_MS NOT NULL',
    visitor_id: 'UBIGINT NOT NULL',
  },
  regulars: { site_id: 'UINTEGER NOT NULL', visitor_id: 'UBIGINT NOT NULL' },
  summarised_days: { day: 'INTEGER NOT NULL' },
};

async function createTables(
  connection: DuckDBConnection,
  wanted: Record<string, Columns>,
): Promise<void> {
  for (const [table, columns] of Object.entries(wanted)) {
    const list = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
    await connection.run(`CREATE TABLE IF NOT EXISTS ${table} (${list.join(', ')})`);
  }
}

async function hasCurrentSummaries(connection: DuckDBConnection): Promise<boolean> {
  await connection.run('CREATE TABLE IF NOT EXISTS summary_version (version INTEGER NOT NULL)');
  const result = await connection.runAndReadAll('SELECT max(version) FROM summary_version');
  return result.getRows()[0]?.[0] === summaryVersion;
}

/** Creates missing tables, and empties the summaries if their version differs. */
export async function createSchema(connection: DuckDBConnection): Promise<void> {
  await createTables(connection, tables);
  await connection.run('ALTER TABLE events ADD COLUMN IF NOT EXISTS person UBIGINT');
  if (await hasCurrentSummaries(connection)) return;
  for (const name of Object.keys(summaryTables))
    await connection.run(`DROP TABLE IF EXISTS ${name}`);
  await createTables(connection, summaryTables);
  await connection.run(`INSERT INTO summary_version VALUES (${summaryVersion})`);
}
