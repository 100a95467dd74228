import type { Filter } from '../../../../src/areas/analytics/store/queries.ts';
import { dayMs } from '../../../../src/lib/durations.ts';
import { createSelection, isCounted } from './filters.ts';
import { createWallClock } from './periods.ts';
import { attribute, type ReferenceEvent, visitsOf } from './visits.ts';

export interface ReferenceRetention {
  site: number;
  unit: 'day' | 'week' | 'month';
  cohorts: number;
  zone: string;
  now: number;
  filters: readonly Filter[];
  bots: boolean;
}

const mondayBefore = (day: number) => day - ((day + 3) % 7);

/** Returns the first day (since 1970) of the unit that lies `back` units before that of `today`. */
function firstDay(today: number, unit: ReferenceRetention['unit'], back: number): number {
  if (unit === 'day') return today - back;
  if (unit === 'week') return mondayBefore(today) - 7 * back;
  const date = new Date(today * dayMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 1) / dayMs;
}

/** Returns the identity that the site gave in the event. */
const personOf = ({ journal, hash }: ReferenceEvent): string | undefined =>
  journal.u !== undefined
    ? `user ${journal.u}`
    : journal.o === 1 && hash !== undefined
      ? `visitor ${hash}`
      : undefined;

/** Returns the cohorts, counted person by person. */
export function referenceRetention(
  arrived: readonly ReferenceEvent[],
  { site, unit, cohorts, zone, now, filters, bots }: ReferenceRetention,
): { start: number; visitors: number[] }[] {
  const events = attribute(arrived).filter((event) => event.site === site);
  const { hasEvent } = createSelection(visitsOf(events), {
    filters,
    bots,
    onlyEvents: true,
  });
  const selected = events.filter((event) => isCounted(event) && hasEvent(event));
  const wall = createWallClock(zone);
  const edges = Array.from({ length: cohorts + 1 }, (_, at) =>
    wall.dayStart(firstDay(wall.day(now), unit, cohorts - 1 - at)),
  );
  const unitAt = (time: number) => edges.filter((edge) => edge <= time).length - 1;
  const times = new Map<string, number[]>();
  for (const event of selected) {
    const person = personOf(event);
    if (person !== undefined && event.time < (edges.at(-1) ?? 0))
      times.set(person, [...(times.get(person) ?? []), event.time]);
  }
  const units = [...times.values()].map((all) => ({
    cohort: unitAt(Math.min(...all)),
    seen: new Set(all.map(unitAt)),
  }));
  return edges.slice(0, -1).map((start, cohort) => ({
    start,
    visitors: Array.from(
      { length: cohorts - cohort },
      (_, age) =>
        units.filter((person) => person.cohort === cohort && person.seen.has(cohort + age)).length,
    ),
  }));
}
