/** Dimensions that every event has its own value of. */
export const eventDimensions = ['event', 'page', 'hostname', 'title', 'tag', 'user_id'] as const;
/** Dimensions that belong to the visit: the value of its first event (exit_page: of its last page view). */
export const visitDimensions = [
  'entry_page', 'exit_page', 'referrer', 'source', 'channel',
  'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content',
  'country', 'browser', 'browser_version', 'os', 'os_version', 'device', 'language',
] as const;
export const operators = ['is', 'is_not', 'contains', 'contains_not', 'matches', 'matches_not'] as const;

export type EventDimension = (typeof eventDimensions)[number];
export type VisitDimension = (typeof visitDimensions)[number];
export type Operator = (typeof operators)[number];

/** One condition. Several values: any of them; the empty text stands for "not set". */
export interface Filter {
  dimension: EventDimension | VisitDimension | `props.${string}`;
  operator: Operator;
  values: readonly string[];
}

/** A stretch of time in Unix ms: from (included) to (excluded). */
export interface Range {
  from: number;
  to: number;
}

/** The dashboard's question. Times are Unix ms. */
export interface DashboardQuestion {
  siteId: number;
  range: Range;
  compare: Range | undefined;
  /** Beginnings of the intervals of the series, the first at `range.from` or before it. */
  buckets: readonly number[];
  filters: readonly Filter[];
  bots: boolean;
  limit: number;
  now: number;
}

export interface Totals {
  visitors: number;
  visits: number;
  pageviews: number;
  events: number;
  /** Visits with one page view and nothing else done, in per cent; null without visits. */
  bounce_rate: number | null;
  /** Seconds. */
  visit_duration_mean: number | null;
  visit_duration_median: number | null;
  views_per_visit: number | null;
}

export interface SeriesPoint {
  visitors: number;
  visits: number;
  pageviews: number;
  events: number;
}

export interface VisitRow {
  value: string | null;
  visitors: number;
  visits: number;
  /** Per cent. */
  bounce_rate: number;
}

export interface PageRow {
  value: string;
  visitors: number;
  pageviews: number;
}

export interface EventNameRow {
  value: string;
  visitors: number;
  events: number;
  /** Visits with this event, in per cent of all visits of the period. */
  conversion_rate: number | null;
}

/** Breakdowns by a dimension of the visit, in the order of the answer. */
export const visitBreakdowns = {
  entry_pages: 'entry_page', exit_pages: 'exit_page', referrers: 'referrer', sources: 'source', channels: 'channel',
  campaigns: 'utm_campaign', countries: 'country', browsers: 'browser', operating_systems: 'os', devices: 'device',
  languages: 'language',
} as const;
export type VisitBreakdown = keyof typeof visitBreakdowns;

export interface DashboardAnswer {
  totals: Totals;
  compared: Totals | undefined;
  series: SeriesPoint[];
  pages: PageRow[];
  events: EventNameRow[];
  breakdowns: Record<VisitBreakdown, VisitRow[]>;
  /** Visitors with an event in the last five minutes. */
  visitors_now: number;
  /** Reasons and counts of what was not stored in the period, and of bots left out of the figures. */
  dropped: Record<string, number>;
  bot_events: number;
}

export const exportColumns = [
  'id', 'timestamp', 'received_at', 'site_id', 'event', 'hostname', 'pathname', 'query', 'title', 'referrer', 'source', 'channel',
  'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'click_id',
  'browser', 'browser_version', 'os', 'os_version', 'device', 'screen', 'language', 'country',
  'scroll_depth', 'engagement_ms', 'revenue_amount', 'revenue_currency', 'lcp', 'inp', 'cls', 'fcp', 'ttfb',
  'user_id', 'visitor_id', 'session_id', 'tag', 'interactive', 'bot', 'props',
] as const;
export type ExportColumn = (typeof exportColumns)[number];

export const exportFormats = ['ndjson', 'csv', 'parquet'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Which events to export, and how. Times are Unix ms. */
export interface ExportQuestion {
  /** Undefined: all sites. */
  siteId: number | undefined;
  /** The public names of the sites, by number. */
  sites: readonly (readonly [id: number, key: string])[];
  from: number | undefined;
  to: number | undefined;
  filters: readonly Filter[];
  columns: readonly ExportColumn[];
  format: ExportFormat;
}

export interface SiteStats {
  siteId: number;
  events: number;
  /** Unix ms. */
  lastEventAt: number;
}

/** The reading side of an event store. */
export interface EventReader {
  /** Figures of one site over a period. Throws an error that says "not a regular expression" for a pattern that is none. */
  dashboard: (question: DashboardQuestion) => Promise<DashboardAnswer>;
  /** Events of each site. */
  siteStats: () => Promise<SiteStats[]>;
  /** Gives the asked rows in parts of a text or file; the caller's pace is kept. Resolves to the number of rows. */
  export: (question: ExportQuestion, write: (part: Uint8Array) => Promise<void>) => Promise<number>;
}
