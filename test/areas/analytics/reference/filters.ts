import {
  type Filter,
  type VisitDimension,
  visitDimensions,
} from '../../../../src/areas/analytics/store/questions.ts';
import type { AttributedEvent, ReferenceVisit } from './visits.ts';

const ofVisits = new Set<string>(visitDimensions);

/** Whether the filter is about visits; otherwise it is about events. */
export const isVisitFilter = ({ dimension }: Filter): boolean => ofVisits.has(dimension);

function holds({ operator, values }: Filter, text: string): boolean {
  const base = operator.replace('_not', '');
  const found =
    base === 'is'
      ? values.includes(text)
      : base === 'contains'
        ? values.some((value) => text.toLowerCase().includes(value.toLowerCase()))
        : new RegExp(values[0] ?? '', 'u').test(text);
  return operator.endsWith('_not') ? !found : found;
}

/** A value that is not set counts as the empty text. */
export function eventMeets(filter: Filter, event: AttributedEvent): boolean {
  const { dimension } = filter;
  if (dimension.startsWith('props.')) return holds(filter, event.props[dimension.slice(6)] ?? '');
  return holds(filter, event.dimensions[dimension as keyof AttributedEvent['dimensions']] ?? '');
}

export const visitMeets = (filter: Filter, visit: ReferenceVisit): boolean =>
  holds(filter, visit.dimensions[filter.dimension as VisitDimension] ?? '');
