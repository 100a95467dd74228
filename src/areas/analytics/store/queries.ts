import { agentColumns, originColumns } from './events.ts';
import type { RecentResult, RecentStoreQuery } from './recent.ts';
import type {
  Counts,
  EventNameRow,
  PageRow,
  SeriesPoint,
  Totals,
  VisitRow,
} from './schemas.figures.ts';

/** Dimensions of an event. */
export const eventDimensions = ['event', 'page', 'hostname', 'title', 'tag', 'user_id'] as const;
/** Dimensions of a visit that take the value of its first event. */
export const firstEventDimensions = [
  ...originColumns,
  'country',
  ...agentColumns,
  'language',
] as const;
/** Dimensions of a visit. Its entry and exit page are its first and last page view. */
export const visitDimensions = ['entry_page', 'exit_page', ...firstEventDimensions] as const;
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

/**
 * A condition that any one of the values satisfies. The empty string means "not set". With
 * `contains` and `matches`, paths and referrers are compared as they are stored and as people read
 * them (`readablePath`). The value of `matches` is a regular expression; a second one is for the
 * readable form.
 */
export interface Filter {
  dimension: EventDimension | VisitDimension | `props.${string}`;
  operator: Operator;
  values: readonly string[];
}

/** A time range in Unix ms: `from` included, `to` excluded. */
export interface Range {
  from: number;
  to: number;
}

/** Selects the events that a query reads. */
export interface StoreQuery {
  /** One site, or several sites combined. */
  siteId: number | readonly number[];
  range: Range;
  /**
   * A filter by `event` selects the visits that contain such an event, with all their events.
   * Filters by `tag` and `props` that stand beside it are about the same event. With a negated one,
   * visits that contain no such event are selected.
   */
  filters: readonly Filter[];
  /** Filters by `event` select these events alone. */
  onlyEvents?: boolean;
  bots: boolean;
}

export interface DashboardStoreQuery extends StoreQuery {
  compare: Range | undefined;
  /** Start of each interval of the series, Unix ms; the first at or before `range.from`. */
  buckets: readonly number[];
  /** Maximum rows per list. 0 skips the lists, which take most of the time for a short range. */
  limit: number;
  now: number;
  /** Counts the visits that took this step in the range, whatever the filters select of them. */
  goal?: Step | undefined;
}

/** The figures of one site, when a query covers several. */
export interface SiteFigures extends Counts {
  siteId: number;
}

/** Breakdowns by a dimension of the visit. Their order is the `kind` stored in summaries. */
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

export interface DashboardResult {
  totals: Totals;
  compared: Totals | undefined;
  series: SeriesPoint[];
  pages: PageRow[];
  events: EventNameRow[];
  breakdowns: Record<VisitBreakdown, VisitRow[]>;
  /** Visitors with a matching event in the last five minutes. */
  visitors_now: number;
  /** One per site with visits or events; empty when the query names a single site. */
  sites: SiteFigures[];
  /** Dropped events of the period, by reason. Filters do not apply: these events are not stored. */
  dropped: Record<string, number>;
  /** Matching events of bots. */
  bot_events: number;
}

export const stepKinds = ['page', 'event'] as const;
type StepKind = (typeof stepKinds)[number];

/** A visitor action that a goal or a funnel counts. */
export interface Step {
  /** `page`: a page view; `event`: any other event except measurements. */
  kind: StepKind;
  /** The path, or the event name. `*` matches any run of characters. */
  value: string;
  /** Conditions on the event itself; all must hold. */
  filters: readonly Filter[];
}

/** Counts how often visitors took each step in the range. */
export interface GoalsStoreQuery extends StoreQuery {
  steps: readonly Step[];
}

export interface GoalFigures {
  visitors: number;
  visits: number;
  events: number;
  /** Sums as decimal text, ordered by ISO 4217 code. */
  revenue: { currency: string; amount: string }[];
}

export interface GoalsResult {
  /** Visits that began in the range. */
  visits: number;
  /** One for each step, in order. */
  goals: GoalFigures[];
}

/**
 * Counts the visits or visitors that took the steps in order, each in a later event than the
 * previous step. At most 8 steps.
 */
export interface FunnelStoreQuery extends StoreQuery {
  /** Whether one visit, or one visitor over the whole range, has to take all steps. */
  within: 'visit' | 'visitor';
  steps: readonly Step[];
}

export interface FunnelStepFigures {
  /** Visits, or visitors, that reached this step. */
  entered: number;
  /** Since the previous step; null for the first step, and when no one reached this one. */
  medianSeconds: number | null;
}

export interface FunnelResult {
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
  ...originColumns,
  'click_id',
  ...agentColumns,
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

/** Selects the events to export, and the format. Times are Unix ms. */
export interface ExportStoreQuery {
  /** Undefined: all sites. */
  siteId: number | undefined;
  /** The public `site_id` of each site number. */
  sites: readonly (readonly [id: number, key: string])[];
  from: number | undefined;
  to: number | undefined;
  filters: readonly Filter[];
  columns: readonly ExportColumn[];
  format: ExportFormat;
}

/** Groups people into cohorts by the unit in which they were first seen. Times are Unix ms. */
export interface RetentionStoreQuery {
  siteId: number;
  /** Start of each unit (a day, week or month); units are contiguous. */
  starts: readonly number[];
  /** End of the last unit. */
  end: number;
  filters: readonly Filter[];
  bots: boolean;
}

export interface RetentionResult {
  /** Per cohort: people seen in its own unit, in the next one, and so on up to the last unit. */
  counts: number[][];
}

/** Counts events of one name by their tag, in the whole history. Bots do not count. */
export interface TagCountsStoreQuery {
  siteId: readonly number[];
  event: string;
  tags: readonly string[];
}

/** A tag with events; those without any are left out. */
export interface TagCount {
  tag: string;
  events: number;
  /** Unix ms. */
  lastEventAt: number;
}

/** Events of the sites with one of these tags, by tag and UTC day. Without bots. */
export interface TagDaysStoreQuery extends TagCountsStoreQuery {
  /** Unix ms. */
  since: number;
}

/** The events of a tag on a day; days without any are left out. */
export interface TagDay {
  tag: string;
  /** The start of the day, Unix ms. */
  day: number;
  events: number;
}

/** Counts the events of one name with a tag by the value of a property. Bots are left out. */
export interface TagPropsStoreQuery {
  siteId: number;
  event: string;
  tag: string;
  property: string;
  range: Range;
}

/** The events whose property has a value; events without the property are left out. */
export interface TagPropCount {
  value: string;
  events: number;
}

/** Reads the newest events of one name with a tag. Bots are left out. */
export interface TagEventsStoreQuery {
  siteId: number;
  event: string;
  tag: string;
  limit: number;
}

/** An event with a tag, as far as it can be told in words. */
export interface TagEvent {
  /** Unix ms. */
  at: number;
  country: string | null;
  device: string | null;
  os: string | null;
}

/** The number of events of a site. */
export interface SiteStats {
  siteId: number;
  events: number;
  /** Unix ms. */
  lastEventAt: number;
}

/** What can be read from the event store: parameters and result of each query. */
export interface StoreQueries {
  dashboard: { params: DashboardStoreQuery; answer: DashboardResult };
  retention: { params: RetentionStoreQuery; answer: RetentionResult };
  goals: { params: GoalsStoreQuery; answer: GoalsResult };
  funnel: { params: FunnelStoreQuery; answer: FunnelResult };
  siteStats: { params: null; answer: SiteStats[] };
  tagCounts: { params: TagCountsStoreQuery; answer: TagCount[] };
  tagDays: { params: TagDaysStoreQuery; answer: TagDay[] };
  tagProps: { params: TagPropsStoreQuery; answer: TagPropCount[] };
  tagEvents: { params: TagEventsStoreQuery; answer: TagEvent[] };
  recent: { params: RecentStoreQuery; answer: RecentResult };
}
type Name = keyof StoreQueries;

/** A function for each query. `By` is who asks, or the signal that cancels the query. */
export type QueryFunctions<By extends unknown[]> = {
  [K in Name]: (params: StoreQueries[K]['params'], ...by: By) => Promise<StoreQueries[K]['answer']>;
};

/** Creates the function of each query from one that runs any of them. */
export const queryFunctions = <By extends unknown[]>(
  run: <K extends Name>(
    name: K,
    params: StoreQueries[K]['params'],
    ...by: By
  ) => Promise<StoreQueries[K]['answer']>,
): QueryFunctions<By> => ({
  dashboard: (params, ...by) => run('dashboard', params, ...by),
  retention: (params, ...by) => run('retention', params, ...by),
  goals: (params, ...by) => run('goals', params, ...by),
  funnel: (params, ...by) => run('funnel', params, ...by),
  siteStats: (params, ...by) => run('siteStats', params, ...by),
  tagCounts: (params, ...by) => run('tagCounts', params, ...by),
  tagDays: (params, ...by) => run('tagDays', params, ...by),
  tagProps: (params, ...by) => run('tagProps', params, ...by),
  tagEvents: (params, ...by) => run('tagEvents', params, ...by),
  recent: (params, ...by) => run('recent', params, ...by),
});
