import { type ImportEvent, type Mapped, omitEmpty } from './event.ts';
import { isEventId, rowId, visitorId } from './ids.ts';
import { joinUrl } from './page-url.ts';
import { instant } from '../../platform/validation/instants.ts';
import { browserName, deviceName, systemName } from './umami-names.ts';

/** The cells of a row of `website_event`, by column name. */
export type UmamiRow = Readonly<Partial<Record<string, string>>>;

export interface UmamiOptions {
  site: string;
  /** Take only the rows of this website_id. */
  website: string | undefined;
}

const tagKeys = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
  'gclid',
  'fbclid',
  'msclkid',
  'ttclid',
  'li_fat_id',
  'twclid',
] as const;

const zoned = instant();

/**
 * Parses a time to Unix ms: `2026-03-01 10:00:00` (UTC), `… 10:00:00.123+00` or ISO 8601. Undefined
 * if it is invalid, such as 30 February.
 */
export function umamiTime(text: string): number | undefined {
  const given = text.trim();
  const { data } = zoned.safeParse(
    /[T ]\d\d:\d\d:\d\d(?:\.\d+)?$/i.test(given) ? `${given}Z` : given,
  );
  return data === undefined ? undefined : Date.parse(data);
}

const toNumber = (cell: string | undefined) =>
  cell === undefined || cell === '' || Number.isNaN(Number(cell)) ? undefined : Number(cell);
const toVitals = (row: UmamiRow) =>
  omitEmpty({
    lcp: toNumber(row.lcp),
    inp: toNumber(row.inp),
    cls: toNumber(row.cls),
    fcp: toNumber(row.fcp),
    ttfb: toNumber(row.ttfb),
  });

/** Maps Umami's event types: 1 page view, 2 custom, 3 link, 4 pixel, 5 performance. */
function toEventKind(
  row: UmamiRow,
): (Partial<ImportEvent> & { event: string }) | { mistake: string } {
  const type = (row.event_type ?? '') === '' ? '1' : row.event_type;
  if (type === '1') return { event: 'pageview' };
  if (type === '2')
    return row.event_name === undefined || row.event_name === ''
      ? { mistake: 'event_name is empty' }
      : { event: row.event_name };
  if (type === '5') return { event: 'web_vitals', interactive: false, ...toVitals(row) };
  return { mistake: `event_type ${type} has no counterpart here` };
}

function toReferrer({
  referrer_domain: domain,
  referrer_path: path = '',
  referrer_query: query = '',
}: UmamiRow): string | undefined {
  if (domain === undefined || domain === '') return undefined;
  const slash = path === '' || path.startsWith('/') ? '' : '/';
  const search = query === '' ? '' : `?${query.replace(/^\?/, '')}`;
  return `https://${domain}${slash}${path}${search}`;
}

function toClient(row: UmamiRow): Partial<ImportEvent> {
  const country = /^[a-z]{2}$/i.exec(row.country ?? '')?.[0].toUpperCase();
  return omitEmpty({
    country,
    browser: browserName(row.browser ?? ''),
    ...systemName(row.os ?? ''),
    device: deviceName(row.device ?? ''),
    bot: false,
  });
}

function toDetails(row: UmamiRow): Partial<ImportEvent> {
  return omitEmpty({
    referrer: toReferrer(row),
    title: row.page_title,
    tag: row.tag,
    user_id: row.distinct_id,
    session_id: row.visit_id,
    screen: row.screen,
    language: row.language,
  });
}

/** Maps a row of Umami's `website_event` to an event. Umami's session becomes the visitor. */
export function mapUmami(row: UmamiRow, ordinal: number, { site, website }: UmamiOptions): Mapped {
  if (website !== undefined && row.website_id !== website) return { skipped: true };
  const kind = toEventKind(row);
  if ('mistake' in kind) return kind;
  const timestamp = umamiTime(row.created_at ?? '');
  if (timestamp === undefined) return { mistake: 'created_at is no time' };
  const { hostname, url_path: pathname = '/', url_query: query, session_id: session = '' } = row;
  if (session === '') return { mistake: 'session_id is empty' };
  const url = joinUrl({
    hostname,
    pathname,
    query,
    tags: tagKeys.map((key) => [key, row[key]] as const),
  });
  const id =
    row.event_id !== undefined && isEventId(row.event_id)
      ? row.event_id
      : rowId('umami', ordinal, JSON.stringify(row));
  const base = { url, site_id: site, id, timestamp, visitor_id: visitorId('umami', session) };
  return { event: { ...base, ...kind, ...toDetails(row), ...toClient(row) } };
}
