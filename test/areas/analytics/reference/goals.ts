import type {
  FunnelResult,
  FunnelStoreQuery,
  GoalFigures,
  GoalsResult,
  GoalsStoreQuery,
  StoreQuery,
  Step,
} from '../../../../src/areas/analytics/store/queries.ts';
import {
  countVisitors,
  createSelection,
  eventMeets,
  isCounted,
  median,
  within,
} from './filters.ts';
import { attribute, type AttributedEvent, type ReferenceEvent, visitsOf } from './visits.ts';

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
export function matchesStep({ kind, value, filters }: Step, event: AttributedEvent): boolean {
  const { event: name = '', page = '' } = event.dimensions;
  const matches =
    kind === 'page'
      ? name === 'pageview' && matchesPattern(value, page)
      : name !== 'pageview' && isCounted(event) && matchesPattern(value, name);
  return matches && filters.every((filter) => eventMeets(filter, event));
}

/** Returns the selected visits and the selected events, by time and then id. */
function select(arrived: readonly ReferenceEvent[], query: StoreQuery) {
  const { siteId, range } = query;
  const all = attribute(arrived).filter((event) => event.site === siteId);
  const visits = visitsOf(all);
  const { visitOf, hasVisit, hasEvent } = createSelection(visits, query);
  return {
    visitOf,
    visits: visits.filter((visit) => within(visit.started, range) && hasVisit(visit)),
    events: all
      .filter((event) => within(event.time, range) && hasEvent(event))
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
): GoalsResult {
  const { events, visits, visitOf } = select(arrived, query);
  const goals = query.steps.map((step): GoalFigures => {
    const done = events.filter((event) => matchesStep(step, event));
    return {
      visitors: countVisitors(done),
      visits: visits.filter((visit) => done.some((event) => visitOf(event) === visit)).length,
      events: done.length,
      revenue: revenueOf(done),
    };
  });
  return { visits: visits.length, goals };
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
): FunnelResult {
  const { events, visitOf } = select(arrived, query);
  const owners = new Map<unknown, AttributedEvent[]>();
  for (const event of events) {
    const owner = query.within === 'visit' ? visitOf(event) : (event.visitor ?? undefined);
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
