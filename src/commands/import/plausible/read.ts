import { DateTime } from 'luxon';
import type { CsvRow } from '../text-rows.ts';
import type { SourceRow } from '../event.ts';
import { type Day, type Mismatch, noMismatch } from './day.ts';
import { customEvents, pageViews } from './events.ts';
import { planDay } from './plan.ts';
import {
  toBrowser,
  toCount,
  toCountry,
  toCustomEvent,
  toDevice,
  toOrigin,
  toPageViews,
  toSystem,
} from './rows.ts';
import { createDayTable, notInOrder, type TableName } from './tables.ts';

export interface PlausibleOptions {
  site: string;
  /** IANA time zone of the days. */
  timezone: string;
  /** No event is later than this instant, Unix ms. */
  now: number;
}

export type TableRows = Partial<Record<TableName, AsyncGenerator<CsvRow>>>;

async function* noRows(): AsyncGenerator<CsvRow> {
  yield* [];
}

function createDayTables(rows: TableRows) {
  const table = (name: TableName) => createDayTable(name, rows[name] ?? noRows());
  return {
    pages: table('imported_pages'),
    sources: table('imported_sources'),
    locations: table('imported_locations'),
    browsers: table('imported_browsers'),
    systems: table('imported_operating_systems'),
    devices: table('imported_devices'),
    events: table('imported_custom_events'),
  };
}

async function readDay(
  tables: ReturnType<typeof createDayTables>,
  { timezone, now }: PlausibleOptions,
  cells: Record<string, string>,
  date: string,
): Promise<Day> {
  const begin = DateTime.fromISO(date, { zone: timezone });
  return {
    date,
    start: begin.toMillis(),
    end: Math.max(begin.toMillis() + 1, Math.min(begin.plus({ days: 1 }).toMillis(), now)),
    visitors: toCount(cells.visitors),
    visits: toCount(cells.visits),
    pageviews: toCount(cells.pageviews),
    bounces: toCount(cells.bounces),
    visitDuration: toCount(cells.visit_duration),
    pages: (await tables.pages.take(date)).map(toPageViews),
    origins: (await tables.sources.take(date)).map(toOrigin),
    countries: (await tables.locations.take(date)).map(toCountry),
    browsers: (await tables.browsers.take(date)).map(toBrowser),
    systems: (await tables.systems.take(date)).map(toSystem),
    devices: (await tables.devices.take(date)).map(toDevice),
    events: (await tables.events.take(date)).map(toCustomEvent),
  };
}

/** Reads an export day by day and makes up the events of each day. */
export function createPlausibleReader(rows: TableRows, options: PlausibleOptions) {
  const { site } = options;
  const tables = createDayTables(rows);
  const totals: Mismatch = { ...noMismatch };
  let days = 0;

  async function* dayRows({ line, cells }: CsvRow): AsyncGenerator<SourceRow> {
    const date = cells.date ?? '';
    if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || !DateTime.fromISO(date).isValid) {
      yield { line, mapped: { mistake: 'date is no day' } };
      return;
    }
    const day = await readDay(tables, options, cells, date);
    const { visits, mismatch } = planDay(day);
    days += 1;
    for (const key of ['unknownPages', 'surplusPages', 'visits', 'visitors', 'bounces'] as const)
      totals[key] += mismatch[key];
    for (const visit of visits)
      for (const event of pageViews(site, date, visit)) yield { line, mapped: { event } };
    for (const event of customEvents(site, day, visits)) yield { line, mapped: { event } };
  }

  return {
    /** Yields events with their day's line in `imported_visitors`, from `fromLine`. */
    async *rows(fromLine: number): AsyncGenerator<SourceRow> {
      let last = '';
      for await (const row of rows.imported_visitors ?? noRows()) {
        const date = row.cells.date ?? '';
        if (date < last) throw notInOrder('imported_visitors', row.line);
        last = date;
        if (row.line >= fromLine) yield* dayRows(row);
      }
    },

    /** The differences so far. */
    totals: (): Mismatch & { days: number } => ({ ...totals, days }),
  };
}
