import {
  type Filter,
  type VisitDimension,
  visitDimensions,
} from '../../../../src/areas/analytics/store/queries.ts';
import type { AttributedEvent, ReferenceVisit } from './visits.ts';

const visitDimensionNames = new Set<string>(visitDimensions);

/** Whether the filter applies to visits; otherwise it applies to events. */
export const isVisitFilter = ({ dimension }: Filter): boolean => visitDimensionNames.has(dimension);

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

export const visitMeets = (filter: Filter, visit: ReferenceVisit): boolean =>
  matchesText(filter, visit.dimensions[filter.dimension as VisitDimension] ?? '');
