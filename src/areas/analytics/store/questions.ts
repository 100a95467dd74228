/** Dimensions that every event has its own value of. */
export const eventDimensions = ['event', 'page', 'hostname', 'title', 'tag', 'user_id'] as const;
/** Dimensions that belong to the visit: the value of its first event (exit_page: of its last page view). */
export const visitDimensions = [
  'entry_page',
  'exit_page',
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
] as const;
export const operators = [
  'is',
  'is_not',
  'contains',
  'contains_not',
  'matches',
  'matches_not',
] as const;

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

/** Which events of a site a question is about. Times are Unix ms. */
export interface SelectionQuestion {
  /** One site, or several that are taken together. */
  siteId: number | readonly number[];
  range: Range;
  filters: readonly Filter[];
  bots: boolean;
}

/** The dashboard's question. */
export interface DashboardQuestion extends SelectionQuestion {
  compare: Range | undefined;
  /** Beginnings of the intervals of the series, the first at `range.from` or before it. */
  buckets: readonly number[];
  /** Rows of a list; 0: no lists, which take most of the time of a short range. */
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

/** What a site adds to the figures of several. */
export interface SiteFigures extends SeriesPoint {
  siteId: number;
}

export interface PageRow {
  value: string;
  visitors: number;
  pageviews: number;
  /** Mean time that a view of it was in front of somebody; null where none was measured. */
  engaged_seconds: number | null;
  /** Mean over visits of how far they came, in per cent of its height; null where none was measured. */
  scroll_depth: number | null;
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
  entry_pages: 'entry_page',
  exit_pages: 'exit_page',
  referrers: 'referrer',
  sources: 'source',
  channels: 'channel',
  campaigns: 'utm_campaign',
  countries: 'country',
  browsers: 'browser',
  operating_systems: 'os',
  devices: 'device',
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
  /** Visitors with an event in the last five minutes that meets the filters. */
  visitors_now: number;
  /** Of each site that had any, where the question is about several. */
  sites: SiteFigures[];
  /** Reasons and counts of what was not stored in the period. No filter can be asked about it: it was not kept. */
  dropped: Record<string, number>;
  /** Events of bots that meet the filters. */
  bot_events: number;
}

export const stepKinds = ['page', 'event'] as const;
export type StepKind = (typeof stepKinds)[number];

/** Something that visitors do. */
export interface Step {
  /** `page`: a view of a page; `event`: any other event of the figures. */
  kind: StepKind;
  /** The path, or the name. `*` stands for any run of characters. */
  value: string;
  /** Conditions on the event itself; all must hold. */
  filters: readonly Filter[];
}

/** How often each step was done in the range. */
export interface GoalsQuestion extends SelectionQuestion {
  steps: readonly Step[];
}

export interface GoalFigures {
  visitors: number;
  visits: number;
  events: number;
  /** Sums by ISO 4217 code, in its order; decimal texts. */
  revenue: { currency: string; amount: string }[];
}

export interface GoalsAnswer {
  /** Visits that began in the range. */
  visits: number;
  /** One for each step, in their order. */
  goals: GoalFigures[];
}

/** Who did the steps one after the other, each in an event after that of the step before. At most 8 steps. */
export interface FunnelQuestion extends SelectionQuestion {
  /** Whether one visit must have done all, or one visitor in the range. */
  within: 'visit' | 'visitor';
  steps: readonly Step[];
}

export interface FunnelStepFigures {
  /** Visits, or visitors, that got as far as this step. */
  entered: number;
  /** From the step before; null for the first one, and where nobody got. */
  medianSeconds: number | null;
}

export interface FunnelAnswer {
  steps: FunnelStepFigures[];
}

export const exportColumns = [
  'id',
  'timestamp',
  'received_at',
  'site_id',
  'event',
  'hostname',
  'pathname',
  'query',
  'title',
  'referrer',
  'source',
  'channel',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'click_id',
  'browser',
  'browser_version',
  'os',
  'os_version',
  'device',
  'screen',
  'language',
  'country',
  'scroll_depth',
  'engagement_ms',
  'revenue_amount',
  'revenue_currency',
  'lcp',
  'inp',
  'cls',
  'fcp',
  'ttfb',
  'user_id',
  'visitor_id',
  'session_id',
  'tag',
  'interactive',
  'bot',
  'props',
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

/** Which persons are asked about: those first seen in one of the units. Times are Unix ms. */
export interface RetentionQuestion {
  siteId: number;
  /** Beginnings of the units, which follow one another. */
  starts: readonly number[];
  /** Where the last unit ends. */
  end: number;
  filters: readonly Filter[];
  bots: boolean;
}

export interface RetentionAnswer {
  /** For each unit: how many of the persons first seen in it were seen in it, in the next one, and so on to the last. */
  counts: number[][];
}

export interface SiteStats {
  siteId: number;
  events: number;
  /** Unix ms. */
  lastEventAt: number;
}

/** The reading side of an event store. An aborted signal ends a question; it rejects then with the signal's reason. */
export interface EventReader {
  /** Figures of one site over a period. Throws an error that says "not a regular expression" for a pattern that is none. */
  dashboard: (question: DashboardQuestion, signal?: AbortSignal) => Promise<DashboardAnswer>;
  /** Persons by when they were first seen and when they were seen again. Throws as `dashboard` does. */
  retention: (question: RetentionQuestion, signal?: AbortSignal) => Promise<RetentionAnswer>;
  /** What was reached of goals. Throws as `dashboard`. */
  goals: (question: GoalsQuestion, signal?: AbortSignal) => Promise<GoalsAnswer>;
  /** Who got how far in a funnel. Throws as `dashboard`. */
  funnel: (question: FunnelQuestion, signal?: AbortSignal) => Promise<FunnelAnswer>;
  /** Events of each site. */
  siteStats: (signal?: AbortSignal) => Promise<SiteStats[]>;
  /** Gives the asked rows in parts of a text or file; the caller's pace is kept. Resolves to the number of rows. */
  export: (
    question: ExportQuestion,
    write: (part: Uint8Array) => Promise<void>,
    signal?: AbortSignal,
  ) => Promise<number>;
}
