import { dayMs } from '../../lib/durations.ts';
import { createPageWriter, type DemoEvent, type PageWriter, type Visitor } from './page-writer.ts';
import { type Article, articles, type Origin, type Product, products } from './places.ts';
import type { Random } from './random.ts';

/** The parameters of a visit. */
export interface VisitPlan {
  random: Random;
  site: 'shop.example' | 'blog.example';
  visitor: Visitor;
  origin: Origin;
  /** Unix ms. */
  startsAt: number;
  /** The end of the story, Unix ms; articles are dated relative to it. */
  until: number;
  /** False while the checkout is down. */
  canBuy: (time: number) => boolean;
}

const titles = {
  yarn: 'Yarn',
  needles: 'Needles',
  kits: 'Kits',
  books: 'Books',
  gifts: 'Gifts',
} as const;
const weighted = products.map((each) => [each, each.weight] as const);
const pathOf = ({ category, slug }: Product) => `/${category}/${slug}`;
const isKnown = ({ visitor }: VisitPlan) => 'user_id' in visitor.name;

/** Fills a cart, and pays or abandons it. */
function checkOut(
  write: PageWriter,
  { random, canBuy }: VisitPlan,
  bought: Product,
  isRegular: boolean,
): void {
  const quantity = bought.category === 'yarn' ? random.between(2, 7) : 1;
  write.note('add_to_cart', {
    props: { product: bought.slug, category: bought.category, quantity },
  });
  if (!random.chance(isRegular ? 0.8 : 0.55)) return;
  write.page('/cart', 'Your cart', { seconds: 25 });
  if (!random.chance(isRegular ? 0.85 : 0.6)) return;
  write.page('/checkout', 'Checkout', { seconds: 70 });
  if (!canBuy(write.now())) {
    write.note('checkout_failed', { props: { reason: 'payment_unavailable' } });
    return;
  }
  if (!random.chance(0.78)) return;
  const amount = (quantity * bought.price + (random.chance(0.3) ? 4.9 : 0)).toFixed(2);
  write.page('/checkout/thanks', 'Thank you', { seconds: 12 });
  write.note('purchase', {
    props: {
      product: bought.slug,
      category: bought.category,
      quantity,
      payment: random.weighted([
        ['card', 5],
        ['paypal', 4],
        ['invoice', 1],
      ]),
    },
    revenue: { amount, currency: 'EUR' },
  });
}

function lookAt(
  write: PageWriter,
  { random, origin }: VisitPlan,
  each: Product,
  isFirst: boolean,
): void {
  write.page(pathOf(each), `${each.title} – shop.example`, {
    seconds: 40,
    ...(isFirst ? origin : {}),
  });
  if (random.chance(0.02))
    write.note('outbound_click', { props: { url: 'https://www.ravelry.com/' } });
}

function openLandingPage(write: PageWriter, plan: VisitPlan): void {
  const { random, origin } = plan;
  if (random.chance(0.015)) {
    write.page('/products/old-catalogue', 'Not found', { seconds: 5, ...origin });
    write.note('not_found');
  } else if (origin.campaign !== undefined && random.chance(0.6))
    write.page(`/landing/${origin.campaign}`, 'Our offer', { seconds: 25, ...origin });
  else if (random.chance(0.4)) lookAt(write, plan, random.weighted(weighted), true);
  else if (random.chance(0.35)) {
    const category = random.weighted([
      ['yarn', 5],
      ['kits', 4],
      ['needles', 2],
      ['books', 1],
      ['gifts', 1],
    ] as const);
    write.page(`/${category}`, titles[category], { seconds: 22, ...origin });
  } else write.page('/', 'shop.example', { seconds: 18, ...origin });
}

function signUp(write: PageWriter, random: Random): void {
  write.page('/account/signup', 'Your account', { seconds: 45 });
  write.note('signup', { props: { newsletter: random.chance(0.6) ? 'yes' : 'no' } });
}

/** A visit to the shop: some browse, few fill the cart, fewer pay. Known customers buy more. */
function visitShop(write: PageWriter, plan: VisitPlan, isSigningUp: boolean): void {
  const { random } = plan;
  const isRegular = isKnown(plan);
  openLandingPage(write, plan);
  if (isSigningUp) signUp(write, random);
  else if (random.chance(isRegular ? 0.14 : 0.4)) return;
  const looks = 1 + Math.floor(random.around(isRegular ? 1.6 : 1.1));
  for (let look = 0; look < Math.min(looks, 9); look += 1) {
    const each = random.weighted(weighted);
    lookAt(write, plan, each, false);
    if (random.chance(isRegular ? 0.24 : 0.11)) {
      checkOut(write, plan, each, isRegular);
      return;
    }
  }
  if (random.chance(0.02))
    write.note('file_download', { props: { url: 'https://shop.example/files/size-guide.pdf' } });
}

/** The published articles with their weights; new ones are read more. */
function publishedArticles({
  startsAt,
  until,
}: VisitPlan): readonly (readonly [Article, number])[] {
  return articles.flatMap((each) => {
    const age = (startsAt - until) / dayMs + each.daysAgo;
    return age < 0 ? [] : [[each, each.weight * (1 + 6 * Math.exp(-age / 3))] as const];
  });
}

/** A visit to the blog: one article, sometimes another one, rarely a click to the shop. */
function visitBlog(write: PageWriter, plan: VisitPlan): void {
  const { random, origin } = plan;
  const available = publishedArticles(plan);
  if (random.chance(0.14)) write.page('/', 'blog.example', { seconds: 20, ...origin });
  else if (random.chance(0.02)) {
    write.page('/2019/old-post', 'Not found', { seconds: 5, ...origin });
    write.note('not_found');
  }
  const reads = 1 + Math.floor(random.around(0.55));
  for (let read = 0; read < Math.min(reads, 6); read += 1) {
    const wanted =
      write.events.length === 0 ? articles.find(({ slug }) => slug === origin.campaign) : undefined;
    const { slug, title } = wanted ?? random.weighted(available);
    write.page(`/${slug}`, title, { seconds: 95, ...(write.events.length === 0 ? origin : {}) });
  }
  if (random.chance(0.03))
    write.note('newsletter_signup', { props: { place: random.pick(['footer', 'article']) } });
  if (random.chance(0.05))
    write.note('outbound_click', { props: { url: 'https://shop.example/' } });
  if (random.chance(0.012))
    write.note('file_download', { props: { url: 'https://blog.example/files/free-pattern.pdf' } });
}

/** Returns a visit's events, oldest first. With `isSigningUp` the visitor creates an account. */
export function makeVisit(plan: VisitPlan, isSigningUp = false): DemoEvent[] {
  const { random, site, visitor, startsAt } = plan;
  const write = createPageWriter({ random, site, visitor, startsAt });
  if (site === 'shop.example') visitShop(write, plan, isSigningUp);
  else visitBlog(write, plan);
  return write.events;
}

/** Returns a bot's visit, which is stored with a flag and not counted in figures. */
export function makeBotVisit(plan: VisitPlan): DemoEvent[] {
  const { random, site, startsAt, visitor } = plan;
  const browser = random.weighted([
    ['Googlebot', 6],
    ['Bingbot', 3],
    ['GPTBot', 3],
    ['AhrefsBot', 2],
  ]);
  const { country, language, screen } = visitor.traits;
  const path =
    site === 'shop.example'
      ? pathOf(random.weighted(weighted))
      : `/${random.weighted(publishedArticles(plan)).slug}`;
  return [
    {
      event: 'pageview',
      url: `https://${site}${path}`,
      site_id: site,
      timestamp: Math.round(startsAt),
      ...visitor.name,
      country,
      language,
      screen,
      browser,
      device: 'desktop',
      bot: true,
    },
  ];
}
