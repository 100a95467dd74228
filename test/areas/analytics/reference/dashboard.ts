import {
  type DashboardResult,
  type DashboardStoreQuery,
  type Range,
  type VisitBreakdown,
  visitBreakdowns,
  type VisitDimension,
} from '../../../../src/areas/analytics/store/queries.ts';
import type {
  EventNameRow,
  PageRow,
  Totals,
  VisitRow,
} from '../../../../src/areas/analytics/store/schemas.figures.ts';
import {
  countVisitors,
  createSelection,
  isCounted,
  median,
  visitFinder,
  within,
} from './filters.ts';
import { matchesStep } from './goals.ts';
import {
  attribute,
  type AttributedEvent,
  type ReferenceEvent,
  type ReferenceVisit,
  visitsOf,
} from './visits.ts';

/** Events that were dropped, counted by site, hour and reason. */
export interface ReferenceDrop {
  site: number;
  hour: number;
  reason: string;
  count: number;
}

interface Selection {
  visits: ReferenceVisit[];
  events: AttributedEvent[];
}

const isPageview = (event: AttributedEvent) => event.dimensions.event === 'pageview';
const countWhere = <T>(items: readonly T[], test: (item: T) => boolean) =>
  items.filter(test).length;

/** Returns the visits that start and the events that occur in the range, without filtered ones. */
function select(
  events: readonly AttributedEvent[],
  visits: readonly ReferenceVisit[],
  query: DashboardStoreQuery,
  range: Range,
): Selection {
  const { hasVisit, hasEvent } = createSelection(visits, query);
  return {
    visits: visits.filter((visit) => within(visit.started, range) && hasVisit(visit)),
    events: events.filter((event) => within(event.time, range) && hasEvent(event)),
  };
}

/** Whether a visit reached the goal of the query; undefined without one. */
type Converts = ((visit: ReferenceVisit) => boolean) | undefined;

function conversionsOf(visits: readonly ReferenceVisit[], converts: Converts) {
  if (converts === undefined) return {};
  const conversions = countWhere(visits, converts);
  const rate = visits.length === 0 ? null : (100 * conversions) / visits.length;
  return { conversions, conversion_rate: rate };
}

function convertsIn({ goal, bots }: DashboardStoreQuery, range: Range | undefined): Converts {
  if (goal === undefined || range === undefined) return undefined;
  return ({ events }) =>
    events.some(
      (event) => (bots || !event.bot) && within(event.time, range) && matchesStep(goal, event),
    );
}

function totalsOf({ visits, events }: Selection, converts: Converts): Totals {
  const seconds = visits.map((visit) => Math.floor((visit.ended - visit.started) / 1000));
  const count = visits.length;
  const pageviews = countWhere(events, isPageview);
  const perVisit = (sum: number) => (count === 0 ? null : sum / count);
  return {
    visitors: countVisitors(visits),
    visits: count,
    pageviews,
    events: countWhere(events, isCounted),
    bounce_rate: perVisit(100 * countWhere(visits, (visit) => visit.bounce)),
    visit_duration_mean: perVisit(seconds.reduce((sum, value) => sum + value, 0)),
    visit_duration_median: median(seconds),
    views_per_visit: perVisit(pageviews),
    ...conversionsOf(visits, converts),
  };
}

function byValue<T>(
  items: readonly T[],
  valueOf: (item: T) => string | null,
): [string | null, T[]][] {
  const groups = new Map<string | null, T[]>();
  for (const item of items) groups.set(valueOf(item), [...(groups.get(valueOf(item)) ?? []), item]);
  return [...groups];
}

const codePoints = (text: string) => Array.from(text, (letter) => letter.codePointAt(0)!);

/** Compares by code points; null sorts first. */
function compareText(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  const [left, right] = [codePoints(a), codePoints(b)];
  for (let at = 0; at < Math.min(left.length, right.length); at++)
    if (left[at] !== right[at]) return left[at]! - right[at]!;
  return left.length - right.length;
}

function topRows<T extends { value: string | null }>(
  rows: T[],
  order: (row: T) => [number, number],
  limit: number,
): T[] {
  return rows
    .sort(
      (a, b) =>
        order(b)[0] - order(a)[0] || order(b)[1] - order(a)[1] || compareText(a.value, b.value),
    )
    .slice(0, limit);
}

const hidesNull = new Set<VisitDimension>(['entry_page', 'exit_page', 'referrer', 'utm_campaign']);

function breakdown(
  visits: readonly ReferenceVisit[],
  dimension: VisitDimension,
  limit: number,
  converts: Converts,
): VisitRow[] {
  const rows = byValue(visits, (visit) => visit.dimensions[dimension] ?? null)
    .filter(([value]) => value !== null || !hidesNull.has(dimension))
    .map(([value, group]) => ({
      value,
      visitors: countVisitors(group),
      visits: group.length,
      bounce_rate: (100 * countWhere(group, (visit) => visit.bounce)) / group.length,
      ...conversionsOf(group, converts),
    }));
  return topRows(rows, (row) => [row.visitors, row.visits], limit);
}

/** Returns the engagement with a page that has `views` page views. */
function engagementOf(
  measured: readonly AttributedEvent[],
  views: number,
  visitOf: (event: AttributedEvent) => ReferenceVisit | undefined,
): Pick<PageRow, 'engaged_seconds' | 'scroll_depth'> {
  const times = measured.map(({ journal }) => journal.en).filter((ms) => ms !== undefined);
  const deepest = new Map<ReferenceVisit, number>();
  for (const event of measured) {
    const visit = visitOf(event);
    if (visit !== undefined && event.journal.sd !== undefined)
      deepest.set(visit, Math.max(deepest.get(visit) ?? 0, event.journal.sd));
  }
  return {
    engaged_seconds:
      times.length === 0 ? null : times.reduce((sum, ms) => sum + ms, 0) / views / 1000,
    scroll_depth:
      deepest.size === 0
        ? null
        : [...deepest.values()].reduce((sum, depth) => sum + depth, 0) / deepest.size,
  };
}

function pagesOf(
  events: readonly AttributedEvent[],
  visits: readonly ReferenceVisit[],
  limit: number,
  converts: Converts,
): PageRow[] {
  const visitOf = visitFinder(visits);
  const measured = events.filter((event) => event.dimensions.event === 'engagement');
  const rows = byValue(events.filter(isPageview), (event) => event.dimensions.page ?? '').map(
    ([value, views]) => ({
      value: value ?? '',
      visitors: countVisitors(views),
      pageviews: views.length,
      ...engagementOf(
        measured.filter((event) => event.dimensions.page === value),
        views.length,
        visitOf,
      ),
      ...conversionsOf(
        [...new Set(views.map(visitOf))].filter((visit) => visit !== undefined),
        converts,
      ),
    }),
  );
  return topRows(rows, (row) => [row.pageviews, row.visitors], limit);
}

function eventNames(
  events: readonly AttributedEvent[],
  visits: readonly ReferenceVisit[],
  total: number,
  limit: number,
): EventNameRow[] {
  const visitOf = visitFinder(visits);
  const rows = byValue(
    events.filter((event) => !isPageview(event) && isCounted(event)),
    (event) => event.dimensions.event ?? '',
  ).map(([value, group]) => {
    const converted = new Set(group.map(visitOf).filter((visit) => visit !== undefined)).size;
    return {
      value: value ?? '',
      visitors: countVisitors(group),
      events: group.length,
      conversion_rate: total === 0 ? null : (100 * converted) / total,
    };
  });
  return topRows(rows, (row) => [row.events, row.visitors], limit);
}

function series(
  { visits, events }: Selection,
  { buckets, range }: DashboardStoreQuery,
  converts: Converts,
): DashboardResult['series'] {
  return buckets.map((start, index) => {
    const bucket = { from: start, to: buckets[index + 1] ?? range.to };
    const began = visits.filter((visit) => within(visit.started, bucket));
    const happened = events.filter((event) => within(event.time, bucket));
    const totals = totalsOf({ visits: began, events: happened }, converts);
    return {
      visitors: totals.visitors,
      visits: totals.visits,
      pageviews: totals.pageviews,
      events: totals.events,
      bounce_rate: totals.bounce_rate,
      visit_duration_mean: totals.visit_duration_mean,
      views_per_visit: totals.views_per_visit,
      ...(converts && { conversions: totals.conversions }),
    };
  });
}

function droppedOf(
  drops: readonly ReferenceDrop[],
  { siteId, range }: DashboardStoreQuery,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { site, hour, reason, count } of drops) {
    if ((site === 0 || site === siteId) && within(hour, range))
      counts[reason] = (counts[reason] ?? 0) + count;
  }
  return counts;
}

/** Returns the dashboard, computed by brute force from all events in order of arrival. */
export function referenceDashboard(
  arrived: readonly ReferenceEvent[],
  drops: readonly ReferenceDrop[],
  query: DashboardStoreQuery,
): DashboardResult {
  const { siteId, range, compare, limit, now } = query;
  const events = attribute(arrived).filter((event) => event.site === siteId);
  const visits = visitsOf(events);
  const selected = select(events, visits, query, range);
  const converts = convertsIn(query, range);
  const breakdowns = Object.entries(visitBreakdowns).map(
    ([name, dimension]) => [name, breakdown(selected.visits, dimension, limit, converts)] as const,
  );
  return {
    totals: totalsOf(selected, converts),
    compared:
      compare === undefined
        ? undefined
        : totalsOf(select(events, visits, query, compare), convertsIn(query, compare)),
    series: series(selected, query, converts),
    pages: pagesOf(selected.events, visits, limit, converts),
    events: eventNames(selected.events, visits, selected.visits.length, limit),
    breakdowns: Object.fromEntries(breakdowns) as Record<VisitBreakdown, VisitRow[]>,
    visitors_now: countVisitors(
      select(events, visits, query, { from: now - 300_000, to: Infinity }).events,
    ),
    sites: [],
    dropped: droppedOf(drops, query),
    bot_events: countWhere(
      select(events, visits, { ...query, bots: true }, range).events,
      (event) => event.bot,
    ),
  };
}
