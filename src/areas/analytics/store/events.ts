/** The event that reports how long a page was visible and how far the visitor scrolled. */
export const engagement = 'engagement';

/** Events that only measure a page view already counted. Event counts exclude them. */
export const measurements: ReadonlySet<string> = new Set([engagement, 'web_vitals']);

/** Where a visit came from. */
export const originColumns = [
  'referrer',
  'source',
  'channel',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
] as const;
/** What a visitor browses with. */
export const agentColumns = ['browser', 'browser_version', 'os', 'os_version', 'device'] as const;

/** Columns of `events` that hold ids of texts in `dict`. 0 means "not set". */
export const dictionaryColumns = [
  'name',
  'hostname',
  'pathname',
  'title',
  ...originColumns,
  ...agentColumns,
  'language',
  'country',
  'currency',
  'tag',
] as const;
export type DictionaryColumn = (typeof dictionaryColumns)[number];

/** One stored event, with the texts of its dictionary columns. Times are Unix ms. */
export interface EventRow extends Readonly<Record<DictionaryColumn, string | undefined>> {
  siteId: number;
  time: number;
  receivedAt: number;
  /** UUID, lower case, with hyphens. */
  id: string;
  /** 64-bit visitor hash; 0n when the visitor opted out of recognition. */
  visitor: bigint;
  /** The visit; 0n for events without one. */
  session: bigint;
  /** Whether the client supplied the visit id. */
  named: boolean;
  interactive: boolean;
  bot: boolean;
  query: string | undefined;
  clickId: string | undefined;
  screenWidth: number | undefined;
  screenHeight: number | undefined;
  /** Percent. */
  scrollDepth: number | undefined;
  engagementMs: number | undefined;
  /** Decimal text with at most four places. */
  revenue: string | undefined;
  vitals: { lcp?: number; inp?: number; fcp?: number; ttfb?: number; cls?: number } | undefined;
  userId: string | undefined;
  /** Hash of the user identified by the site; the same for every visit of that user. */
  person: bigint | undefined;
  props: Readonly<Record<string, string>> | undefined;
}

/** How many events were not stored for a reason, in the hour that begins at `hour` (Unix ms). */
export interface DropRow {
  siteId: number;
  hour: number;
  reason: string;
  count: number;
}

/** A visitor of a site. */
export interface SiteVisitor {
  siteId: number;
  visitor: bigint;
}

/** A visit that may still get events. */
export interface Visit extends SiteVisitor {
  session: bigint;
  named: boolean;
  /** Times of its first and last event so far. */
  first: number;
  last: number;
  /** End of the same visitor's previous visit, Unix ms; 0 when none is known. */
  previousEnd: number;
}

/** The time span that the in-memory open visits cover. Times are Unix ms. */
export interface VisitMemory {
  /** No open visit began before this. */
  openFrom: number;
  /** Visits that ended before this may no longer be in memory. */
  completeFrom: number;
}
