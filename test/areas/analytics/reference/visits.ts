import type {
  EventDimension,
  VisitDimension,
} from '../../../../src/areas/analytics/store/queries.ts';
import type { JournalEvent } from '../../../../src/areas/analytics/store/journal-record.ts';

type PlainDimension = Exclude<EventDimension | VisitDimension, 'entry_page' | 'exit_page'>;

/** An event of the reference: its journal entry and the dimensions expected of it. */
export interface ReferenceEvent {
  site: number;
  time: number;
  received: number;
  id: string;
  /** Visitor hash; undefined when the visitor opted out. */
  hash: string | undefined;
  yesterday: string | undefined;
  /** The session id that the client sent, if any. */
  visit: string | undefined;
  interactive: boolean;
  bot: boolean;
  dimensions: Partial<Record<PlainDimension, string>>;
  props: Readonly<Record<string, string>>;
  journal: JournalEvent;
}

/** An event with the visitor it was attributed to; null when the visitor opted out. */
export interface AttributedEvent extends ReferenceEvent {
  visitor: string | null;
}

export interface ReferenceVisit {
  site: number;
  visitor: string;
  /** By time, then id. */
  events: AttributedEvent[];
  started: number;
  ended: number;
  bot: boolean;
  bounce: boolean;
  dimensions: Partial<Record<VisitDimension, string>>;
}

const gapMs = 30 * 60_000;
const byTime = (a: ReferenceEvent, b: ReferenceEvent) => a.time - b.time || (a.id < b.id ? -1 : 1);

/**
 * Attributes each event to a visitor, in order of arrival. A named visit belongs to its first
 * sender; yesterday's hash applies while a visit under it is in progress and none under today's
 * hash is near.
 */
export function attribute(arrived: readonly ReferenceEvent[]): AttributedEvent[] {
  const named = new Map<string, string>();
  const times = new Map<string, number[]>();
  const near = (visitor: string, time: number) =>
    (times.get(visitor) ?? []).some((other) => Math.abs(other - time) <= gapMs);
  return arrived.map((event) => {
    const { site, hash, yesterday, visit, time } = event;
    if (hash === undefined) return { ...event, visitor: null };
    if (visit !== undefined) {
      const name = `${site} ${visit}`;
      if (!named.has(name)) named.set(name, hash);
      return { ...event, visitor: named.get(name)! };
    }
    const before =
      yesterday !== undefined &&
      !near(`${site} ${hash}`, time) &&
      near(`${site} ${yesterday}`, time);
    const visitor = before ? yesterday : hash;
    const key = `${site} ${visitor}`;
    times.set(key, [...(times.get(key) ?? []), time]);
    return { ...event, visitor };
  });
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

function splitByGap(events: readonly AttributedEvent[]): AttributedEvent[][] {
  const visits: AttributedEvent[][] = [];
  for (const event of events) {
    const current = visits.at(-1);
    if (current !== undefined && event.time - current.at(-1)!.time <= gapMs) current.push(event);
    else visits.push([event]);
  }
  return visits;
}

const isPageview = (event: ReferenceEvent) => event.dimensions.event === 'pageview';

function toVisit(unsorted: readonly AttributedEvent[]): ReferenceVisit {
  const events = [...unsorted].sort(byTime);
  const first = events[0]!;
  const views = events.filter(isPageview);
  const [entry, exit] = [views[0]?.dimensions.page, views.at(-1)?.dimensions.page];
  return {
    site: first.site,
    visitor: first.visitor!,
    events,
    started: first.time,
    ended: events.at(-1)!.time,
    bot: events.some((event) => event.bot),
    bounce: views.length <= 1 && !events.some((event) => !isPageview(event) && event.interactive),
    dimensions: {
      ...first.dimensions,
      ...(entry === undefined ? {} : { entry_page: entry }),
      ...(exit === undefined ? {} : { exit_page: exit }),
    },
  };
}

/** Returns all visits in the events, closed or open. */
export function visitsOf(events: readonly AttributedEvent[]): ReferenceVisit[] {
  const recognised = events.filter((event) => event.visitor !== null);
  const named = grouped(
    recognised.filter((event) => event.visit !== undefined),
    (event) => `${event.site} ${event.visit!}`,
  );
  const derived = grouped(
    recognised.filter((event) => event.visit === undefined),
    (event) => `${event.site} ${event.visitor!}`,
  ).flatMap((own) => splitByGap([...own].sort(byTime)));
  return [...named, ...derived].map(toVisit);
}
