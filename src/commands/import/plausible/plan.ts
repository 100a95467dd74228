import type { Day, Mismatch, Origin, Page } from './day.ts';
import { createPermutation, deal, dealPages, fitPages } from './deal.ts';

export interface PlannedVisit {
  /** Numbers of the visit and of its visitor within the day, from 0. */
  number: number;
  visitor: number;
  /** Unix ms of the first page view, and ms from it to the last. */
  start: number;
  durationMs: number;
  /** None for a visit of custom events only. */
  pages: Page[];
  /** Whether its custom events end a bounce: only those of a visit without a page view may. */
  isInteractive: boolean;
  origin: Origin | undefined;
  country: string | undefined;
  browser: { browser: string; browser_version: string } | undefined;
  system: { os: string; os_version: string } | undefined;
  device: string | undefined;
}

/**
 * Returns the page views of each visit: one for a bounce, the rest split evenly among the others.
 */
export function viewsOfVisits({
  visits,
  pageviews,
  bounces,
}: Pick<Day, 'visits' | 'pageviews' | 'bounces'>): number[] {
  const count = Math.min(visits, pageviews);
  const mostBounces = pageviews > count ? count - 1 : count;
  const single = Math.max(0, Math.min(bounces, mostBounces));
  const longer = count - single;
  const each = longer === 0 ? 0 : Math.floor((pageviews - single) / longer);
  const more = longer === 0 ? 0 : (pageviews - single) % longer;
  return Array.from({ length: count }, (_, visit) =>
    visit >= longer ? 1 : visit < more ? each + 1 : each,
  );
}

/** Visits that had no page view but custom events, as many as the events reach. */
function visitsOfEvents({ visits, visitors, events }: Day, seen: number): number {
  const reach = events.reduce(
    (sum, row) => sum + Math.min(Math.max(1, row.visitors), row.events),
    0,
  );
  return Math.max(0, Math.min(Math.max(visits, visitors) - seen, reach));
}

function mismatchOf(day: Day, views: readonly number[], visitors: number): Mismatch {
  const known = day.pages.reduce((sum, page) => sum + page.pageviews, 0);
  const single = views.filter((count) => count === 1).length;
  return {
    unknownPages: Math.max(0, day.pageviews - known),
    surplusPages: Math.max(0, known - day.pageviews),
    visits: Math.max(0, day.visits - views.length),
    visitors: Math.max(0, day.visitors - visitors),
    bounces: Math.max(0, single - day.bounces),
  };
}

/** Ms that each visit with several page views lasts, so that they add up to the export's total. */
function durationOf({ visitDuration, start, end }: Day, views: readonly number[]): number {
  const longer = views.filter((count) => count > 1).length;
  return longer === 0
    ? 0
    : Math.min(Math.floor((visitDuration * 1000) / longer), Math.max(0, end - start - 1));
}

/** Plans a day's visits. They match the figures of each table; combinations are arbitrary. */
export function planDay(day: Day): { visits: PlannedVisit[]; mismatch: Mismatch } {
  const seen = viewsOfVisits(day);
  const views = [...seen, ...new Array<number>(visitsOfEvents(day, seen.length)).fill(0)];
  const count = views.length;
  const visitors = Math.min(day.visitors, count) || Math.min(1, count);
  const pages = dealPages(views, fitPages(day.pages, seen.length === 0 ? 0 : day.pageviews));
  const bounces = Math.max(0, day.bounces - seen.filter((size) => size === 1).length);
  const origins = deal(day.origins, count, 0.618);
  const countries = deal(day.countries, count, 0.382);
  const browsers = deal(day.browsers, count, 0.732);
  const systems = deal(day.systems, count, 0.268);
  const devices = deal(day.devices, count, 0.545);
  const slot = createPermutation(count, 0.839);
  const longMs = durationOf(day, views);
  const visits = views.map((size, number): PlannedVisit => {
    const durationMs = size > 1 ? longMs : 0;
    const start =
      day.start + Math.floor(((slot(number) + 0.5) / count) * (day.end - day.start - durationMs));
    return {
      number,
      visitor: number % visitors,
      start,
      durationMs,
      pages: pages[number] ?? [],
      isInteractive: number >= seen.length + bounces,
      origin: origins[number],
      country: countries[number],
      browser: browsers[number],
      system: systems[number],
      device: devices[number],
    };
  });
  return { visits, mismatch: mismatchOf(day, views, visitors) };
}
