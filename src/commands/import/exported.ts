import { z } from 'zod';
import { unescapeFormula } from '../../lib/text/csv.ts';
import { parseReferrer } from '../../areas/analytics/enrichment/referrer.ts';
import { isEventId, rowId } from './ids.ts';
import { joinUrl } from './page-url.ts';
import { type ImportEvent, type Mapped, unknownVisitor, omitEmpty } from './event.ts';

const text = z.string().nullish();
const number = z.number().nullish();
const boolean = z.boolean().nullish();

/** Columns that an event has under the same names. */
const Same = z.object({
  title: text,
  props: z.record(z.string(), z.unknown()).nullish(),
  user_id: text,
  session_id: text,
  screen: text,
  language: text,
  interactive: boolean,
  scroll_depth: number,
  engagement_ms: number,
  lcp: number,
  inp: number,
  cls: number,
  fcp: number,
  ttfb: number,
  tag: text,
  country: text,
  browser: text,
  browser_version: text,
  os: text,
  os_version: text,
  device: text,
  bot: boolean,
});

/** A row of this service's export. Columns that were not exported are absent. */
const ExportedRow = z.object({
  id: text,
  timestamp: z.string(),
  site_id: text,
  event: z.string(),
  hostname: text,
  pathname: z.string(),
  query: text,
  referrer: text,
  source: text,
  utm_source: text,
  utm_medium: text,
  utm_campaign: text,
  utm_term: text,
  utm_content: text,
  click_id: text,
  revenue_amount: z.union([z.number(), z.string()]).nullish(),
  revenue_currency: text,
  visitor_id: text,
  ...Same.shape,
});
type ExportedRow = z.output<typeof ExportedRow>;

const columnsOf = (schema: z.ZodType): ReadonlySet<string> =>
  new Set(Object.entries(Same.shape).flatMap(([name, each]) => (each === schema ? [name] : [])));
const numberColumns = columnsOf(number);
const booleanColumns = columnsOf(boolean);
/** As DuckDB writes them, and as PostgreSQL and spreadsheets make them. */
const booleans = new Map(
  Object.entries({ true: true, t: true, 1: true, false: false, f: false, 0: false }),
);

function typedCell(column: string, cell: string): unknown {
  if (numberColumns.has(column)) return Number(cell);
  if (booleanColumns.has(column)) return booleans.get(cell.toLowerCase()) ?? cell;
  return column === 'props' ? JSON.parse(cell) : unescapeFormula(cell);
}

/**
 * Converts the cells of a CSV row to types as in NDJSON. Throws a SyntaxError for invalid props.
 */
export function typedCells(cells: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(cells)
      .filter(([, cell]) => cell !== '')
      .map(([column, cell]) => [column, typedCell(column, cell)]),
  );
}

/**
 * Takes the amount from the line, because a number may lose digits. Props are strings, so only the
 * column can match.
 */
export function withExactAmount(line: string, value: unknown): unknown {
  const amount = /"revenue_amount":(-?\d{12,}(?:\.\d+)?)[,}]/.exec(line)?.[1];
  return amount === undefined || typeof value !== 'object' || value === null
    ? value
    : { ...value, revenue_amount: amount };
}

/** Adds the scheme that stored referrers lack: they are a page or the package of an Android app. */
function toReferrer({ referrer, source, hostname }: ExportedRow): string | undefined {
  if (referrer === null || referrer === undefined || referrer === '') return undefined;
  const page = `https://${referrer}`;
  if (source === undefined || parseReferrer(page, hostname ?? null).source === source) return page;
  const app = `android-app://${referrer}`;
  return parseReferrer(app, hostname ?? null).source === source ? app : page;
}

function toClickId(clickId: string | null | undefined): [string, string][] {
  const colon = clickId?.indexOf(':') ?? -1;
  return clickId === null || clickId === undefined || colon < 1
    ? []
    : [[clickId.slice(0, colon), clickId.slice(colon + 1)]];
}

function toUrl(row: ExportedRow): string {
  const { hostname, pathname, query } = row;
  const tags = (
    ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const
  ).map((key) => [key, row[key]] as const);
  return joinUrl({ hostname, pathname, query, tags: [...tags, ...toClickId(row.click_id)] });
}

function toRevenue({
  revenue_amount: amount,
  revenue_currency: currency,
}: ExportedRow): ImportEvent['revenue'] {
  const known =
    amount !== null && amount !== undefined && currency !== null && currency !== undefined;
  return known ? { amount, currency } : undefined;
}

const toDetails = (row: ExportedRow): Partial<ImportEvent> =>
  omitEmpty({ ...Same.parse(row), referrer: toReferrer(row), revenue: toRevenue(row) });

/**
 * Maps a row of this service's export to its event. `ordinal` makes the id of a row without one.
 */
export function mapExported(input: unknown, ordinal: number, site: string | undefined): Mapped {
  const parsed = ExportedRow.safeParse(input);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return {
      mistake: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not a row of an export'}`,
    };
  }
  const row = parsed.data;
  const siteId = site ?? row.site_id;
  if (siteId === null || siteId === undefined)
    return { mistake: 'site_id is missing: name the site with --site' };
  const id = isEventId(row.id ?? '')
    ? (row.id ?? '')
    : rowId('export', ordinal, JSON.stringify(input));
  return {
    event: {
      event: row.event,
      url: toUrl(row),
      site_id: siteId,
      id,
      timestamp: row.timestamp,
      visitor_id: row.visitor_id ?? unknownVisitor,
      ...toDetails(row),
    },
  };
}
