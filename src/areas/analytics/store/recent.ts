/** What has just happened on a site: in the last `minutes` before `now` (Unix ms). */
export interface RecentStoreQuery {
  siteId: number;
  now: number;
  minutes: number;
  /** Maximum number of events. */
  limit: number;
}

/** An event without what identifies its visitor. Null: not known. */
interface RecentEvent {
  /** Unix ms. */
  time: number;
  event: string;
  hostname: string | null;
  pathname: string;
  country: string | null;
  browser: string | null;
  os: string | null;
}

export interface RecentResult {
  /** Unique visitors of each minute, oldest first. */
  visitors: number[];
  /** Newest first. */
  events: RecentEvent[];
}
