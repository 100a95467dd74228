import { DateTime } from 'luxon';
import { dayMs, hourMs, minuteMs } from '../../lib/durations.ts';
import { createRandom, type Random } from './random.ts';
import { placedTags, printedCodes, type SiteId, sites } from './sites.ts';
import { isWithin, type Story, storyDays } from './story.ts';
import { type DemoEvent, makeVisit, strengthOf, type Visitor, visitorOf } from './visits.ts';

export interface TrafficOptions {
  seed: string;
  story: Story;
  /** 1: about a quarter of a million events. */
  scale: number;
  /** The service's own address, which printed codes lead to. */
  base: string;
}

const shares = {
  comesBackToday: 0.09,
  isCustomer: 0.2,
  isRegular: 0.7,
  leaves: 0.12,
  isBot: 0.03,
  givesUp: 0.93,
};
/** Customers from before the year begins. */
const olderCustomers = 130;
/** 1970 began on a Thursday. */
const firstWeekday = 3;
const siteIds = ['shop.example', 'blog.example'] as const;

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

/** Codes are scanned with phones. */
function phoneOf(random: Random): Visitor {
  const visitor = visitorOf(random, 'shop.example');
  return visitor.device === 'mobile' ? visitor : phoneOf(random);
}

/** Returns the scans of the printed codes on one day, as the service would record them. */
function scansOn(dayStart: number, random: Random, { story, base }: TrafficOptions): DemoEvent[] {
  return printedCodes.flatMap(([code, campaign, age, perDay, halfLife]) => {
    const days = (dayStart - story.until) / dayMs + age;
    const mean = days < 0 ? 0 : perDay * 2 ** (-days / halfLife);
    const length = Math.floor(mean * (0.6 + 0.8 * random.next()) + random.next() * Math.sign(mean));
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

/** Returns the taps on the NFC tags on one day, as the service would record them. */
function tapsOn(dayStart: number, random: Random, { story, base }: TrafficOptions): DemoEvent[] {
  return placedTags.flatMap(([code, age, perDay]) => {
    const isThere = dayStart >= story.until - age * dayMs;
    const length = isThere ? Math.floor(perDay * 2 * random.next() + random.next()) : 0;
    return Array.from({ length }, () => ({
      ...{ event: 'nfc_tap', url: `${base}/n/${code}`, site_id: 'shop.example', tag: code },
      timestamp: Math.round(dayStart + (8 + 11 * random.next()) * hourMs),
      props: { result: code.startsWith('cert') ? 'genuine' : 'unproven' },
      ...phoneOf(random),
    }));
  });
}

/** Makes visits. Most customers return, and recent ones most often. */
function createVisits({ story, scale }: TrafficOptions, random: Random) {
  const customers: Visitor[] = [];
  let count = 1000;
  const add = () => {
    count += 1;
    const visitor = visitorOf(random, 'shop.example', `customer-${count}`);
    if (random.chance(shares.isRegular)) customers.push(visitor);
    return visitor;
  };
  while (customers.length < olderCustomers * scale) add();

  function visit(site: SiteId, visitor: Visitor, startsAt: number): DemoEvent[] {
    const isShop = site === 'shop.example';
    // During the outage most pages do not load either.
    const isAway = isShop && isWithin(story.outage, startsAt) && random.chance(shares.givesUp);
    if (isAway || startsAt > story.until) return [];
    return makeVisit({ random, site, visitor, startsAt, story, becomeCustomer: add });
  }

  return (site: SiteId, startsAt: number): DemoEvent[] => {
    const isCustomer = site === 'shop.example' && random.chance(shares.isCustomer);
    const back = customers.length - 1 - Math.floor(random.around(60 * Math.sqrt(scale)));
    const visitor = (isCustomer ? customers[back] : undefined) ?? visitorOf(random, site);
    if (visitor.user_id !== undefined && random.chance(shares.leaves)) customers.splice(back, 1);
    if (random.chance(shares.isBot))
      return visit(site, visitorOf(random, site), startsAt)
        .slice(0, 1)
        .map((view) => ({ ...view, bot: true }));
    const events = visit(site, visitor, startsAt);
    if (!random.chance(shares.comesBackToday) || visitor.user_id !== undefined) return events;
    return [...events, ...visit(site, visitor, startsAt + hourMs * (1 + random.next() * 4))];
  };
}

/**
 * Generates a year of traffic, day by day (UTC), oldest first. Pure. No event is later than the
 * story's end.
 */
export function* trafficOf(options: TrafficOptions): Generator<DemoEvent[]> {
  const { seed, story, scale } = options;
  const random = createRandom(`${seed} traffic`);
  const visit = createVisits(options, random);
  for (let day = story.from; day < story.from + storyDays * dayMs; day += dayMs) {
    const mood = 0.88 + random.next() * 0.24;
    const events = siteIds.flatMap((site) => {
      const zone = sites[site].timezone;
      const ahead = DateTime.fromMillis(day + dayMs / 2, { zone }).offset * minuteMs;
      return Array.from({ length: 24 }, (_, hour) => day + hour * hourMs).flatMap((time) => {
        const mean = visitsIn(time, ahead, site, story) * scale * mood;
        const length = Math.floor(mean + random.next());
        return Array.from({ length }, () => visit(site, time + random.next() * hourMs)).flat();
      });
    });
    const links = [...scansOn(day, random, options), ...tapsOn(day, random, options)];
    yield [...events, ...links]
      .filter(({ timestamp }) => timestamp <= story.until)
      .sort((a, b) => a.timestamp - b.timestamp);
  }
}
