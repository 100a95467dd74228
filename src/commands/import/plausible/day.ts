/** A value and its number of visits. */
export interface Share<T> {
  value: T;
  visits: number;
}

export interface Page {
  hostname: string;
  page: string;
}

export interface PageViews extends Page {
  visits: number;
  pageviews: number;
}

export interface Origin {
  referrer?: string;
  /** Query parameters of the first page's URL that name the source of the visit. */
  tags: readonly (readonly [key: string, value: string])[];
}

export interface CustomEvent {
  name: string;
  props?: Record<string, string>;
  visitors: number;
  events: number;
}

/** All figures of one day in a Plausible export. Durations in seconds; times in Unix ms. */
export interface Day {
  date: string;
  start: number;
  end: number;
  visitors: number;
  visits: number;
  pageviews: number;
  bounces: number;
  visitDuration: number;
  pages: PageViews[];
  origins: Share<Origin>[];
  countries: Share<string>[];
  browsers: Share<{ browser: string; browser_version: string }>[];
  systems: Share<{ os: string; os_version: string }>[];
  devices: Share<string>[];
  events: CustomEvent[];
}

/** How made-up events differ from the day's figures; all zero when they match. */
export interface Mismatch {
  /** Page views whose page is unknown. */
  unknownPages: number;
  /** Page views beyond the day's total, left out. */
  surplusPages: number;
  /** Visits and visitors without a page view, left out. */
  visits: number;
  visitors: number;
  /** Visits of one page view beyond the number of bounces. */
  bounces: number;
}

export const noMismatch: Mismatch = {
  unknownPages: 0,
  surplusPages: 0,
  visits: 0,
  visitors: 0,
  bounces: 0,
};
