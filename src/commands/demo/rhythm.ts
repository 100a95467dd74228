import { DateTime } from 'luxon';
import { strengthOf } from './places.ts';
import type { Campaign, Story } from './stories/story.ts';
import { dayMs, hourMs } from '../../lib/durations.ts';

/** How a site's traffic varies. */
export interface Rhythm {
  site: Campaign['site'];
  /** IANA time zone of most of its visitors. */
  timezone: string;
  /** Visits on an ordinary day at the end of the story. */
  visits: number;
  /** The share of `visits` on the first day. */
  growthFrom: number;
  /** A factor for each weekday, from Monday. */
  weekdays: readonly number[];
  /** A factor for each hour, from midnight; the mean is about 1. */
  hours: readonly number[];
}

export const rhythms: readonly Rhythm[] = [
  {
    site: 'shop.example',
    timezone: 'Europe/Berlin',
    visits: 330,
    growthFrom: 0.3,
    weekdays: [1, 0.96, 0.97, 1, 0.94, 0.98, 1.15],
    hours: [
      0.25, 0.14, 0.09, 0.07, 0.08, 0.2, 0.5, 0.85, 1, 1.15, 1.25, 1.3, 1.35, 1.3, 1.2, 1.2, 1.25,
      1.4, 1.6, 1.95, 2.2, 2, 1.3, 0.6,
    ],
  },
  {
    site: 'blog.example',
    timezone: 'America/New_York',
    visits: 235,
    growthFrom: 0.45,
    weekdays: [1.12, 1.15, 1.12, 1.1, 0.98, 0.7, 0.78],
    hours: [
      0.4, 0.28, 0.22, 0.2, 0.25, 0.4, 0.7, 1, 1.3, 1.5, 1.5, 1.45, 1.5, 1.45, 1.4, 1.35, 1.3, 1.2,
      1.2, 1.25, 1.3, 1.2, 0.9, 0.6,
    ],
  },
];

/** 1970 began on a Thursday. */
const firstWeekday = 3;

/** The UTC offset of the site's time zone in ms. It is looked up once a day. */
export const utcOffsetMs = (time: number, { timezone }: Rhythm): number =>
  DateTime.fromMillis(time, { zone: timezone }).offset * 60_000;

/** Mean number of visits in the hour that begins at `time` (Unix ms). */
export function visitsIn(
  time: number,
  offsetMs: number,
  { site, visits, growthFrom, weekdays, hours }: Rhythm,
  { from, until, campaigns }: Story,
): number {
  const local = time + offsetMs;
  const weekday = (Math.floor(local / dayMs) + firstWeekday) % 7;
  const hour = Math.floor(local / hourMs) % 24;
  const growth = growthFrom * (1 / growthFrom) ** ((time - from) / (until - from));
  const lift = campaigns.reduce(
    (sum, campaign) => sum + (campaign.site === site ? strengthOf(campaign, time) : 0),
    1,
  );
  return (visits / 24) * growth * (weekdays[weekday] ?? 1) * (hours[hour] ?? 1) * lift;
}
