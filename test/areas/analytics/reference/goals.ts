import type {
  FunnelAnswer,
  FunnelStoreQuery,
  GoalFigures,
  GoalsAnswer,
  GoalsStoreQuery,
  Range,
  StoreQuery,
  Step,
} from '../../../../src/areas/analytics/store/queries.ts';
import { eventMeets, isVisitFilter, visitMeets } from './filters.ts';
import {
  attribute,
  type AttributedEvent,
  type ReferenceEvent,
  type ReferenceVisit,
  visitsOf,
} from './visits.ts';

const within = (time: number, { from, to }: Range) => time >= from && time < to;

/** Whether the text matches a pattern in which `*` stands for any run of characters. */
function matchesPattern(pattern: string, text: string): boolean {
  const [head, ...others] = pattern.split('*');
  if (others.length === 0) return pattern === text;
  const tail = others.pop()!;
  if (!text.startsWith(head!) || !text.endsWith(tail) || head!.length + tail.length > text.length)
    return false;
  let rest = text.slice(head!.length, text.length - tail.length);
  for (const part of others) {
    const at = rest.indexOf(part);
    if (at === -1) return false;
    rest = rest.slice(at + part.length);
  }
  return true;
}

/** Whether the event completes the step. */
function matchesStep({ kind, value, filters }: Step, event: AttributedEvent): boolean {
  const { event: name = '', page = '' } = event.dimensions;
  const matches =
    kind === 'page'
      ? name === 'pageview' && matchesPattern(value, page)
      : name !== 'pageview' &&
        name !== 'engagement' &&
        name !== 'web_vitals' &&
        matchesPattern(value, name);
  return matches && filters.every((filter) => eventMeets(filter, event));
}

interface Selection {
  visits: ReferenceVisit[];
  /** By time, then id. */
  events: AttributedEvent[];
  visitOf: Map<AttributedEvent, ReferenceVisit>;
}

function select(
  arrived: readonly ReferenceEvent[],
  { siteId, range, filters, bots }: StoreQuery,
): Selection {
  const events = attribute(arrived).filter((event) => event.site === siteId);
  const visits = visitsOf(events);
  const visitOf = new Map(
    visits.flatMap((visit) => visit.events.map((event) => [event, visit] as const)),
  );
  const [visitFilters, eventFilters] = [
    filters.filter(isVisitFilter),
    filters.filter((filter) => !isVisitFilter(filter)),
  ];
  const passes = (event: AttributedEvent) =>
    (bots || !event.bot) && eventFilters.every((filter) => eventMeets(filter, event));
  const isMatching = (visit: ReferenceVisit | undefined) =>
    visit !== undefined && visitFilters.every((filter) => visitMeets(filter, visit));
  return {
    visitOf,
    visits: visits.filter(
      (visit) =>
        within(visit.started, range) &&
        (bots || !visit.bot) &&
        isMatching(visit) &&
        (eventFilters.length === 0 || visit.events.some(passes)),
    ),
    events: events
      .filter(
        (event) =>
          within(event.time, range) &&
          passes(event) &&
          (visitFilters.length === 0 || isMatching(visitOf.get(event))),
      )
      .sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1)),
  };
}

const toUnits = (amount: string) => {
  const [whole = '', decimals = ''] = amount.replace('-', '').split('.');
  return BigInt(amount.startsWith('-') ? -1 : 1) * BigInt(whole + decimals.padEnd(4, '0'));
};

function asAmount(sum: bigint): string {
  const digits = String(sum < 0n ? -sum : sum).padStart(5, '0');
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

function revenueOf(events: readonly AttributedEvent[]): GoalFigures['revenue'] {
  const sums = new Map<string, bigint>();
  for (const { journal } of events)
    if (journal.re !== undefined)
      sums.set(journal.re[1], (sums.get(journal.re[1]) ?? 0n) + toUnits(journal.re[0]));
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, sum]) => ({ currency, amount: asAmount(sum) }));
}

/** Returns the figures of the goals, computed by brute force from all events in arrival order. */
export function referenceGoals(
  arrived: readonly ReferenceEvent[],
  query: GoalsStoreQuery,
): GoalsAnswer {
  const { events, visits, visitOf } = select(arrived, query);
  const goals = query.steps.map((step): GoalFigures => {
    const done = events.filter((event) => matchesStep(step, event));
    return {
      visitors: new Set(done.map(({ visitor }) => visitor).filter((visitor) => visitor !== null))
        .size,
      visits: new Set(
        done.map((event) => visitOf.get(event)).filter((visit) => visit !== undefined),
      ).size,
      events: done.length,
      revenue: revenueOf(done),
    };
  });
  return { visits: visits.length, goals };
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  return (
    (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.floor(sorted.length / 2)]!) / 2
  );
}

/** Returns when each step was first completed, in order, up to the first step never completed. */
function walk(events: readonly AttributedEvent[], steps: readonly Step[]): number[] {
  const times: number[] = [];
  let at = 0;
  for (const step of steps) {
    while (at < events.length && !matchesStep(step, events[at]!)) at += 1;
    if (at === events.length) break;
    times.push(events[at]!.time);
    at += 1;
  }
  return times;
}

/** Returns the figures of the funnel, computed by brute force from all events in arrival order. */
export function referenceFunnel(
  arrived: readonly ReferenceEvent[],
  query: FunnelStoreQuery,
): FunnelAnswer {
  const { events, visitOf } = select(arrived, query);
  const owners = new Map<unknown, AttributedEvent[]>();
  for (const event of events) {
    const owner = query.within === 'visit' ? visitOf.get(event) : (event.visitor ?? undefined);
    if (owner !== undefined) owners.set(owner, [...(owners.get(owner) ?? []), event]);
  }
  const walks = [...owners.values()].map((own) => walk(own, query.steps));
  return {
    steps: query.steps.map((_, index) => {
      const reached = walks.filter((times) => times.length > index);
      const medianMs =
        index === 0 ? null : median(reached.map((times) => times[index]! - times[index - 1]!));
      return { entered: reached.length, medianSeconds: medianMs === null ? null : medianMs / 1000 };
    }),
  };
}
