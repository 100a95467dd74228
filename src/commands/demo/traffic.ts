import { DateTime } from 'luxon';
import { dayMs, hourMs } from '../../lib/durations.ts';
import { createRandom, type Random } from './random.ts';
import { printedCodes, type Site, type SiteId, sites } from './sites.ts';
import { isWithin, type Story, storyDays } from './story.ts';
import {
  type DemoEvent,
  makeBotVisit,
  makeVisit,
  strengthOf,
  type Visitor,
  visitorOf,
} from './visits.ts';

export interface TrafficOptions {
  seed: string;
  story: Story;
  /** 1: about half a million events. */
  scale: number;
  /** The service's own address, which printed codes lead to. */
  base: string;
}

const shares = { signsUp: 0.022, comesBackToday: 0.09, isBot: 0.03, givesUp: 0.93 };
/** Customers from before the year begins. */
const olderCustomers = 260;
/** 1970 began on a Thursday. */
const firstWeekday = 3;

/** Mean number of visits in the hour that begins at `time`; `ahead` is the UTC offset in ms. */
function visitsIn(time: number, ahead: number, site: SiteId, { from, until, campaigns }: Story) {
  const { visits, growthFrom, weekdays, hours } = sites[site];
  const local = time + ahead;
  const weekday = weekdays[(Math.floor(local / dayMs) + firstWeekday) % 7] ?? 1;
  const hour = hours[Math.floor(local / hourMs) % 24] ?? 1;
  const growth = growthFrom * (1 / growthFrom) ** ((time - from) / (until - from));
  const lift = campaigns
    .filter((campaign) => campaign.site === site)
    .reduce((sum, campaign) => sum + strengthOf(campaign, time), 1);
  return (visits / 24) * growth * weekday * hour * lift;
}

/** Plans the returns of customers, some soon and some never, so that retention varies. */
function createCustomers(seed: string) {
  const random = createRandom(`${seed} customers`);
  const returns = new Map<number, { visitor: Visitor; gap: number }[]>();
  let count = 0;

  function scheduleReturn(visitor: Visitor, gap: number, day: number, share: number): void {
    const next = day + 1 + Math.floor(random.around(gap));
    if (next >= storyDays || !random.chance(share)) return;
    const list = returns.get(next) ?? [];
    returns.set(next, list);
    list.push({ visitor, gap: Math.min(45, gap * 1.18) });
  }

  return {
    add(day: number): Visitor {
      count += 1;
      const visitor = visitorOf(random, 'shop.example', `customer-${1000 + count}`);
      scheduleReturn(visitor, 5, day, 0.62);
      return visitor;
    },
    on(day: number): readonly Visitor[] {
      const list = returns.get(day) ?? [];
      for (const { visitor, gap } of list) scheduleReturn(visitor, gap, day, 0.88);
      return list.map(({ visitor }) => visitor);
    },
  };
}

type Customers = ReturnType<typeof createCustomers>;

/** Customers who return come at one of the site's usual hours. */
function hourOf(random: Random, { hours }: Site, dayStart: number, ahead: number): number {
  const hour = random.weighted(hours.map((weight, local) => [local, weight] as const));
  const time = dayStart + hour * hourMs + random.next() * hourMs - ahead;
  return time < dayStart ? time + dayMs : time;
}

/** Returns a site's visits on one day (UTC). */
function visitsOn(
  index: number,
  site: SiteId,
  { seed, story, scale }: TrafficOptions,
  customers: Customers,
): DemoEvent[] {
  const random = createRandom(`${seed} ${site} ${index}`);
  const isShop = site === 'shop.example';
  const dayStart = story.from + index * dayMs;
  const mood = 0.88 + random.next() * 0.24;
  const zone = sites[site].timezone;
  const ahead = DateTime.fromMillis(dayStart + dayMs / 2, { zone }).offset * 60_000;

  function visit(visitor: Visitor, startsAt: number, isSigningUp = false): DemoEvent[] {
    // During the outage most pages do not load either.
    const isAway = isShop && isWithin(story.outage, startsAt) && random.chance(shares.givesUp);
    if (startsAt > story.until || isAway) return [];
    const plan = { random, site, visitor, startsAt, story, isSigningUp };
    return random.chance(shares.isBot) && visitor.user_id === undefined
      ? makeBotVisit(plan)
      : makeVisit(plan);
  }

  function newVisitor(time: number): DemoEvent[] {
    const isSigningUp = isShop && random.chance(shares.signsUp);
    const visitor = isSigningUp ? customers.add(index) : visitorOf(random, site);
    const events = visit(visitor, time, isSigningUp);
    if (!random.chance(shares.comesBackToday)) return events;
    return [...events, ...visit(visitor, time + hourMs * (1 + random.next() * 4))];
  }

  const hours = Array.from({ length: 24 }, (_, hour) => dayStart + hour * hourMs);
  return [
    ...hours.flatMap((time) => {
      const mean = visitsIn(time, ahead, site, story) * scale * mood;
      const length = Math.floor(mean + random.next());
      return Array.from({ length }, () => newVisitor(time + random.next() * hourMs)).flat();
    }),
    ...(isShop ? customers.on(index) : []).flatMap((visitor) =>
      visit(visitor, hourOf(random, sites[site], dayStart, ahead)),
    ),
  ];
}

/** Codes are scanned with phones. */
function phoneOf(random: Random): Visitor {
  const visitor = visitorOf(random, 'shop.example');
  return visitor.device === 'mobile' ? visitor : phoneOf(random);
}

/** Returns the scans of the printed codes on one day, as the service would record them. */
function scansOn(index: number, { seed, story, base }: TrafficOptions): DemoEvent[] {
  const random = createRandom(`${seed} scans ${index}`);
  const dayStart = story.from + index * dayMs;
  return printedCodes.flatMap(({ code, campaign, age, perDay, halfLife }) => {
    const days = (dayStart - story.until) / dayMs + age;
    if (days < 0) return [];
    const mean = perDay * 2 ** (-days / halfLife);
    const length = Math.floor(mean * (0.6 + 0.8 * random.next()) + random.next());
    return Array.from({ length }, () => ({
      event: random.chance(0.96) ? 'qr_scan' : 'qr_link',
      ...{ url: `${base}/q/${code}?utm_campaign=${campaign}`, site_id: 'shop.example', tag: code },
      timestamp: Math.round(dayStart + (7 + 15 * random.next()) * hourMs),
      props: { result: 'target' },
      ...phoneOf(random),
      ...(random.chance(0.03) ? { bot: true } : {}),
    }));
  });
}

/**
 * Generates a year of traffic, day by day (UTC), oldest first. Pure. No event is later than the
 * story's end.
 */
export function* trafficOf(options: TrafficOptions): Generator<DemoEvent[]> {
  const { seed, story, scale } = options;
  const customers = createCustomers(seed);
  for (let older = 0; older < olderCustomers * scale; older += 1) customers.add(-1);
  for (let index = 0; index < storyDays; index += 1) {
    const shop = visitsOn(index, 'shop.example', options, customers);
    const blog = visitsOn(index, 'blog.example', options, customers);
    yield [...shop, ...blog, ...scansOn(index, options)]
      .filter(({ timestamp }) => timestamp <= story.until)
      .sort((a, b) => a.timestamp - b.timestamp);
  }
}
