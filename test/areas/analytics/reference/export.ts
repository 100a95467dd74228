import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import {
  type ExportColumn,
  exportColumns,
  type ExportFormat,
  type ExportStoreQuery,
} from '../../../../src/areas/analytics/store/queries.ts';
import { createSelection, visitFinder, within } from './filters.ts';
import type { Pipeline } from './pipeline.ts';
import { randomFilter } from './queries.ts';
import type { Random } from './random.ts';
import { type AttributedEvent, visitsOf } from './visits.ts';
import type { World } from './world.ts';

type Cell = string | number | boolean | null | Readonly<Record<string, string>>;
type ExportRow = Record<string, Cell>;

const idOf = ({ id }: ExportRow): string => (typeof id === 'string' ? id : '');

const siteKeys: ReadonlyMap<number, string> = new Map([
  [1, 'first "site"'],
  [2, 'second'],
  [7, '🎉,x'],
]);

export function randomExport(random: Random, world: World, format: ExportFormat): ExportStoreQuery {
  const all = random.chance(0.5);
  return {
    siteId: random.chance(0.3) ? undefined : random.pick(world.sites),
    sites: [...siteKeys],
    from: random.chance(0.5) ? undefined : random.integer(world.from, world.end),
    to: random.chance(0.7) ? undefined : random.integer(world.from, world.end),
    filters: random.chance(0.5) ? [] : [randomFilter(random)],
    columns: all
      ? exportColumns
      : ['id', 'session_id', random.pick(['props', 'pathname', 'timestamp'] as const)],
    format,
  };
}

/** Returns the events that the export must contain, sorted by id. */
export function chosenForExport(
  events: readonly AttributedEvent[],
  { siteId, from, to, filters }: ExportStoreQuery,
): AttributedEvent[] {
  const { hasEvent } = createSelection(visitsOf(events), {
    filters,
    bots: true,
    onlyEvents: true,
  });
  const range = { from: from ?? 0, to: to ?? Infinity };
  return events
    .filter(({ site }) => siteId === undefined || site === siteId)
    .filter((event) => within(event.time, range) && hasEvent(event))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

const namedColumns = [
  ...['title', 'hostname', 'referrer', 'source', 'channel'],
  ...['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'],
  ...['browser', 'browser_version', 'os', 'os_version', 'device'],
  ...['language', 'country', 'user_id', 'tag'],
];

function toFullRow(event: AttributedEvent): Record<Exclude<ExportColumn, 'session_id'>, Cell> {
  const { journal, dimensions } = event;
  const { event: name, ...named } = dimensions;
  const dimension = Object.fromEntries(
    namedColumns.map((key) => [key, named[key as keyof typeof named] ?? null]),
  );
  const [lcp = null, inp = null, fcp = null, ttfb = null, cls = null] = journal.wv ?? [];
  return {
    ...(dimension as Record<Exclude<keyof typeof named, 'page'>, Cell>),
    id: event.id,
    timestamp: new Date(event.time).toISOString(),
    received_at: new Date(event.received).toISOString(),
    site_id: siteKeys.get(event.site)!,
    event: name!,
    pathname: journal.p,
    query: journal.q ?? null,
    click_id:
      journal.m?.clickId == null ? null : `${journal.m.clickId.kind}:${journal.m.clickId.value}`,
    screen: journal.sc ?? null,
    scroll_depth: journal.sd ?? null,
    engagement_ms: journal.en ?? null,
    revenue_amount: journal.re === undefined ? null : Number(journal.re[0]),
    revenue_currency: journal.re?.[1] ?? null,
    lcp,
    inp,
    cls,
    fcp,
    ttfb,
    visitor_id: event.visitor,
    interactive: event.interactive,
    bot: event.bot,
    props: journal.pr ?? null,
  };
}

const numbers: ReadonlySet<string> = new Set([
  ...['revenue_amount', 'scroll_depth', 'engagement_ms'],
  ...['lcp', 'inp', 'cls', 'fcp', 'ttfb'],
]);

/** CSV has neither booleans nor null. */
function asText(value: Cell): Cell {
  if (value === null) return '';
  return typeof value === 'boolean' ? String(value) : value;
}

/** Returns the expected rows of the export, without their session ids. */
export function exportedRows(
  events: readonly AttributedEvent[],
  { columns, format }: ExportStoreQuery,
): ExportRow[] {
  return events.map((event) => {
    const row = toFullRow(event);
    const cells = columns
      .filter((column) => column !== 'session_id')
      .map((column) => [column, row[column]] as const);
    return Object.fromEntries(
      format === 'csv' ? cells.map(([column, value]) => [column, asText(value)]) : cells,
    );
  });
}

const groupsOf = (pairs: readonly (readonly [id: string, group: unknown])[]): string[] => {
  const groups = new Map<unknown, string[]>();
  for (const [id, group] of pairs) groups.set(group, [...(groups.get(group) ?? []), id]);
  return [...groups.values()].map((ids) => ids.sort().join(' ')).sort();
};

/** Session ids are internal to the store; only the grouping of events is known. */
export const withoutSession = (row: ExportRow): ExportRow =>
  Object.fromEntries(Object.entries(row).filter(([column]) => column !== 'session_id'));

/** Returns the ids of the events of each visit, one string per visit. */
export function sessionsIn(rows: readonly ExportRow[]): string[] {
  return groupsOf(
    rows
      .filter((row) => row.session_id !== null && row.session_id !== '')
      .map((row) => [idOf(row), row.session_id]),
  );
}

/** Returns what `sessionsIn` must return, by the reference. */
export function referenceSessions(
  events: readonly AttributedEvent[],
  chosen: readonly AttributedEvent[],
): string[] {
  const visitOf = visitFinder(visitsOf(events));
  return groupsOf(
    chosen.filter((event) => event.visitor !== null).map((event) => [event.id, visitOf(event)]),
  );
}

async function fromParquet(pipeline: Pipeline, bytes: Buffer): Promise<ExportRow[]> {
  const file = join(tmpdir(), `read-back-${process.pid}.parquet`);
  writeFileSync(file, bytes);
  const rows = await pipeline.query(`SELECT to_json(t)::VARCHAR FROM read_parquet('${file}') t`);
  rmSync(file);
  return rows.map(([line]) => JSON.parse(String(line)) as ExportRow);
}

function readCell(column: string, value: Cell): Cell {
  if (typeof value !== 'string' || value === '') return value;
  if (column === 'props') return JSON.parse(value) as Record<string, string>;
  return numbers.has(column) ? Number(value) : value;
}

/** Exports events and reads the rows back, sorted by id. */
export async function readExport(
  pipeline: Pipeline,
  query: ExportStoreQuery,
): Promise<ExportRow[]> {
  const parts: Uint8Array[] = [];
  const count = await pipeline.reader().export(query, async (part) => {
    parts.push(Buffer.from(part));
  });
  const bytes = Buffer.concat(parts);
  const rows =
    query.format === 'parquet'
      ? await fromParquet(pipeline, bytes)
      : query.format === 'csv'
        ? parse<ExportRow>(bytes, { columns: true })
        : bytes
            .toString('utf8')
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => JSON.parse(line) as ExportRow);
  if (rows.length !== count)
    throw new Error(`the export counted ${count} rows and wrote ${rows.length}`);
  return rows
    .map((row): ExportRow =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [column, readCell(column, value)]),
      ),
    )
    .sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
}
