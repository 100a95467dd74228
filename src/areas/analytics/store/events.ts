/** A place in the journal: events before it are in the store. */
export interface StorePosition {
  segment: number;
  offset: number;
}

/** The name of events that tell how long a page was in front of somebody, and how far they came. */
export const engagement = 'engagement';

/** Names of events that only measure something about a page that is counted already: they are no events of the figures. */
export const measurements: ReadonlySet<string> = new Set([engagement, 'web_vitals']);

/** One event as it is stored. Absent texts are undefined; times are Unix ms. */
export interface EventRow {
  siteId: number;
  time: number;
  receivedAt: number;
  /** UUID, lower case, with hyphens. */
  id: string;
  /** 64-bit visitor hash; 0n when the visitor asked not to be recognised. */
  visitor: bigint;
  /** The visit; 0n when there is none. */
  session: bigint;
  /** The client named the visit itself. */
  named: boolean;
  name: string;
  interactive: boolean;
  bot: boolean;
  hostname: string | undefined;
  pathname: string;
  query: string | undefined;
  title: string | undefined;
  referrer: string | undefined;
  source: string | undefined;
  channel: string | undefined;
  utmSource: string | undefined;
  utmMedium: string | undefined;
  utmCampaign: string | undefined;
  utmTerm: string | undefined;
  utmContent: string | undefined;
  clickId: string | undefined;
  browser: string | undefined;
  browserVersion: string | undefined;
  os: string | undefined;
  osVersion: string | undefined;
  device: string | undefined;
  screenWidth: number | undefined;
  screenHeight: number | undefined;
  language: string | undefined;
  /** ISO 3166-1 alpha-2. */
  country: string | undefined;
  /** Per cent. */
  scrollDepth: number | undefined;
  engagementMs: number | undefined;
  /** Decimal text with at most four places, and ISO 4217 code. */
  revenue: { amount: string; currency: string } | undefined;
  vitals: { lcp?: number; inp?: number; fcp?: number; ttfb?: number; cls?: number } | undefined;
  userId: string | undefined;
  /** The person that the site names: a hash that stays the same, whatever visit the event belongs to. */
  person: bigint | undefined;
  tag: string | undefined;
  props: Readonly<Record<string, string>> | undefined;
}

/** How often something was not stored, in the hour that begins at `hour` (Unix ms). */
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

/** A visit whose last event may still come. */
export interface Visit extends SiteVisitor {
  session: bigint;
  named: boolean;
  first: number;
  last: number;
  /** End of a visit of the same visitor before this one, Unix ms; 0 when none is known. */
  previousEnd: number;
}

/** What the memory of open visits holds. */
export interface VisitMemory {
  /** No visit that is still open began before this (Unix ms). */
  openFrom: number;
  /** Visits that ended before this may be closed and forgotten (Unix ms). */
  completeFrom: number;
}

/** What one transaction brings. */
export interface EventBatch {
  rows: readonly EventRow[];
  drops: readonly DropRow[];
  /** The journal up to here is in this batch or in earlier ones. */
  position: StorePosition;
  /** Visitors with an event that came too late to know its visit: all their visits are cut anew. */
  late: readonly SiteVisitor[];
  /** Client-named visits that go on, perhaps after they were closed. */
  reopened: readonly bigint[];
  /** Earliest event of a visit that this batch leaves open, when that is before every instant given so far. */
  openFrom: number | undefined;
}

/** Visits that the transaction brought back, or cut anew and left open, for the memory of open visits. */
export interface AppendResult {
  reopened: Visit[];
  recut: Visit[];
}

/** Where events are kept for good. One process writes to a store. */
export interface EventWriter {
  /** The journal position of the last committed batch; undefined for an empty store. */
  position: () => Promise<StorePosition | undefined>;
  /** Forgets the position, for a journal that begins anew. */
  forgetPosition: () => Promise<void>;
  /** Commits a batch: rows, drop counts and position together or not at all. Visits that end at `keepOpenFrom` or later stay open. */
  append: (batch: EventBatch, keepOpenFrom: number) => Promise<AppendResult>;
  /** Visits that have not been closed, and from when on they are all that matter. */
  openVisits: () => Promise<{ visits: Visit[]; completeFrom: number }>;
  /** Writes the final rows of visits that are over, and what the memory holds without them. */
  closeVisits: (visits: readonly Visit[], memory: VisitMemory) => Promise<void>;
  /** Adds up days whose visits are all over, some at a time, to answer faster. Gives how many days; 0: nothing to do. */
  summarise: () => Promise<number>;
  /** Deletes events, visits and sums of a site from before the instant (Unix ms). Gives how many events. */
  deleteBefore: (siteId: number, before: number) => Promise<number>;
  /** Makes all that is committed part of the main file; afterwards the journal before `position()` can go. */
  checkpoint: () => Promise<void>;
}
