import { dayMs, hourMs, minuteMs } from '../../../lib/durations.ts';

/** The demo's year: traffic, incidents and sign-ins tell the same story. */

/** Length of the story in days. */
export const storyDays = 365;

/** From `from` up to `to`, Unix ms. */
export interface Interval {
  from: number;
  to: number;
}

export interface Campaign extends Interval {
  /** `utm_campaign`. */
  name: string;
  source: string;
  medium: string;
  /** Additional traffic at its start: 0.4 is 40 per cent. It falls to 0 at its end. */
  lift: number;
  /** The site that it links to. */
  site: 'shop.example' | 'blog.example';
}

export interface Story {
  /** The first and the last instant, Unix ms. */
  from: number;
  until: number;
  campaigns: readonly Campaign[];
  /** When the shop could not take payments. */
  outage: Interval;
  /** When figures were slow. */
  slowFigures: Interval;
  /** Past and upcoming maintenance. */
  maintenance: Interval;
  nextMaintenance: Interval;
}

/** The time `days` before `until`, at this hour (UTC). */
const at = (until: number, days: number, hour: number, minute = 0): number =>
  Math.floor(until / dayMs - days) * dayMs + hour * hourMs + minute * minuteMs;

function interval(until: number, days: number, hour: number, minutes: number): Interval {
  const from = at(until, days, hour, 7);
  return { from, to: from + minutes * minuteMs };
}

const campaign = (
  until: number,
  [daysAgo, days]: readonly [number, number],
  rest: Omit<Campaign, keyof Interval>,
): Campaign => ({ ...rest, from: at(until, daysAgo, 6), to: at(until, daysAgo - days, 22) });

/** The story of the year that ends at `until` (Unix ms). Pure. */
export function storyOf(until: number): Story {
  return {
    from: at(until, storyDays - 1, 0),
    until,
    campaigns: [
      campaign(until, [318, 12], {
        name: 'first-collection',
        source: 'newsletter',
        medium: 'email',
        lift: 0.5,
        site: 'shop.example',
      }),
      campaign(until, [236, 7], {
        name: 'shop-launch',
        source: 'producthunt',
        medium: 'referral',
        lift: 2.6,
        site: 'shop.example',
      }),
      campaign(until, [152, 21], {
        name: 'summer-sale',
        source: 'google',
        medium: 'cpc',
        lift: 0.6,
        site: 'shop.example',
      }),
      campaign(until, [97, 4], {
        name: 'how-we-dye-wool',
        source: 'hackernews',
        medium: 'social',
        lift: 3.1,
        site: 'blog.example',
      }),
      campaign(until, [41, 14], {
        name: 'back-in-stock',
        source: 'newsletter',
        medium: 'email',
        lift: 0.45,
        site: 'shop.example',
      }),
      campaign(until, [3, 9], {
        name: 'winter-drop',
        source: 'instagram',
        medium: 'paid-social',
        lift: 1.1,
        site: 'shop.example',
      }),
    ],
    outage: interval(until, 63, 11, 134),
    slowFigures: interval(until, 11, 8, 52),
    maintenance: interval(until, 34, 2, 90),
    nextMaintenance: interval(until, -5, 2, 60),
  };
}

/** True from the interval's start (included) to its end (excluded). */
export const isWithin = ({ from, to }: Interval, time: number): boolean =>
  time >= from && time < to;
