import { dayMs, hourMs, minuteMs } from '../../lib/durations.ts';
import type { SiteId } from './sites.ts';

/** Length of the demo's year in days. */
export const storyDays = 365;

/** From `from` up to `to`, Unix ms. */
export interface Interval {
  from: number;
  to: number;
}

export interface Campaign extends Interval {
  /** `utm_campaign`. */
  name: string;
  site: SiteId;
  /** `utm_source`, a slash and `utm_medium`. */
  source: string;
  /** Additional traffic at its start: 0.4 is 40 per cent. It falls to 0 at its end. */
  lift: number;
}

/** The year that traffic, incidents and people tell of. */
export interface Story {
  /** The first and the last instant, Unix ms. */
  from: number;
  until: number;
  campaigns: readonly Campaign[];
  /** When the shop could not take payments. */
  outage: Interval;
}

/** Name, site, source, lift; days from its start to the end of the year, and its length in days. */
const campaigns = [
  ['first-collection', 'shop.example', 'newsletter/email', 0.5, 318, 12],
  ['shop-launch', 'shop.example', 'producthunt/referral', 2.6, 236, 7],
  ['summer-sale', 'shop.example', 'google/cpc', 0.6, 152, 21],
  ['how-we-dye-wool', 'blog.example', 'hackernews/social', 3.1, 97, 4],
  ['back-in-stock', 'shop.example', 'newsletter/email', 0.45, 41, 14],
  ['winter-drop', 'shop.example', 'instagram/paid-social', 1.1, 3, 9],
] as const;

/** The time on the day `days` before `until`, minutes after midnight (UTC). */
export const timeOf = (until: number, days: number, minutes: number): number =>
  Math.floor(until / dayMs - days) * dayMs + minutes * minuteMs;

/** The story of the year that ends at `until` (Unix ms). Pure. */
export function storyOf(until: number): Story {
  const outage = timeOf(until, 63, 11 * 60 + 7);
  return {
    from: timeOf(until, storyDays - 1, 0),
    until,
    campaigns: campaigns.map(([name, site, source, lift, daysAgo, days]) => ({
      ...{ name, site, source, lift },
      from: timeOf(until, daysAgo, 6 * 60),
      to: timeOf(until, daysAgo, 6 * 60) + days * dayMs + 16 * hourMs,
    })),
    outage: { from: outage, to: outage + 134 * minuteMs },
  };
}

/** True from the interval's start (included) to its end (excluded). */
export const isWithin = ({ from, to }: Interval, time: number): boolean =>
  time >= from && time < to;
