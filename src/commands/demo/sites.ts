import { choices, type Choices } from './random.ts';

/** What a page is about: a product of the shop, or an article of the blog. */
export interface Item {
  path: string;
  title: string;
  weight: number;
  /** EUR; 0 for articles. */
  price: number;
  /** Days from its publication to the end of the year. */
  age: number;
}

/** The rows of a table of texts, whose cells are divided by `|`. */
const rows = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split('|'));

const products = rows(`
yarn/merino-fingering|Merino Fingering|16.9|10
yarn/highland-dk|Highland DK|13.5|9
yarn/silk-mohair|Silk Mohair|21|7
yarn/organic-cotton|Organic Cotton|8.9|6
yarn/alpaca-bulky|Alpaca Bulky|18.5|4
needles/bamboo-circulars|Bamboo Circulars|14.9|6
needles/steel-set|Steel Interchangeable Set|89|3
needles/cable-needle|Cable Needle|4.5|2
kits/first-scarf|My First Scarf|39|8
kits/fair-isle-hat|Fair Isle Hat Kit|49|6
kits/winter-socks|Winter Socks Kit|34|7
books/knitting-from-the-top|Knitting from the Top|27|3
books/colour-and-wool|Colour and Wool|32|2
gifts/voucher|Voucher|50|2`).map(([path = '', title = '', price, weight]): Item => ({
  ...{ path: `/${path}`, title: `${title} – shop.example` },
  ...{ price: Number(price), weight: Number(weight), age: Infinity },
}));

const articles = rows(`
640|reading-a-chart|How to read a knitting chart|9
590|gauge-matters|Why gauge matters|8
520|washing-wool|Washing wool without fear|10
430|short-rows|Short rows, explained|7
366|a-year-of-sheep|A year with a flock of sheep|3
331|steeking|Cutting your knitting: steeks|5
298|left-handed|Knitting left-handed|6
262|colour-theory|Colour theory for yokes|5
231|opening-a-shop|We have opened a shop|6
204|yarn-weights|Yarn weights of the world|8
171|mending|Mending that shows|4
138|summer-yarns|Yarns for the summer|4
97|how-we-dye-wool|How we dye wool with an old coffee machine|11
62|checkout-was-away|Why our checkout was away|2
44|sock-heels|Five heels for socks|6
23|buttonholes|Buttonholes that hold|4
9|advent-calendar|An advent calendar of yarn|5
2|winter-drop|What comes this winter|6`).map(([age, slug = '', title = '', weight]): Item => ({
  ...{ path: `/${slug}`, title, price: 0, weight: Number(weight), age: Number(age) },
}));

export type SiteId = 'shop.example' | 'blog.example';

/** How the traffic of a site varies, who comes, and what they do. */
export interface Site {
  /** IANA time zone of most of its visitors. */
  timezone: string;
  /** Visits on an ordinary day at the end of the year, and which share of it at the beginning. */
  visits: number;
  growthFrom: number;
  /** A factor for each weekday from Monday, and for each hour from midnight. */
  weekdays: readonly number[];
  hours: readonly number[];
  countries: Choices<string>;
  /** Referrers; after a `?`, the source, medium and campaign of a tagged link. */
  origins: Choices<string>;
  items: readonly Item[];
  /** Pages and events of visits, divided by spaces. */
  visit: Choices<string>;
  /** Visits of customers, who buy more. */
  customerVisit: Choices<string>;
  /** What follows the page that a campaign leads to. */
  landed: Choices<string>;
}

const search =
  'https://www.bing.com/ 4, https://duckduckgo.com/ 4, https://www.ecosia.org/ 2, ' +
  'https://chatgpt.com/ 3, https://www.pinterest.com/ 6';

/** Pages: path, title (that of the item if empty) and seconds that people stay on average. */
export const pages: Readonly<Record<string, readonly [string, string, number]>> = {
  home: ['/', '', 18],
  landing: ['/landing/{campaign}', 'Our offer', 25],
  category: ['{category}', '', 22],
  product: ['{item}', '', 40],
  cart: ['/cart', 'Your cart', 25],
  checkout: ['/checkout', 'Checkout', 70],
  thanks: ['/checkout/thanks', 'Thank you', 12],
  account: ['/account/signup', 'Your account', 45],
  old_product: ['/products/old-catalogue', 'Not found', 5],
  campaign: ['/{campaign}', '', 95],
  article: ['{item}', '', 95],
  old_article: ['/2019/old-post', 'Not found', 5],
};

const buying = 'product add_to_cart cart checkout thanks purchase';
const reading = 'article 67, article article 13, article newsletter_signup 4, article to_shop 5';

export const sites: Readonly<Record<SiteId, Site>> = {
  'shop.example': {
    timezone: 'Europe/Berlin',
    visits: 165,
    growthFrom: 0.3,
    weekdays: [1, 0.96, 0.97, 1, 0.94, 0.98, 1.15],
    hours: [
      0.25, 0.14, 0.09, 0.07, 0.08, 0.2, 0.5, 0.85, 1, 1.15, 1.25, 1.3, 1.35, 1.3, 1.2, 1.2, 1.25,
      1.4, 1.6, 1.95, 2.2, 2, 1.3, 0.6,
    ],
    countries: choices('DE 46, AT 9, CH 8, FR 7, NL 6, GB 6, US 6, PL 4, IT 3, ES 3, SE 1, DK 1'),
    origins: choices(
      ` 28, https://www.google.com/ 26, ${search}, https://l.instagram.com/ 9, ` +
        'https://www.facebook.com/ 3, https://blog.example/ 7, ' +
        'https://www.craft-magazine.example/wool 2, ?newsletter/email/monthly-letter 5, ' +
        '?google/cpc/always-on 4',
    ),
    items: products,
    visit: choices(
      'home 17, home product 15, home product product 8, product 24, product product 11, ' +
        'category 8, category product 9, category product product 4, product size_guide 1, ' +
        'product to_ravelry 1, product product product product 6, product add_to_cart 3, ' +
        `home product add_to_cart cart 3, product product add_to_cart cart checkout 1, ` +
        `${buying} 2, home product ${buying} 2, old_product not_found 1, ` +
        'old_product not_found product 1, account signup product 3',
    ),
    customerVisit: choices(
      `home product 20, product product 18, category product product 14, ${buying} 12, ` +
        `home product ${buying} 10, product add_to_cart cart 8, ` +
        'home product add_to_cart cart checkout 4',
    ),
    landed: choices(` 40, product 25, product product 20, ${buying} 6, product add_to_cart cart 5`),
  },
  'blog.example': {
    timezone: 'America/New_York',
    visits: 118,
    growthFrom: 0.45,
    weekdays: [1.12, 1.15, 1.12, 1.1, 0.98, 0.7, 0.78],
    hours: [
      0.4, 0.28, 0.22, 0.2, 0.25, 0.4, 0.7, 1, 1.3, 1.5, 1.5, 1.45, 1.5, 1.45, 1.4, 1.35, 1.3, 1.2,
      1.2, 1.25, 1.3, 1.2, 0.9, 0.6,
    ],
    countries: choices(
      'US 38, GB 13, DE 9, CA 8, IN 7, AU 5, FR 4, BR 4, NL 3, JP 3, SE 2, ZA 2, MX 2',
    ),
    origins: choices(
      ` 19, https://www.google.com/ 41, ${search}, https://www.reddit.com/r/knitting/ 7, ` +
        'https://www.youtube.com/ 4, https://www.linkedin.com/ 1, https://bsky.app/ 2, ' +
        'https://www.ravelry.com/ 4, ?newsletter/email/monthly-letter 3',
    ),
    items: articles,
    visit: choices(
      `home 6, home article 8, ${reading}, article pattern 2, old_article not_found article 2`,
    ),
    customerVisit: choices('home article 1'),
    landed: choices(` 75, ${reading}`),
  },
};

/** Where events that leave the site lead: downloads, or other sites. */
export const targets: Readonly<Record<string, string>> = {
  to_ravelry: 'https://www.ravelry.com/',
  to_shop: 'https://shop.example/',
  size_guide: 'https://shop.example/files/size-guide.pdf',
  pattern: 'https://blog.example/files/free-pattern.pdf',
};

/** Languages of visitors by country; in other countries `en-US`. */
export const languages: Readonly<Record<string, Choices<string>>> = Object.fromEntries(
  rows(`
DE|de-DE 90, en-US 10
AT|de-AT 92, en-GB 8
CH|de-CH 68, fr-CH 24, it-CH 8
CA|en-CA 76, fr-CA 24
IN|en-IN 82, hi-IN 18`)
    .concat(
      'FR fr,NL nl,GB en,PL pl,IT it,ES es,SE sv,DK da,BR pt,JP ja,MX es,AU en,ZA en'
        .split(',')
        .map((each) => each.split(' '))
        .map(([country = '', language]) => [country, `${language}-${country} 1`]),
    )
    .map(([country = '', text = '']) => [country, choices(text)]),
);

/** Weight, kind of device, operating system and its version, browser and its version, screen. */
export const machines = rows(`
19|mobile|iOS|18.5|Safari|18|393x852
6|mobile|iOS|17.6|Safari|17|390x844
15|mobile|Android|15|Chrome|138|412x915
5|mobile|Android|14|Samsung Internet|28|360x780
3|mobile|iOS|18.5|Instagram|386|393x852
2|mobile|Android|15|Firefox|140|412x915
17|desktop|Windows|10|Chrome|138|1920x1080
7|desktop|Windows|10|Edge|138|1536x864
3|desktop|Windows|10|Firefox|140|1920x1080
7|desktop|macOS|15|Safari|18|1728x1117
7|desktop|macOS|15|Chrome|138|1512x982
3|desktop|Linux||Firefox|140|2560x1440
1|desktop|Chrome OS||Chrome|137|1366x768
4|tablet|iOS|18.5|Safari|18|820x1180
1|tablet|Android|14|Chrome|137|800x1280`).map(
  ([weight, device = '', os = '', version = '', browser = '', browserVersion = '', screen = '']) =>
    [
      {
        ...{ device, os, browser, browser_version: browserVersion, screen },
        ...(version === '' ? {} : { os_version: version }),
      },
      Number(weight),
    ] as const,
);
export type Machine = (typeof machines)[number][0];

/** Printed codes: campaign, days to the end of the year, scans a day, days until half as many. */
export const printedCodes = [
  ['parcel', 'parcels', 360, 9, 2000],
  ['window', 'shop', 320, 4, 900],
  ['poster-1', 'winter-posters', 75, 12, 18],
  ['poster-2', 'winter-posters', 74, 10, 18],
  ['poster-3', 'winter-posters', 73, 8, 18],
  ['poster-4', 'winter-posters', 72, 6, 18],
] as const;

/** NFC tags: code, age in days, and taps on an average day. */
export const placedTags = [
  ['table-1', 300, 1.6],
  ['table-2', 280, 1.1],
  ['table-3', 260, 0.4],
  ['wool', 240, 2.4],
  ['cert-0001', 220, 0.3],
  ['cert-0002', 200, 0.5],
] as const;
