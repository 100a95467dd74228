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

/** A page or an event of a visit, and what may follow. A step without a name ends the visit. */
interface Step {
  /** Undefined: an event on the current page. `{item}` is the page of another item. */
  path?: string;
  /** Empty: that of the item. */
  title?: string;
  /** How long people stay, on average. */
  seconds?: number;
  event?: string;
  url?: string;
  next: Choices<string>;
  /** What follows for customers, who buy more. */
  regular: Choices<string>;
}

const page = (
  path: string,
  seconds: number,
  title: string,
  next: string,
  regular = next,
): Step => ({
  ...{ path, seconds, title },
  ...{ next: choices(next), regular: choices(regular) },
});
const event = (name: string, next = ' 1', url?: string): Step => ({
  ...{ event: name, next: choices(next), regular: choices(next) },
  ...(url === undefined ? {} : { url }),
});

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
  start: Choices<string>;
  steps: Readonly<Record<string, Step>>;
}

const search =
  'https://www.bing.com/ 4, https://duckduckgo.com/ 4, https://www.ecosia.org/ 2, ' +
  'https://chatgpt.com/ 3, https://www.pinterest.com/ 6';

export const sites: Readonly<Record<SiteId, Site>> = {
  'shop.example': {
    timezone: 'Europe/Berlin',
    visits: 330,
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
    start: choices('home 39, product 40, category 21, lost 1.5'),
    steps: {
      home: page('/', 18, 'shop.example', 'product 60,  40', 'product 86,  14'),
      landing: page('/landing/{campaign}', 25, 'Our offer', 'product 60,  40', 'product 86,  14'),
      category: page('{category}', 22, '', 'product 60,  40', 'product 86,  14'),
      product: page(
        '{item}',
        40,
        '',
        'product 35, add 10, away 1, file 1,  53',
        'product 40, add 23,  37',
      ),
      add: event('add_to_cart', 'cart 6,  4'),
      cart: page('/cart', 25, 'Your cart', 'checkout 62,  38', 'checkout 85,  15'),
      checkout: page('/checkout', 70, 'Checkout', 'thanks 78,  22'),
      failed: event('checkout_failed'),
      thanks: page('/checkout/thanks', 12, 'Thank you', 'purchase 1'),
      purchase: event('purchase'),
      account: page('/account/signup', 45, 'Your account', 'signup 1'),
      signup: event('signup', 'product 1'),
      lost: page('/products/old-catalogue', 5, 'Not found', 'missing 1'),
      missing: event('not_found', 'product 6,  4'),
      away: event('outbound_click', 'product 1', 'https://www.ravelry.com/'),
      file: event('file_download', ' 1', 'https://shop.example/files/size-guide.pdf'),
    },
  },
  'blog.example': {
    timezone: 'America/New_York',
    visits: 235,
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
    start: choices('article 84, home 14, lost 2'),
    steps: {
      home: page('/', 20, 'blog.example', 'article 1'),
      landing: page('/{campaign}', 95, '', 'article 16, letter 3, shop 5, file 1,  75'),
      article: page('{item}', 95, '', 'article 16, letter 3, shop 5, file 1,  75'),
      letter: event('newsletter_signup'),
      shop: event('outbound_click', ' 1', 'https://shop.example/'),
      file: event('file_download', ' 1', 'https://blog.example/files/free-pattern.pdf'),
      lost: page('/2019/old-post', 5, 'Not found', 'missing 1'),
      missing: event('not_found', 'article 1'),
    },
  },
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

/** A printed code of the shop, and how often people scan it: at first, and until half as often. */
export const printedCodes = rows(`
parcel|Card in every parcel|kits/first-socks|parcels|360|9|2000
window|Shop window|yarn|shop|320|4|900
poster-1|Winter poster, Main station|landing/winter|winter-posters|75|12|18
poster-2|Winter poster, Town hall|landing/winter|winter-posters|74|10|18
poster-3|Winter poster, University|landing/winter|winter-posters|73|8|18
poster-4|Winter poster, Market square|landing/winter|winter-posters|72|6|18
poster-5|Winter poster, Library|landing/winter|winter-posters|71|4|18`).map(
  ([code = '', name = '', path, campaign = '', age, perDay, halfLife]) => ({
    ...{ code, name, campaign, url: `https://shop.example/${path}` },
    ...{ age: Number(age), perDay: Number(perDay), halfLife: Number(halfLife) },
  }),
);
