import { dayMs, hourMs } from '../../lib/durations.ts';
import { randomTraits, type Traits } from './audience.ts';
import type { DemoEvent } from './page-writer.ts';
import { createRandom, type Random } from './random.ts';
import type { Story } from './stories/story.ts';

/** A printed code of the shop, and how often people scan it. */
export interface PrintedCode {
  code: string;
  name: string;
  url: string;
  campaign: string;
  /** Days before the end of the story. */
  printedDaysAgo: number;
  /** Scans a day, at first. */
  scansPerDay: number;
  /** Days until half as many people scan it. Posters are forgotten, packages are not. */
  halfLife: number;
  style?: object;
}

/** The codes of the shop: a campaign of posters, and those that stay. */
export const printedCodes: readonly PrintedCode[] = [
  {
    code: 'parcel',
    name: 'Card in every parcel',
    url: 'https://shop.example/kits/first-socks',
    campaign: 'parcels',
    printedDaysAgo: 360,
    scansPerDay: 9,
    halfLife: 2000,
  },
  {
    code: 'window',
    name: 'Shop window',
    url: 'https://shop.example/yarn',
    campaign: 'shop',
    printedDaysAgo: 320,
    scansPerDay: 4,
    halfLife: 900,
    style: { foreground: '#1a2b6b', shape: 'rounded', eye_frame: 'rounded' },
  },
  ...['Main station', 'Town hall', 'University', 'Market square', 'Library'].map((place, at) => ({
    code: `poster-${at + 1}`,
    name: `Winter poster, ${place}`,
    url: 'https://shop.example/landing/winter',
    campaign: 'winter-posters',
    printedDaysAgo: 75 - at,
    scansPerDay: 12 - 2 * at,
    halfLife: 18,
    style: { foreground: '#7a1f3d', shape: 'dots', eye_frame: 'circle', level: 'Q' },
  })),
];

/** Codes are scanned with phones. */
function phoneOf(random: Random): Traits {
  for (;;) {
    const traits = randomTraits(random, 'shop.example');
    if (traits.device === 'mobile') return traits;
  }
}

/** The short code that the events of a scan have as their tag. */
const eventOf = (
  random: Random,
  { code, campaign }: PrintedCode,
  { timestamp, base }: { timestamp: number; base: string },
): DemoEvent => ({
  event: random.chance(0.96) ? 'qr_scan' : 'qr_link',
  url: `${base}/q/${code}?utm_campaign=${campaign}`,
  site_id: 'shop.example',
  tag: code,
  timestamp,
  visitor_id: `${random.hex(15)}1`,
  props: { result: 'target' },
  ...phoneOf(random),
  ...(random.chance(0.03) ? { bot: true } : {}),
});

export interface ScansOptions {
  seed: string;
  story: Story;
  base: string;
  /** The number of the day, from 0. */
  index: number;
}

/** The scans of all codes on one day (UTC). */
export function scansOf({ seed, story, base, index }: ScansOptions): DemoEvent[] {
  const random = createRandom(`${seed} scans ${index}`);
  const dayStart = story.from + index * dayMs;
  return printedCodes.flatMap((printed) => {
    const age = (dayStart - story.until) / dayMs + printed.printedDaysAgo;
    if (age < 0) return [];
    const mean = printed.scansPerDay * 2 ** (-age / printed.halfLife);
    const count = Math.floor(mean * (0.6 + 0.8 * random.next()) + random.next());
    return Array.from({ length: count }, () => {
      const timestamp = Math.round(dayStart + (7 + 15 * random.next()) * hourMs);
      return eventOf(random, printed, { timestamp, base });
    }).filter(({ timestamp }) => timestamp < story.until);
  });
}
