import type { Traits } from './audience.ts';
import type { Random } from './random.ts';

/** An event of a batch that is sent with an API key; `timestamp` is Unix ms. */
export interface DemoEvent extends Traits {
  event: string;
  url: string;
  site_id: string;
  timestamp: number;
  title?: string;
  referrer?: string;
  /** Set for users whom the site identifies; others have a `visitor_id`. */
  user_id?: string;
  visitor_id?: string;
  tag?: string;
  props?: Readonly<Record<string, string | number>>;
  revenue?: { amount: string; currency: 'EUR' };
  engagement_ms?: number;
  scroll_depth?: number;
  lcp?: number;
  inp?: number;
  fcp?: number;
  ttfb?: number;
  cls?: number;
  bot?: boolean;
}

export interface Visitor {
  traits: Traits;
  /** Exactly one of the two ids. */
  name: { user_id: string } | { visitor_id: string };
}

export interface WriterOptions {
  random: Random;
  site: string;
  visitor: Visitor;
  /** Unix ms. */
  startsAt: number;
}

type Vital = 'lcp' | 'inp' | 'fcp' | 'ttfb' | 'cls';

type Extra = Pick<
  DemoEvent,
  'title' | 'referrer' | 'props' | 'revenue' | 'engagement_ms' | 'scroll_depth' | Vital
>;

/** The longest stay on one page: a pause of half an hour would split the visit. */
const longestStayMs = 12 * 60_000;

/** Web vitals as the tracker sends them; phones are slower. */
function vitalsOf(random: Random, { device }: Traits): Extra {
  const slow = device === 'desktop' ? 1 : 1.7;
  const ttfb = Math.round(60 + random.around(120) * slow);
  const fcp = Math.round(ttfb + 250 + random.around(400) * slow);
  return {
    ttfb,
    fcp,
    lcp: Math.round(fcp + random.around(700) * slow),
    inp: Math.round(30 + random.around(70) * slow),
    cls: Math.round(random.around(0.05) * 1000) / 1000,
  };
}

/** Generates the events of one visit. Time advances with every page. */
export function createPageWriter({ random, site, visitor, startsAt }: WriterOptions) {
  const events: DemoEvent[] = [];
  let time = startsAt;
  let url = `https://${site}/`;

  function add(event: string, extra: Extra = {}): void {
    events.push({
      event,
      url,
      site_id: site,
      timestamp: Math.round(time),
      ...visitor.name,
      ...visitor.traits,
      ...extra,
    });
  }

  return {
    events,
    now: (): number => time,

    /** Adds a page view of about `seconds`, usually with its engagement and scroll depth. */
    page(
      path: string,
      title: string,
      { seconds, referrer, query = '' }: { seconds: number; referrer?: string; query?: string },
    ): void {
      url = `https://${site}${path}${query}`;
      add('pageview', {
        title,
        ...(referrer === undefined || referrer === '' ? {} : { referrer }),
      });
      if (events.length === 1 && random.chance(0.25))
        add('web_vitals', vitalsOf(random, visitor.traits));
      const stay = Math.min(longestStayMs, 1500 + random.around(seconds * 1000));
      time += stay;
      // Not every browser reports how long a page was in the foreground.
      if (random.chance(0.72))
        add('engagement', {
          engagement_ms: Math.round(stay * (0.55 + random.next() * 0.4)),
          scroll_depth: Math.min(100, Math.round(18 + random.around(38))),
        });
    },

    /** Adds an event on the current page. */
    note(event: string, extra: Extra = {}): void {
      time += 400 + random.around(2500);
      add(event, extra);
    },
  };
}

export type PageWriter = ReturnType<typeof createPageWriter>;
