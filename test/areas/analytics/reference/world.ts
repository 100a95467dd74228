import { createHash } from 'node:crypto';
import type { JournalEvent } from '../../../../src/areas/analytics/store/journal-record.ts';
import { dayMs, hourMs, minuteMs } from '../../../../src/lib/durations.ts';
import {
  agents,
  botAgent,
  type CatalogAgent,
  countries,
  eventNames,
  languages,
  origins,
  pages,
  userIds,
  props,
  tags,
  titles,
} from './catalog.ts';
import type { ReferenceDrop } from './dashboard.ts';
import type { Random } from './random.ts';
import type { ReferenceEvent } from './visits.ts';

export type Change = readonly [zone: string, instant: string];

/** Zones, each with an instant near which its clocks change (or do not, for comparison). */
export const changes: readonly Change[] = [
  ['Europe/Berlin', '2025-10-26T01:00Z'],
  ['Europe/Berlin', '2026-03-29T01:00Z'],
  ['America/New_York', '2025-11-02T06:00Z'],
  ['Asia/Kolkata', '2026-01-01T00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00Z'],
  ['Australia/Lord_Howe', '2025-10-04T15:30Z'],
  ['UTC', '2024-02-29T00:00Z'],
  ['Africa/Cairo', '2026-04-23T22:00Z'],
  ['Atlantic/Azores', '2025-10-26T01:00Z'],
];

/** One request: the events of one record of the journal. */
export interface Arrival {
  received: number;
  agent: CatalogAgent;
  events: ReferenceEvent[];
  drops: ReferenceDrop[];
}

export interface World {
  zone: string;
  sites: number[];
  arrivals: Arrival[];
  from: number;
  end: number;
}

interface Person {
  site: number;
  kind: 'anonymous' | 'identified' | 'opted out';
  name: string;
  agent: CatalogAgent;
}

const revenues = [
  ['12.34', 'EUR'],
  ['-0.0001', 'USD'],
  ['99999999999999.9999', 'JPY'],
  ['0', 'EUR'],
] as const;

interface Draft {
  event: ReferenceEvent;
  received: number;
  agent: CatalogAgent;
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
const dailyHash = ({ name, site }: Person, day: number) => hash(`${name} ${site} ${day}`);

/**
 * Returns the visitor hashes of an event; one that arrives late has the hash of its own day and
 * none of the day before.
 */
function identity(
  person: Person,
  time: number,
  received: number,
): Pick<ReferenceEvent, 'hash' | 'yesterday'> {
  if (person.kind === 'opted out') return { hash: undefined, yesterday: undefined };
  if (person.kind === 'identified') return { hash: hash(person.name), yesterday: undefined };
  const isPrompt = received - time <= 20 * minuteMs;
  const day = Math.floor((isPrompt ? received : time) / dayMs);
  return {
    hash: dailyHash(person, day),
    yesterday: isPrompt ? dailyHash(person, day - 1) : undefined,
  };
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Leaves out the members that are undefined. */
const defined = <T extends object>(members: T) =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Defined<T>;

export interface WorldOptions {
  /** Visits may continue past midnight under yesterday's hash. */
  overMidnight: boolean;
  /**
   * Events arrive without delay, from visitors who return often and engage with pages, so that
   * nearly every day keeps its summary.
   */
  steady?: boolean;
}

/** Creates a world around a change of the clock. */
export function createWorld(
  random: Random,
  [zone, instant]: Change,
  { overMidnight, steady = false }: WorldOptions,
): World {
  let counter = 0;

  function eventId(): string {
    counter += 1;
    // The prefix orders events of the same instant; its highest bit may or may not be set.
    const text =
      hash(`id ${counter} ${random.integer(0, 1e9)}`) + counter.toString(16).padStart(16, '0');
    return text.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-7$3-8$4-$5');
  }

  function delay(): number {
    if (random.chance(steady ? 0.99 : 0.72)) return random.integer(0, 2000);
    if (random.chance(0.5)) return random.integer(0, 20 * minuteMs);
    return random.chance(0.6)
      ? random.integer(20 * minuteMs, 5 * hourMs)
      : random.integer(0, 6 * dayMs);
  }

  const gap = () =>
    random.pick([
      () => 0,
      () => random.integer(1, 5000),
      () => random.integer(5000, 10 * minuteMs),
      () => random.integer(10 * minuteMs, 30 * minuteMs),
      () => 30 * minuteMs,
      () => 30 * minuteMs + 1,
      () => random.integer(30 * minuteMs, 59 * minuteMs),
    ])();

  const someProps = (): Record<string, string> =>
    Object.fromEntries(
      Object.entries(props)
        .filter(() => random.chance(0.5))
        .map(([key, values]) => [key, random.pick(values)]),
    );

  function draft(person: Person, time: number, visit: string | undefined): Draft {
    const received = time + delay();
    const agent = random.chance(0.03) ? botAgent : person.agent;
    const origin = random.pick(origins);
    const name =
      steady && random.chance(0.4)
        ? 'engagement'
        : random.chance(0.58)
          ? 'pageview'
          : random.pick(eventNames);
    const isEngagement = name === 'engagement';
    const own = random.chance(0.4) ? someProps() : undefined;
    const id = eventId();
    const page = random.pick(pages);
    const optional = {
      title: random.chance(0.5) ? random.pick(titles) : undefined,
      tag: random.chance(0.3) ? random.pick(tags) : undefined,
      user_id: random.chance(0.2) ? random.pick(userIds) : undefined,
      country: random.chance(0.8) ? random.pick(countries) : undefined,
      language: random.chance(0.8) ? random.pick(languages) : undefined,
    };
    const interactive = name === 'pageview' || !random.chance(0.4);
    const { hash: v, yesterday: known } = identity(person, time, received);
    const yesterday = overMidnight ? known : undefined;
    const details = {
      q: random.chance(0.2) ? random.pick(['a=1&b=%22', 'q=🎉,";']) : undefined,
      sc: random.chance(0.2) ? '1920x1080' : undefined,
      sd: random.chance(isEngagement ? 0.8 : 0.1) ? random.integer(0, 100) : undefined,
      en: random.chance(isEngagement ? 0.8 : 0.1) ? random.integer(0, dayMs) : undefined,
      re: random.chance(0.2) ? random.pick(revenues) : undefined,
      wv: random.chance(0.1) ? [random.integer(0, 60_000), null, 0.5, 1.25, 0.1] : undefined,
    };
    const isNamedByHash = person.kind === 'identified' && optional.user_id === undefined;
    const journal: JournalEvent = {
      ...defined({
        ...details,
        n: name === 'pageview' ? undefined : name,
        h: origin.hostname,
        r: origin.referrer,
        m: origin.campaign,
        v,
        w: yesterday,
        z: visit,
        pr: own,
        x: interactive ? undefined : (0 as const),
        ti: optional.title,
        tg: optional.tag,
        u: optional.user_id,
        o: isNamedByHash ? (1 as const) : undefined,
        c: optional.country,
        l: optional.language,
      }),
      s: person.site,
      t: time,
      i: id,
      p: page,
    };
    return {
      received,
      agent,
      event: {
        site: person.site,
        time,
        received,
        id,
        hash: v,
        yesterday,
        visit,
        interactive,
        bot: agent.bot,
        dimensions: {
          event: name,
          page,
          ...origin.dimensions,
          ...agent.dimensions,
          ...defined(optional),
        },
        props: own ?? {},
        journal,
      },
    };
  }

  function visits(person: Person, from: number, to: number, change: number): Draft[] {
    const drafts: Draft[] = [];
    for (let left = steady ? random.integer(2, 7) : random.integer(1, 3); left > 0; left--) {
      const midnight = Math.floor(random.integer(from, to) / dayMs) * dayMs;
      let time = random.pick([
        random.integer(from, to),
        midnight - random.integer(0, 25 * minuteMs),
        change + random.integer(-hourMs, hourMs),
        to - random.integer(0, hourMs),
      ]);
      const visit = random.chance(0.15)
        ? random.pick(['visit-1', '🎉 "b"', `c-${person.name}`])
        : undefined;
      for (let events = random.integer(1, 7); events > 0; events--) {
        drafts.push(draft(person, time, visit));
        time += visit !== undefined && random.chance(0.3) ? random.integer(0, 2 * dayMs) : gap();
      }
    }
    return drafts;
  }

  function person(site: number, index: number): Person {
    return {
      site,
      kind: random.pick([
        'anonymous',
        steady ? 'identified' : 'anonymous',
        'identified',
        'opted out',
      ]),
      // An identified person has the same hash on all sites, as imported visitors have.
      name: `person ${index}`,
      agent: random.chance(0.1) ? botAgent : random.pick(agents),
    };
  }

  /** Groups events that arrive at nearly the same time into one record. */
  function arrivalsOf(drafts: readonly Draft[]): Arrival[] {
    const arrivals: Arrival[] = [];
    for (const { event, received, agent } of [...drafts].sort((a, b) => a.received - b.received)) {
      const last = arrivals.at(-1);
      if (last?.agent === agent && received - last.received < 3000 && last.events.length < 5) {
        last.events.push(event);
        last.received = received;
      } else {
        arrivals.push({ received, agent, events: [event], drops: [] });
      }
    }
    return arrivals;
  }

  function addDrops(arrivals: Arrival[], sites: readonly number[]): void {
    for (const arrival of arrivals) {
      if (!random.chance(0.03)) continue;
      const hour = Math.floor(arrival.received / hourMs) * hourMs;
      arrival.drops.push({
        site: random.pick([0, ...sites]),
        hour,
        reason: random.pick(['duplicate', 'invalid']),
        count: random.integer(1, 9),
      });
    }
  }

  const change = Date.parse(instant);
  const [from, to] = [change - 9 * dayMs, change + 10 * dayMs];
  const sites = random.chance(0.5) ? [1, 2] : [1, 2, 7];
  const persons = sites.flatMap((site) =>
    Array.from({ length: random.integer(4, 7) }, (_, index) => person(site, index)),
  );
  const drafts = persons.flatMap((one) => visits(one, from, to, change));
  const year = 365 * dayMs;
  const backdated = persons
    .filter(() => random.chance(steady ? 0.02 : 0.3))
    .flatMap((one) =>
      visits(one, from - year, to - year, change - year).map(({ event, agent }) => {
        const { w: _yesterday, ...journal } = event.journal;
        const received = random.integer(from, to);
        return { agent, received, event: { ...event, yesterday: undefined, journal } };
      }),
    );
  const arrivals = arrivalsOf([...drafts, ...backdated]);
  for (const arrival of arrivals)
    for (const event of arrival.events) event.received = arrival.received;
  addDrops(arrivals, sites);
  const last = arrivals.at(-1)?.received ?? to;
  return { zone, sites, arrivals, from, end: last + random.integer(0, 8 * minuteMs) };
}

/** The events of requests, in order of arrival. */
export const eventsOf = (arrivals: readonly Arrival[]): ReferenceEvent[] =>
  arrivals.flatMap(({ events }) => events);
