import type { EventInput } from '../../areas/analytics/ingest/schemas.ts';
import { dayMs, minuteMs } from '../../lib/durations.ts';
import { choices, type Random } from './random.ts';
import {
  type Item,
  languages,
  type Machine,
  machines,
  pages,
  type SiteId,
  sites,
  targets,
} from './sites.ts';
import { type Campaign, isWithin, type Story } from './story.ts';

/** An event of a batch that is sent with an API key; `timestamp` is Unix ms. */
export interface DemoEvent extends Visitor, Omit<EventInput, keyof Visitor> {
  timestamp: number;
}

/** Who visits: customers have a `user_id`, others a `visitor_id`. */
export interface Visitor extends Partial<Machine> {
  user_id?: string;
  visitor_id?: string;
  country: string;
  language: string;
}

export interface Visit {
  random: Random;
  site: SiteId;
  visitor: Visitor;
  startsAt: number;
  story: Story;
  /** Returns the customer that a visitor becomes. */
  becomeCustomer: () => Visitor;
}

/** The longest stay on one page: a pause of half an hour would split the visit. */
const longestStayMs = 12 * minuteMs;
const shares = { vitals: 0.25, engagement: 0.72, landing: 0.6, tagged: 0.9 };
const payments = choices('card 5, paypal 4, invoice 1');

/** Returns a random visitor of a site. */
export function visitorOf(random: Random, site: SiteId, userId?: string): Visitor {
  const country = random.weighted(sites[site].countries);
  return {
    country,
    language: random.weighted(languages[country] ?? [['en-US', 1]]),
    ...random.weighted(machines),
    // The last digit avoids sixteen zeros, which mean an unknown visitor.
    ...(userId === undefined ? { visitor_id: `${random.hex(15)}1` } : { user_id: userId }),
  };
}

/** A campaign's extra traffic at `time`: its `lift` at the start, falling to 0 at its end. */
export const strengthOf = (campaign: Campaign, time: number): number =>
  isWithin(campaign, time)
    ? campaign.lift * (1 - (time - campaign.from) / (campaign.to - campaign.from))
    : 0;

/** Where a visit comes from. Of those that a campaign adds, nine in ten carry its tags. */
function originOf({ random, site, startsAt, story }: Visit) {
  const campaign = story.campaigns.find((each) => {
    const strength = each.site === site ? strengthOf(each, startsAt) : 0;
    return strength > 0 && random.chance((shares.tagged * strength) / (1 + strength));
  });
  const origin =
    campaign === undefined
      ? random.weighted(sites[site].origins)
      : `?${campaign.source}/${campaign.name}`;
  if (!origin.startsWith('?')) return { query: '', ...(origin === '' ? {} : { referrer: origin }) };
  const [source, medium, name = ''] = origin.slice(1).split('/');
  return { query: `?utm_source=${source}&utm_medium=${medium}&utm_campaign=${name}`, name };
}

/** Web vitals as the tracker sends them; phones are slower. */
function vitalsOf(random: Random, { device }: Visitor) {
  const slow = device === 'desktop' ? 1 : 1.7;
  const ttfb = Math.round(60 + random.around(120) * slow);
  const fcp = Math.round(ttfb + 250 + random.around(400) * slow);
  return {
    ...{ ttfb, fcp, lcp: Math.round(fcp + random.around(700) * slow) },
    inp: Math.round(30 + random.around(70) * slow),
    cls: Math.round(random.around(0.05) * 1000) / 1000,
  };
}

/** What the site notes with an event. */
function detailsOf(event: string, random: Random, { path, price }: Item, quantity: number) {
  const [, category = '', product = ''] = path.split('/');
  const props = { product, category, quantity };
  if (event === 'add_to_cart') return { props };
  if (event === 'signup') return { props: { newsletter: random.chance(0.6) ? 'yes' : 'no' } };
  if (event === 'newsletter_signup')
    return { props: { place: random.pick(['footer', 'article']) } };
  if (event === 'checkout_failed') return { props: { reason: 'payment_unavailable' } };
  if (event !== 'purchase') return {};
  const amount = (quantity * price + (random.chance(0.3) ? 4.9 : 0)).toFixed(2);
  const payment = random.weighted(payments);
  return { props: { ...props, payment }, revenue: { amount, currency: 'EUR' as const } };
}

/** The published items; new articles are read more. */
function createPicking({ random, site, startsAt, story }: Visit): () => Item {
  const published = sites[site].items.flatMap((item) => {
    const age = (startsAt - story.until) / dayMs + item.age;
    return age < 0 ? [] : [[item, item.weight * (1 + 6 * Math.exp(-age / 3))] as const];
  });
  return () => random.weighted(published);
}

/** Writes the events of a visit, whose time advances with every step. */
function createWriter({ random, site, startsAt, ...visit }: Visit, query: string, origin: object) {
  const events: DemoEvent[] = [];
  let [time, url, quantity, visitor] = [startsAt, '', 1, visit.visitor];

  const add = (event: string, extra: Partial<DemoEvent>): void =>
    void events.push({
      ...{ event, url, site_id: site, timestamp: Math.round(time) },
      ...visitor,
      ...extra,
    });

  return {
    events,
    now: (): number => time,

    view(path: string, title: string, seconds: number): void {
      const isFirst = events.length === 0;
      url = `https://${site}${path}${isFirst ? query : ''}`;
      add('pageview', { title, ...(isFirst ? origin : {}) });
      if (isFirst && random.chance(shares.vitals)) add('web_vitals', vitalsOf(random, visitor));
      const stay = Math.min(longestStayMs, 1500 + random.around(seconds * 1000));
      time += stay;
      // Not every browser reports how long a page was in the foreground.
      if (!random.chance(shares.engagement)) return;
      const depth = Math.min(100, Math.round(18 + random.around(38)));
      const engaged = Math.round(stay * (0.55 + random.next() * 0.4));
      add('engagement', { engagement_ms: engaged, scroll_depth: depth });
    },

    note(event: string, item: Item): void {
      time += 400 + random.around(2500);
      const target = targets[event];
      if (event === 'add_to_cart')
        quantity = item.path.startsWith('/yarn') ? random.between(2, 7) : 1;
      if (event === 'signup') visitor = visit.becomeCustomer();
      if (target === undefined) add(event, detailsOf(event, random, item, quantity));
      else
        add(target.endsWith('.pdf') ? 'file_download' : 'outbound_click', {
          props: { url: target },
        });
    },
  };
}

const categoryOf = (path: string): string => path.split('/', 2).join('/');
const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Returns a visit's events, oldest first. */
export function makeVisit(visit: Visit): DemoEvent[] {
  const { random, site, visitor, story } = visit;
  const { items, landed, visit: usual, customerVisit } = sites[site];
  const { query, name: campaign = '', ...origin } = originOf(visit);
  const write = createWriter(visit, query, origin);
  const pick = createPicking(visit);
  // Purchases are recorded only after the thank-you page.
  const cannotPay = { ...story.outage, from: story.outage.from - 15 * minuteMs };
  const isLanding =
    site === 'shop.example'
      ? campaign !== '' && random.chance(shares.landing)
      : items.some(({ path }) => path === `/${campaign}`);
  const steps = isLanding
    ? `${site === 'shop.example' ? 'landing' : 'campaign'} ${random.weighted(landed)}`
    : random.weighted(visitor.user_id === undefined ? usual : customerVisit);
  let item = pick();
  for (const step of steps.trim().split(' ')) {
    const page = pages[step];
    if (step === 'thanks' && isWithin(cannotPay, write.now())) {
      write.note('checkout_failed', item);
      break;
    }
    if (page === undefined) write.note(step, item);
    else {
      const [pattern, title, seconds] = page;
      if (pattern === '{item}') item = pick();
      const path = pattern
        .replace('{item}', item.path)
        .replace('{category}', categoryOf(item.path))
        .replace('{campaign}', campaign);
      const named = items.find((each) => each.path === path)?.title ?? capitalised(path.slice(1));
      write.view(path, title || named || site, seconds);
    }
  }
  return write.events;
}
