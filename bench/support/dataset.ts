import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { createDictionary } from '../../src/areas/analytics/store/duckdb/writing/dictionary.ts';
import { createSchema } from '../../src/areas/analytics/store/duckdb/schema/schema.ts';
import { visitSelect } from '../../src/areas/analytics/store/duckdb/schema/visit-select.ts';
import { summariseDays } from '../../src/areas/analytics/store/duckdb/writing/summaries.ts';
import { type Vocabulary, createVocabulary, eventSelect } from './dataset-columns.ts';
import type { Lifetime } from './lifetime.ts';
import { chrome } from './load.ts';
import { startService } from './service.ts';

// Raise it with every change of the generated data: another number rebuilds existing datasets.
const version = 4;
const dayMs = 86_400_000;
const days = 365;
/** Means of the distributions in `visits`. */
const visitsPerVisitorDay = 1.2;
const eventsPerVisit = 2.98;
/** Visits whose last event is younger are still open: the service closes them later. */
const openMs = 3_600_000;
const sites = ['site-1', 'site-2', 'site-3'];

export interface Dataset {
  dataDir: string;
  events: number;
}

/**
 * Returns the start of the first day, Unix ms. Days are UTC, because the salts change at their
 * ends; the last day is today.
 */
const firstDay = (end: number): number => (Math.floor(end / dayMs) + 1 - days) * dayMs;

type Run = (what: string, sql: string) => Promise<void>;

const weighted = (
  hash: string,
  parts: readonly (readonly [below: number, value: number])[],
  otherwise: number,
) =>
  'CASE ' +
  `${parts.map(([below, value]) => `WHEN ${hash} % 100 < ${below} THEN ${value}`).join(' ')} ` +
  `ELSE ${otherwise} END`;

/**
 * SQL that creates visits by visitor and day. One visitor in ten is a known user with visits on 70
 * days of the year; the others have another id every day, because of the daily salt. A visitor has
 * up to three visits a day, eight hours apart. `person` seeds the visitor's properties (device,
 * country), `visit` those of the visit (source, campaign).
 */
function visits(end: number, events: number): string {
  const visitorDays = Math.round(events / eventsPerVisit / visitsPerVisitorDay);
  const begin = firstDay(end);
  return `CREATE TEMP TABLE visit AS
    WITH visitor_day AS (SELECT r, r % 10 = 0 AS known,
        CASE WHEN known THEN hash(r // 700, 1) ELSE hash(r, 2) END AS person,
        CASE WHEN known THEN (r // 10) % 70 * ${days} // 70 ELSE hash(r, 3) % ${days} END AS day,
        ${weighted(
          'hash(r, 4)',
          [
            [85, 1],
            [95, 2],
          ],
          3,
        )} AS visits FROM range(${visitorDays}) t(r)),
      one AS (SELECT *, unnest(range(visits)) AS part FROM visitor_day)
    SELECT (hash(person, 5) % ${sites.length} + 1)::UINTEGER AS site_id,
      hash(person, 6) AS visitor_id, person, known, hash(r, part, 7) AS visit,
      (${begin} + day * ${dayMs} + part * ${dayMs / 3}
        + hash(r, part, 8) % ${dayMs / 3 - openMs})::BIGINT AS started,
      ${weighted(
        'hash(r, part, 9)',
        [
          [45, 1],
          [60, 2],
          [72, 3],
          [82, 4],
          [88, 5],
          [93, 7],
          [97, 10],
        ],
        14,
      )} AS events FROM one`;
}

/**
 * SQL that creates the times of the visits' events, in order, up to now; `nth` numbers events of
 * the same millisecond.
 */
const moments = (end: number) => `CREATE TEMP TABLE moment AS
  SELECT *, row_number() OVER (PARTITION BY ms ORDER BY visit) - 1 AS nth FROM
    (SELECT site_id, visitor_id, person, known, visit, step,
       started + step * (5000 + (hash(visit, step, 10) % 60000)::BIGINT) AS ms
     FROM (SELECT *, unnest(range(events)) AS step FROM visit))
  WHERE ms < ${end} ORDER BY ms, nth`;

/** Writes the closed visits in order of their start, a month at a time to save memory. */
async function writeVisits(run: Run, end: number): Promise<void> {
  const months = 12;
  const begin = firstDay(end);
  const literal = (ms: number) => `make_timestamp_ms(${Math.round(ms)})`;
  for (let month = 0; month < months; month += 1) {
    const [from, to] = [month, month + 1].map((edge) => begin + (edge * days * dayMs) / months);
    const source = `events e
      WHERE e.ts >= ${literal(from ?? 0)} AND e.ts < ${literal((to ?? 0) + openMs)}
      AND e.session_id IN (SELECT visit FROM visit WHERE started >= ${from} AND started < ${to})`;
    await run(
      `visits ${month + 1}/${months}`,
      `INSERT INTO visits BY NAME ${visitSelect(source)} ` +
        `HAVING max(e.ts) < ${literal(end - openMs)} ORDER BY started`,
    );
  }
  await run(
    'open visits',
    `INSERT INTO visit_state SELECT coalesce(min(ts), ${literal(end)}) FROM events
    WHERE ts >= ${literal(end - 2 * openMs)} AND session_id NOT IN
      (SELECT session_id FROM visits WHERE ended >= ${literal(end - 2 * openMs)})`,
  );
  await run('visits known', `INSERT INTO visit_memory VALUES (${literal(end - openMs)})`);
}

/** Summarises the days, as the service does when it is idle. */
async function writeSummaries(connection: DuckDBConnection): Promise<void> {
  for (let days = 1; days > 0;) {
    await connection.run('BEGIN');
    days = await summariseDays(connection);
    await connection.run('COMMIT');
  }
}

async function writeDictionary(connection: DuckDBConnection, { words }: Vocabulary): Promise<void> {
  const appender = await connection.createAppender('dict');
  for (const { kind, id, value } of words) {
    appender.appendUTinyInt(kind);
    appender.appendUInteger(id);
    appender.appendVarchar(value);
    appender.endRow();
  }
  appender.closeSync();
}

/**
 * Creates an event store with `events` events over the year before `end` (Unix ms), and their
 * visits, texts and summaries.
 */
async function generate(file: string, events: number, end: number): Promise<void> {
  const instance = await DuckDBInstance.create(file, {
    threads: '2',
    memory_limit: '6GB',
    temp_directory: `${file}.tmp`,
    checkpoint_threshold: '2GB',
  });
  const connection = await instance.connect();
  const run: Run = async (what, sql) => {
    const began = performance.now();
    await connection.run(sql);
    console.error(`  ${what} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  };
  await createSchema(connection);
  const vocabulary = createVocabulary();
  await writeDictionary(connection, vocabulary);
  // Creates what separates measurements from events, which the summaries need.
  await createDictionary().open(connection);
  await run('visitors', visits(end, events));
  await run('times', moments(end));
  await run('events', `INSERT INTO events ${eventSelect(vocabulary)}`);
  await writeVisits(run, end);
  await writeSummaries(connection);
  await run('checkpoint', 'CHECKPOINT');
  connection.closeSync();
  instance.closeSync();
  rmSync(`${file}.tmp`, { recursive: true, force: true });
}

/**
 * Sends a first event for each site, so that the service registers the sites in this order. Returns
 * the number of stored events.
 */
async function registerSites(lifetime: Lifetime, dataDir: string): Promise<number> {
  const service = await startService(lifetime, dataDir);
  for (const site of sites) {
    const body = JSON.stringify({ event: 'pageview', url: '/', site_id: site });
    const response = await fetch(`${service.base}/analytics/track/`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'user-agent': chrome },
    });
    if (response.status !== 200)
      throw new Error(
        `the first event of ${site} was answered ${response.status}: ${await response.text()}`,
      );
  }
  const rows = await service.rowsBySite();
  await service.stop();
  const counts = sites.map((site) => rows.get(site) ?? 0);
  if (Math.min(...counts) < 100)
    throw new Error(
      `the sites did not get the numbers of the generated events: ${counts.join(', ')}`,
    );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Returns a digest of the event store's tables. */
async function schemaDigest(): Promise<string> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await createSchema(connection);
  const tables = await connection.runAndReadAll(
    'SELECT sql FROM duckdb_tables() ORDER BY table_name',
  );
  connection.closeSync();
  instance.closeSync();
  return createHash('sha256')
    .update(JSON.stringify(tables.getRowsJson()))
    .digest('hex')
    .slice(0, 16);
}

/**
 * Returns a data folder with `events` events of three sites over the 365 days before now, in
 * .tmp/bench-10m (or the name for another size). It is reused, but rebuilt on another day (it has
 * to end now) and after a change of the tables.
 */
export async function ensureDataset(
  lifetime: Lifetime,
  folder: string,
  events: number,
): Promise<Dataset> {
  const now = Date.now();
  const stamp =
    `version ${version}, schema ${await schemaDigest()}, ${events} events, ` +
    new Date(now).toISOString().slice(0, 10);
  const stampFile = join(folder, 'dataset');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8').startsWith(stamp)) {
    return { dataDir: folder, events: Number(readFileSync(stampFile, 'utf8').split('\n')[1]) };
  }
  console.error(`Generating ${events.toLocaleString('en-US')} events in ${folder}:`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await generate(join(folder, 'events.duckdb'), events, now);
  const stored = await registerSites(lifetime, folder);
  writeFileSync(stampFile, `${stamp}\n${stored}\n`);
  return { dataDir: folder, events: stored };
}
