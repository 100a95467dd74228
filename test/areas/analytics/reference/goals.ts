import type {
  FunnelAnswer,
  FunnelQuestion,
  GoalFigures,
  GoalsAnswer,
  GoalsQuestion,
  Range,
  SelectionQuestion,
  Step,
} from '../../../../src/areas/analytics/store/questions.ts';
import { eventMeets, isVisitFilter, visitMeets } from './filters.ts';
import {
  attribute,
  type AttributedEvent,
  type ReferenceEvent,
  type ReferenceVisit,
  visitsOf,
} from './visits.ts';

const within = (time: number, { from, to }: Range) => time >= from && time < to;

/** `*` is any run of characters, every other character itself. */
function fits(pattern: string, text: string): boolean {
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

/** Whether the event is what the step says. */
function isStep({ kind, value, filters }: Step, event: AttributedEvent): boolean {
  const { event: name = '', page = '' } = event.dimensions;
  const right =
    kind === 'page'
      ? name === 'pageview' && fits(value, page)
      : name !== 'pageview' && name !== 'engagement' && name !== 'web_vitals' && fits(value, name);
  return right && filters.every((filter) => eventMeets(filter, event));
}

interface Chosen {
  visits: ReferenceVisit[];
  /** By time, then id. */
  events: AttributedEvent[];
  visitOf: Map<AttributedEvent, ReferenceVisit>;
}

function choose(
  arrived: readonly ReferenceEvent[],
  { siteId, range, filters, bots }: SelectionQuestion,
): Chosen {
  const events = attribute(arrived).filter((event) => event.site === siteId);
  const visits = visitsOf(events);
  const visitOf = new Map(
    visits.flatMap((visit) => visit.events.map((event) => [event, visit] as const)),
  );
  const [ofVisits, ofEvents] = [
    filters.filter(isVisitFilter),
    filters.filter((filter) => !isVisitFilter(filter)),
  ];
  const right = (event: AttributedEvent) =>
    (bots || !event.bot) && ofEvents.every((filter) => eventMeets(filter, event));
  const fitting = (visit: ReferenceVisit | undefined) =>
    visit !== undefined && ofVisits.every((filter) => visitMeets(filter, visit));
  return {
    visitOf,
    visits: visits.filter(
      (visit) =>
        within(visit.started, range) &&
        (bots || !visit.bot) &&
        fitting(visit) &&
        (ofEvents.length === 0 || visit.events.some(right)),
    ),
    events: events
      .filter(
        (event) =>
          within(event.time, range) &&
          right(event) &&
          (ofVisits.length === 0 || fitting(visitOf.get(event))),
      )
      .sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1)),
  };
}

const units = (amount: string) => {
  const [whole = '', places = ''] = amount.replace('-', '').split('.');
  return BigInt(amount.startsWith('-') ? -1 : 1) * BigInt(whole + places.padEnd(4, '0'));
};

function asAmount(sum: bigint): string {
  const digits = String(sum < 0n ? -sum : sum).padStart(5, '0');
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

function revenueOf(events: readonly AttributedEvent[]): GoalFigures['revenue'] {
  const sums = new Map<string, bigint>();
  for (const { journal } of events)
    if (journal.re !== undefined)
      sums.set(journal.re[1], (sums.get(journal.re[1]) ?? 0n) + units(journal.re[0]));
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, sum]) => ({ currency, amount: asAmount(sum) }));
}

/** What was reached of goals, from all events in the order of their arrival. */
export function referenceGoals(
  arrived: readonly ReferenceEvent[],
  question: GoalsQuestion,
): GoalsAnswer {
  const { events, visits, visitOf } = choose(arrived, question);
  const goals = question.steps.map((step): GoalFigures => {
    const done = events.filter((event) => isStep(step, event));
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

/**
 * The times at which somebody took the steps: the earliest possible of each, after that of the one
 * before.
 */
function walk(events: readonly AttributedEvent[], steps: readonly Step[]): number[] {
  const times: number[] = [];
  let at = 0;
  for (const step of steps) {
    while (at < events.length && !isStep(step, events[at]!)) at += 1;
    if (at === events.length) break;
    times.push(events[at]!.time);
    at += 1;
  }
  return times;
}

/** Who got how far in a funnel, from all events in the order of their arrival. */
export function referenceFunnel(
  arrived: readonly ReferenceEvent[],
  question: FunnelQuestion,
): FunnelAnswer {
  const { events, visitOf } = choose(arrived, question);
  const owners = new Map<unknown, AttributedEvent[]>();
  for (const event of events) {
    const owner = question.within === 'visit' ? visitOf.get(event) : (event.visitor ?? undefined);
    if (owner !== undefined) owners.set(owner, [...(owners.get(owner) ?? []), event]);
  }
  const walks = [...owners.values()].map((own) => walk(own, question.steps));
  return {
    steps: question.steps.map((_, place) => {
      const reached = walks.filter((times) => times.length > place);
      const took =
        place === 0 ? null : median(reached.map((times) => times[place]! - times[place - 1]!));
      return { entered: reached.length, medianSeconds: took === null ? null : took / 1000 };
    }),
  };
}
