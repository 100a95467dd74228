import { LRUCache } from 'lru-cache';
import type { JournalEvent } from '../store/journal-record.ts';
import type { EventRow } from '../store/events.ts';
import { type Campaign, parseCampaign } from '../links/campaign.ts';
import { classifyVisit } from './channel.ts';
import { bareHostname } from './hostname.ts';
import { parseLanguage } from './language.ts';
import { parseReferrer } from './referrer.ts';
import { parseScreen } from './screen.ts';
import { parseUserAgent, unreportedAgent, type UserAgent } from './user-agent.ts';
import { identifiedVisitor } from './visitor.ts';

interface Origin {
  referrer: string | undefined;
  source: string | undefined;
  channel: string;
}

type Agent = Omit<UserAgent, 'device'> & { device: string | null };

const untagged = parseCampaign('');
const vitalNames = ['lcp', 'inp', 'fcp', 'ttfb', 'cls'] as const;

function toVitals(values: JournalEvent['wv']): EventRow['vitals'] {
  if (values === undefined) return undefined;
  const named = vitalNames.map((name, index) => [name, values[index]] as const);
  return Object.fromEntries(named.filter(([, value]) => value != null));
}

const importedAgent = ([
  browser = null,
  browserVersion = null,
  os = null,
  osVersion = null,
  device = null,
]: readonly (string | null)[]): Agent => ({
  browser,
  browserVersion,
  os,
  osVersion,
  device,
  bot: false,
});

function formatClickId(campaign: Campaign | undefined): string | undefined {
  const clickId = campaign?.clickId;
  return clickId == null ? undefined : `${clickId.kind}:${clickId.value}`;
}

function memoise<V extends object | string>(
  cache: LRUCache<string, V>,
  key: string,
  make: () => V,
): V {
  let value = cache.get(key);
  if (value === undefined) {
    value = make();
    cache.set(key, value);
  }
  return value;
}

/**
 * Converts journal events to rows: parses user agents, referrers, campaigns and languages, each
 * behind an LRU cache. `userAgent` is that of the request; an event may override it.
 */
export function createEnricher() {
  const agents = new LRUCache<string, UserAgent>({ max: 20_000 });
  const origins = new LRUCache<string, Origin>({ max: 20_000 });
  const languages = new LRUCache<string, { tag: string | undefined }>({ max: 2000 });
  const persons = new LRUCache<string, { hash: bigint }>({ max: 20_000 });
  const hostnames = new LRUCache<string, string>({ max: 2000 });

  return {
    row(
      event: JournalEvent,
      userAgent: string,
      receivedAt: number,
      { visitor, session }: Pick<EventRow, 'visitor' | 'session'>,
    ): EventRow {
      const agent = agentOf(event, userAgent);
      const { referrer, source, channel } = originOf(event);
      const screen = event.sc === undefined ? null : parseScreen(event.sc);
      const { m: campaign, re: revenue } = event;
      return {
        siteId: event.s,
        time: event.t,
        receivedAt,
        id: event.i,
        visitor,
        session,
        named: event.z !== undefined,
        name: event.n ?? 'pageview',
        interactive: event.x !== 0,
        bot: event.b === 1 || agent.bot,
        hostname: hostnameOf(event.h),
        pathname: event.p,
        query: event.q,
        title: event.ti,
        referrer,
        source,
        channel,
        utm_source: campaign?.utmSource ?? undefined,
        utm_medium: campaign?.utmMedium ?? undefined,
        utm_campaign: campaign?.utmCampaign ?? undefined,
        utm_term: campaign?.utmTerm ?? undefined,
        utm_content: campaign?.utmContent ?? undefined,
        clickId: formatClickId(campaign),
        browser: agent.browser ?? undefined,
        browser_version: agent.browserVersion ?? undefined,
        os: agent.os ?? undefined,
        os_version: agent.osVersion ?? undefined,
        device: agent.device ?? undefined,
        screenWidth: screen?.width,
        screenHeight: screen?.height,
        language: languageOf(event.l),
        country: event.c,
        scrollDepth: event.sd,
        engagementMs: event.en,
        revenue: revenue?.[0],
        currency: revenue?.[1],
        vitals: toVitals(event.wv),
        userId: event.u,
        person: personOf(event),
        tag: event.tg,
        props: event.pr,
      };
    },
  };

  function agentOf({ a, ag, b }: JournalEvent, userAgent: string): Agent {
    if (ag !== undefined) return importedAgent(ag);
    if (b === 0) return unreportedAgent;
    const text = a ?? userAgent;
    return memoise(agents, text, () => parseUserAgent(text));
  }

  function originOf({ r, m, h }: JournalEvent): Origin {
    const link = `${r ?? ''} ${h ?? ''}`;
    return memoise(origins, m === undefined ? link : `${link} ${JSON.stringify(m)}`, () => {
      const referrer = parseReferrer(r ?? '', h ?? null);
      const { source, channel } = classifyVisit(m ?? untagged, referrer);
      return { referrer: referrer.referrer ?? undefined, source: source ?? undefined, channel };
    });
  }

  function languageOf(value: string | undefined): string | undefined {
    if (value === undefined) return undefined;
    return memoise(languages, value, () => ({ tag: parseLanguage(value) ?? undefined })).tag;
  }

  function hostnameOf(value: string | undefined): string | undefined {
    return value === undefined ? undefined : memoise(hostnames, value, () => bareHostname(value));
  }

  /** The visit of an identified person may have begun earlier, under an anonymous visitor. */
  function personOf({ s: site, u: user, o: named, v: visitor }: JournalEvent): bigint | undefined {
    if (user !== undefined)
      return memoise(persons, `${site} ${user}`, () => ({ hash: identifiedVisitor(site, user) }))
        .hash;
    return named === undefined || visitor === undefined ? undefined : BigInt(`0x${visitor}`);
  }
}

export type Enricher = ReturnType<typeof createEnricher>;
