import { randomTraits } from './audience.ts';
import type { DemoEvent, Visitor } from './page-writer.ts';
import { originOf } from './places.ts';
import { createRandom, type Random } from './random.ts';
import { utcOffsetMs, type Rhythm, rhythms, visitsIn } from './rhythm.ts';
import { isWithin, type Story, storyDays } from './stories/story.ts';
import { type VisitPlan, makeBotVisit, makeVisit } from './visits.ts';
import { dayMs, hourMs } from '../../lib/durations.ts';

export interface TrafficOptions {
  seed: string;
  story: Story;
  /** 1: about half a million events. */
  scale: number;
}

/** One day (UTC) of all sites. */
export interface TrafficDay {
  /** Number of the day, from 0. */
  index: number;
  /** Oldest first; none after the story's end. */
  events: DemoEvent[];
}

const shares = { signsUp: 0.022, comesBackToday: 0.09, isBot: 0.03, givesUp: 0.8 };
/** Customers from before the story begins. */
const olderCustomers = 260;

/** A customer with a planned return. */
interface Customer {
  visitor: Visitor;
  /** Days until the next visit, on average. */
  gap: number;
}

/** Plans the returns of customers, some soon and some never, so that retention varies. */
function createCustomers(seed: string, days: number) {
  const random = createRandom(`${seed} customers`);
  const returns = new Map<number, Customer[]>();
  let count = 0;

  function scheduleReturn({ visitor, gap }: Customer, day: number, share: number): void {
    const next = day + 1 + Math.floor(random.around(gap));
    if (next >= days || !random.chance(share)) return;
    const list = returns.get(next) ?? [];
    returns.set(next, list);
    list.push({ visitor, gap: Math.min(45, gap * 1.18) });
  }

  return {
    add(day: number): Visitor {
      count += 1;
      const visitor: Visitor = {
        traits: randomTraits(random, 'shop.example'),
        name: { user_id: `customer-${1000 + count}` },
      };
      scheduleReturn({ visitor, gap: 5 }, day, 0.62);
      return visitor;
    },
    on(day: number): readonly Visitor[] {
      const list = returns.get(day) ?? [];
      for (const customer of list) scheduleReturn(customer, day, 0.88);
      returns.delete(day);
      return list.map(({ visitor }) => visitor);
    },
  };
}

type Customers = ReturnType<typeof createCustomers>;

function anonymous(random: Random, site: VisitPlan['site']): Visitor {
  // The last digit avoids sixteen zeros, which mean an unknown visitor.
  return { traits: randomTraits(random, site), name: { visitor_id: `${random.hex(15)}1` } };
}

/** Generates a site's visits on one day. */
function createSiteDay({
  random,
  rhythm,
  story,
  customers,
  index,
}: {
  random: Random;
  rhythm: Rhythm;
  story: Story;
  customers: Customers;
  index: number;
}) {
  const { site } = rhythm;
  const ahead = utcOffsetMs(story.from + (index + 0.5) * dayMs, rhythm);
  const isShop = site === 'shop.example';
  const running = story.campaigns.filter((campaign) => campaign.site === site);
  const events: DemoEvent[] = [];
  // Purchases are recorded only after the thank-you page, so the last ones begin before the outage.
  const canBuy = (time: number): boolean =>
    !isWithin({ ...story.outage, from: story.outage.from - 15 * 60_000 }, time);

  function visit(visitor: Visitor, startsAt: number, isSigningUp = false): void {
    // During the outage most pages do not load either.
    if (
      startsAt > story.until ||
      (isShop && isWithin(story.outage, startsAt) && random.chance(shares.givesUp))
    )
      return;
    const origin = originOf(random, site, running, startsAt);
    const plan = { random, site, visitor, origin, startsAt, until: story.until, canBuy };
    events.push(
      ...(random.chance(shares.isBot) && 'visitor_id' in visitor.name
        ? makeBotVisit(plan)
        : makeVisit(plan, isSigningUp)),
    );
  }

  function addNewVisitor(time: number): void {
    const isSigningUp = isShop && random.chance(shares.signsUp);
    const visitor = isSigningUp ? customers.add(index) : anonymous(random, site);
    visit(visitor, time, isSigningUp);
    if (random.chance(shares.comesBackToday))
      visit(visitor, time + hourMs * (1 + random.next() * 4));
  }

  return {
    events,
    hour(time: number, scale: number, mood: number): void {
      const count = Math.floor(visitsIn(time, ahead, rhythm, story) * scale * mood + random.next());
      for (let each = 0; each < count; each += 1) addNewVisitor(time + random.next() * hourMs);
    },
    /** Adds a customer's visit at one of the site's usual hours. */
    return(visitor: Visitor, dayStart: number): void {
      const hour = random.weighted(rhythm.hours.map((weight, local) => [local, weight] as const));
      const time = dayStart + hour * hourMs + random.next() * hourMs - ahead;
      visit(visitor, time < dayStart ? time + dayMs : time);
    },
  };
}

/** Generates a year of traffic, day by day. Pure. No event is later than the story's end. */
export function* trafficOf({ seed, story, scale }: TrafficOptions): Generator<TrafficDay> {
  const customers = createCustomers(seed, storyDays);
  for (let older = 0; older < olderCustomers * scale; older += 1) customers.add(-1);
  for (let index = 0; index < storyDays; index += 1) {
    const dayStart = story.from + index * dayMs;
    const returning = customers.on(index);
    const events = rhythms.flatMap((rhythm) => {
      const random = createRandom(`${seed} ${rhythm.site} ${index}`);
      const mood = 0.88 + random.next() * 0.24;
      const day = createSiteDay({ random, rhythm, story, customers, index });
      for (let time = dayStart; time < dayStart + dayMs && time < story.until; time += hourMs)
        day.hour(time, scale, mood);
      if (rhythm.site === 'shop.example')
        for (const visitor of returning) day.return(visitor, dayStart);
      return day.events;
    });
    yield {
      index,
      events: events
        .filter(({ timestamp }) => timestamp <= story.until)
        .sort((a, b) => a.timestamp - b.timestamp),
    };
  }
}
