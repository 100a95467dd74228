import {
  type Filter,
  type StoreQuery,
  type VisitDimension,
  visitDimensions,
} from '../../../../src/areas/analytics/store/queries.ts';
import type { AttributedEvent, ReferenceVisit } from './visits.ts';

const visitDimensionNames = new Set<string>(visitDimensions);

/** Whether the filter applies to visits; otherwise it applies to events. */
const isVisitFilter = ({ dimension }: Filter): boolean => visitDimensionNames.has(dimension);

function matchesText({ operator, values }: Filter, text: string): boolean {
  const base = operator.replace('_not', '');
  const found =
    base === 'is'
      ? values.includes(text)
      : base === 'contains'
        ? values.some((value) => text.toLowerCase().includes(value.toLowerCase()))
        : new RegExp(values[0] ?? '', 'u').test(text);
  return operator.endsWith('_not') ? !found : found;
}

/** Whether the event passes the filter; a missing value counts as the empty string. */
export function eventMeets(filter: Filter, event: AttributedEvent): boolean {
  const { dimension } = filter;
  if (dimension.startsWith('props.'))
    return matchesText(filter, event.props[dimension.slice(6)] ?? '');
  return matchesText(
    filter,
    event.dimensions[dimension as keyof AttributedEvent['dimensions']] ?? '',
  );
}

const visitMeets = (filter: Filter, visit: ReferenceVisit): boolean =>
  matchesText(filter, visit.dimensions[filter.dimension as VisitDimension] ?? '');

/** Events that only measure a page are not counted as events. */
export const isCounted = ({ dimensions }: AttributedEvent): boolean =>
  !['engagement', 'web_vitals'].includes(dimensions.event ?? '');

/** Returns what finds the visit of an event. */
export function visitFinder(visits: readonly ReferenceVisit[]) {
  const found = new Map(
    visits.flatMap((visit) => visit.events.map((event) => [event, visit] as const)),
  );
  return (event: AttributedEvent) => found.get(event);
}

/** Returns what tells which of these visits, and which of their site's events, a query selects. */
export function createSelection(
  visits: readonly ReferenceVisit[],
  { filters, bots }: Pick<StoreQuery, 'filters' | 'bots'>,
) {
  const visitFilters = filters.filter(isVisitFilter);
  const eventFilters = filters.filter((filter) => !isVisitFilter(filter));
  const visitOf = visitFinder(visits);
  const passes = (event: AttributedEvent) =>
    (bots || !event.bot) && eventFilters.every((filter) => eventMeets(filter, event));
  const isMatching = (visit: ReferenceVisit | undefined) =>
    visit !== undefined && visitFilters.every((filter) => visitMeets(filter, visit));
  return {
    visitOf,
    hasVisit: (visit: ReferenceVisit) =>
      (bots || !visit.bot) &&
      isMatching(visit) &&
      (eventFilters.length === 0 || visit.events.some(passes)),
    hasEvent: (event: AttributedEvent) =>
      passes(event) && (visitFilters.length === 0 || isMatching(visitOf(event))),
  };
}

export const within = (time: number, { from, to }: { from: number; to: number }): boolean =>
  time >= from && time < to;

export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  return (
    (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.floor(sorted.length / 2)]!) / 2
  );
}

export const countVisitors = (items: readonly { visitor: string | null }[]): number =>
  new Set(items.map(({ visitor }) => visitor).filter((visitor) => visitor !== null)).size;
