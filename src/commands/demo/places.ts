import type { Random } from './random.ts';
import { type Campaign, isWithin } from './stories/story.ts';

type Weighted<T> = readonly (readonly [T, number])[];

export interface Product {
  slug: string;
  title: string;
  category: string;
  /** EUR. */
  price: number;
  /** How well it sells. */
  weight: number;
}

const product = (
  category: string,
  slug: string,
  title: string,
  price: number,
  weight: number,
): Product => ({ category, slug, title, price, weight });

/** What the shop sells. */
export const products: readonly Product[] = [
  product('yarn', 'merino-fingering', 'Merino Fingering', 16.9, 10),
  product('yarn', 'highland-dk', 'Highland DK', 13.5, 9),
  product('yarn', 'silk-mohair', 'Silk Mohair', 21, 7),
  product('yarn', 'organic-cotton', 'Organic Cotton', 8.9, 6),
  product('yarn', 'alpaca-bulky', 'Alpaca Bulky', 18.5, 4),
  product('needles', 'bamboo-circulars', 'Bamboo Circulars', 14.9, 6),
  product('needles', 'steel-set', 'Steel Interchangeable Set', 89, 3),
  product('needles', 'cable-needle', 'Cable Needle', 4.5, 2),
  product('kits', 'first-scarf', 'My First Scarf', 39, 8),
  product('kits', 'fair-isle-hat', 'Fair Isle Hat Kit', 49, 6),
  product('kits', 'winter-socks', 'Winter Socks Kit', 34, 7),
  product('books', 'knitting-from-the-top', 'Knitting from the Top', 27, 3),
  product('books', 'colour-and-wool', 'Colour and Wool', 32, 2),
  product('gifts', 'voucher', 'Voucher', 50, 2),
];

export interface Article {
  slug: string;
  title: string;
  /** Days from its publication to the end of the story. */
  daysAgo: number;
  weight: number;
}

const article = (daysAgo: number, slug: string, title: string, weight: number): Article => ({
  daysAgo,
  slug,
  title,
  weight,
});

/** The articles of the blog. */
export const articles: readonly Article[] = [
  article(640, 'reading-a-chart', 'How to read a knitting chart', 9),
  article(590, 'gauge-matters', 'Why gauge matters', 8),
  article(520, 'washing-wool', 'Washing wool without fear', 10),
  article(430, 'short-rows', 'Short rows, explained', 7),
  article(366, 'a-year-of-sheep', 'A year with a flock of sheep', 3),
  article(331, 'steeking', 'Cutting your knitting: steeks', 5),
  article(298, 'left-handed', 'Knitting left-handed', 6),
  article(262, 'colour-theory', 'Colour theory for yokes', 5),
  article(231, 'opening-a-shop', 'We have opened a shop', 6),
  article(204, 'yarn-weights', 'Yarn weights of the world', 8),
  article(171, 'mending', 'Mending that shows', 4),
  article(138, 'summer-yarns', 'Yarns for the summer', 4),
  article(97, 'how-we-dye-wool', 'How we dye wool with an old coffee machine', 11),
  article(62, 'checkout-was-away', 'Why our checkout was away', 2),
  article(44, 'sock-heels', 'Five heels for socks', 6),
  article(23, 'buttonholes', 'Buttonholes that hold', 4),
  article(9, 'advent-calendar', 'An advent calendar of yarn', 5),
  article(2, 'winter-drop', 'What comes this winter', 6),
];

/** Where a visit comes from: a referrer, or the campaign tags of its link. */
export interface Origin {
  referrer: string;
  query: string;
  campaign: string | undefined;
}

const from = (referrer: string, query = ''): Origin => ({ referrer, query, campaign: undefined });
const tagged = (source: string, medium: string, campaign: string): Origin => ({
  referrer: '',
  query: `?utm_source=${source}&utm_medium=${medium}&utm_campaign=${campaign}`,
  campaign,
});

const direct = from('');
const google = from('https://www.google.com/');
const search: Weighted<Origin> = [
  [from('https://www.bing.com/'), 4],
  [from('https://duckduckgo.com/'), 4],
  [from('https://www.ecosia.org/'), 2],
  [from('https://chatgpt.com/'), 3],
];

const origins: Readonly<Record<Campaign['site'], Weighted<Origin>>> = {
  'shop.example': [
    [direct, 28],
    [google, 26],
    ...search,
    [from('https://l.instagram.com/'), 9],
    [from('https://www.pinterest.com/'), 6],
    [from('https://www.facebook.com/'), 3],
    [from('https://blog.example/'), 7],
    [from('https://www.craft-magazine.example/wool'), 2],
    [tagged('newsletter', 'email', 'monthly-letter'), 5],
    [tagged('google', 'cpc', 'always-on'), 4],
  ],
  'blog.example': [
    [direct, 19],
    [google, 41],
    ...search,
    [from('https://www.reddit.com/r/knitting/'), 7],
    [from('https://www.pinterest.com/'), 6],
    [from('https://www.youtube.com/'), 4],
    [from('https://www.linkedin.com/'), 1],
    [from('https://bsky.app/'), 2],
    [from('https://www.ravelry.com/'), 4],
    [tagged('newsletter', 'email', 'monthly-letter'), 3],
  ],
};

/** A campaign's extra traffic at `time`: its `lift` at the start, falling to 0 at its end. */
export const strengthOf = (campaign: Campaign, time: number): number =>
  isWithin(campaign, time)
    ? campaign.lift * (1 - (time - campaign.from) / (campaign.to - campaign.from))
    : 0;

/** Picks the origin of a visit. Of the visits that a campaign adds, nine in ten carry its tags. */
export function originOf(
  random: Random,
  site: Campaign['site'],
  running: readonly Campaign[],
  time: number,
): Origin {
  for (const campaign of running) {
    const strength = strengthOf(campaign, time);
    if (random.chance((0.9 * strength) / (1 + strength)))
      return tagged(campaign.source, campaign.medium, campaign.name);
  }
  return random.weighted(origins[site]);
}
