import { LRUCache } from 'lru-cache';
import type { EventRow } from '../store/events.ts';
import { type Campaign, parseCampaign } from './campaign.ts';
import { classifyVisit } from './channel.ts';
import { bareHostname } from './hostname.ts';
import { parseLanguage } from './language.ts';
import { parseReferrer } from './referrer.ts';
import { parseScreen } from './screen.ts';
import { parseUserAgent, type UserAgent } from './user-agent.ts';
import { identifiedVisitor } from './visitor.ts';
import type { JournalEvent } from '../ingest/journal-record.ts';
import type { Assignment } from '../worker/sessionizer.ts';

interface Origin {
  referrer: string | undefined;
  source: string | undefined;
  channel: string;
}

const untagged = parseCampaign('');
const vitalNames = ['lcp', 'inp', 'fcp', 'ttfb', 'cls'] as const;

function vitals(values: JournalEvent['wv']): EventRow['vitals'] {
  if (values === undefined) return undefined;
  const named = vitalNames.map((name, index) => [name, values[index]] as const);
  return Object.fromEntries(named.filter(([, value]) => value != null));
}

type Agent = Omit<UserAgent, 'device'> & { device: string | null };

const claimed = ([
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

/**
 * Makes stored rows out of journal events: user agents, sources, channels, languages, each from an
 * LRU.
 */
export function createEnricher() {
  const agents = new LRUCache<string, UserAgent>({ max: 20_000 });
  const origins = new LRUCache<string, Origin>({ max: 20_000 });
  const languages = new LRUCache<string, { tag: string | undefined }>({ max: 2000 });
  const persons = new LRUCache<string, { hash: bigint }>({ max: 20_000 });
  const hostnames = new LRUCache<string, string>({ max: 2000 });

  function recall<V extends object | string>(
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

  function origin({ r, m, h }: JournalEvent): Origin {
    const campaign: Campaign = m ?? untagged;
    const key =
      m === undefined ? `${r ?? ''} ${h ?? ''}` : `${r ?? ''} ${h ?? ''} ${JSON.stringify(m)}`;
    return recall(origins, key, () => {
      const referrer = parseReferrer(r ?? '', h ?? null);
      const { source, channel } = classifyVisit(campaign, referrer);
      return { referrer: referrer.referrer ?? undefined, source: source ?? undefined, channel };
    });
  }

  function language(value: string | undefined): string | undefined {
    if (value === undefined) return undefined;
    return recall(languages, value, () => ({ tag: parseLanguage(value) ?? undefined })).tag;
  }

  /** A visit may have begun before its person was named, and is then another visitor's. */
  function person({ s: site, u: user, o: named, v: visitor }: JournalEvent): bigint | undefined {
    if (user !== undefined)
      return recall(persons, `${site} ${user}`, () => ({ hash: identifiedVisitor(site, user) }))
        .hash;
    return named === undefined || visitor === undefined ? undefined : BigInt(`0x${visitor}`);
  }

  return {
    /** @param userAgent of the request, unless the event has its own. */
    row(
      event: JournalEvent,
      userAgent: string,
      receivedAt: number,
      { visitor, session }: Assignment,
    ): EventRow {
      const agentText = event.a ?? userAgent;
      const agent: Agent =
        event.ag === undefined
          ? recall(agents, agentText, () => parseUserAgent(agentText))
          : claimed(event.ag);
      const { referrer, source, channel } = origin(event);
      const screen = event.sc === undefined ? null : parseScreen(event.sc);
      const { h: hostname, m: campaign } = event;
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
        hostname:
          hostname === undefined
            ? undefined
            : recall(hostnames, hostname, () => bareHostname(hostname)),
        pathname: event.p,
        query: event.q,
        title: event.ti,
        referrer,
        source,
        channel,
        utmSource: campaign?.utmSource ?? undefined,
        utmMedium: campaign?.utmMedium ?? undefined,
        utmCampaign: campaign?.utmCampaign ?? undefined,
        utmTerm: campaign?.utmTerm ?? undefined,
        utmContent: campaign?.utmContent ?? undefined,
        clickId:
          campaign?.clickId == null
            ? undefined
            : `${campaign.clickId.kind}:${campaign.clickId.value}`,
        browser: agent.browser ?? undefined,
        browserVersion: agent.browserVersion ?? undefined,
        os: agent.os ?? undefined,
        osVersion: agent.osVersion ?? undefined,
        device: agent.device ?? undefined,
        screenWidth: screen?.width,
        screenHeight: screen?.height,
        language: language(event.l),
        country: event.c,
        scrollDepth: event.sd,
        engagementMs: event.en,
        revenue:
          event.re === undefined ? undefined : { amount: event.re[0], currency: event.re[1] },
        vitals: vitals(event.wv),
        userId: event.u,
        person: person(event),
        tag: event.tg,
        props: event.pr,
      };
    },
  };
}

export type Enricher = ReturnType<typeof createEnricher>;
