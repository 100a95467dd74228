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
  { filters, bots, onlyEvents = false }: Pick<StoreQuery, 'filters' | 'bots' | 'onlyEvents'>,
) {
  const visitFilters = filters.filter(isVisitFilter);
  const byName = onlyEvents ? [] : filters.filter(({ dimension }) => dimension === 'event');
  const wanted = byName.filter(({ operator }) => !operator.endsWith('_not'));
  const unwanted = byName.filter((filter) => !wanted.includes(filter));
  const details =
    wanted.length === 0
      ? []
      : filters.filter(({ dimension }) => dimension === 'tag' || dimension.startsWith('props.'));
  const eventFilters = filters.filter(
    (filter) => !isVisitFilter(filter) && !byName.includes(filter) && !details.includes(filter),
  );
  const visitOf = visitFinder(visits);
  const isRead = (event: AttributedEvent) => bots || !event.bot;
  const passes = (event: AttributedEvent) =>
    isRead(event) && eventFilters.every((filter) => eventMeets(filter, event));
  /** One event has the wanted names and details, and none has an unwanted name. */
  const hasContents = ({ events }: ReferenceVisit) => {
    const read = events.filter(isRead);
    const isWanted = (event: AttributedEvent) =>
      [...wanted, ...details].every((filter) => eventMeets(filter, event));
    return (
      (wanted.length === 0 || read.some(isWanted)) &&
      unwanted.every((filter) => read.every((event) => eventMeets(filter, event)))
    );
  };
  const isMatching = (visit: ReferenceVisit | undefined) =>
    visit !== undefined &&
    visitFilters.every((filter) => visitMeets(filter, visit)) &&
    hasContents(visit);
  return {
    visitOf,
    hasVisit: (visit: ReferenceVisit) =>
      (bots || !visit.bot) &&
      isMatching(visit) &&
      (eventFilters.length === 0 || visit.events.some(passes)),
    hasEvent: (event: AttributedEvent) =>
      passes(event) && (visitFilters.length + byName.length === 0 || isMatching(visitOf(event))),
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
