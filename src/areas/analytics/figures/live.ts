import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Clock } from '../../../lib/clock.ts';
import type { Bus } from '../../../platform/bus/bus.ts';
import type { BusEvent } from '../../../platform/bus/types.ts';
import { measurements } from '../store/events.ts';
import { systemRequester } from '../../../platform/http/requester.ts';
import { parseUserAgent, type UserAgent } from '../enrichment/user-agent.ts';
import type { AnalyticsQuestions } from './questions.ts';
import type { JournalEvent } from '../ingest/journal-record.ts';
import type { Sites } from '../sites/sites.ts';

/** What has happened on a site since it was last told. */
interface Happened {
  events: number;
  pageviews: number;
  /** The first few, with the user agent of their requests. */
  samples: { event: JournalEvent; userAgent: string }[];
}

export interface LiveDeps {
  bus: Pick<Bus, 'listeners' | 'publish'>;
  sites: Pick<Sites, 'list'>;
  questions: Pick<AnalyticsQuestions, 'dashboard'>;
  clock: Clock;
  logger: Logger;
}

const tellEveryMs = 250;
const ticksEvery = 4;
const visitorsEvery = 20;
const mostSamples = 5;
const activeMs = 5 * 60_000;

const channelOf = (siteKey: string) => `analytics:${siteKey}`;

/**
 * What happens on sites, for those who watch: single events (at most five in a quarter of a second,
 * with how many were left out), counters each second, visitors of the last five minutes each five
 * seconds. Where nobody listens nothing is sent, and an event costs an addition.
 */
export function createLivePublisher({ bus, sites, questions, clock, logger }: LiveDeps) {
  const happened = new Map<number, Happened>();
  const counters = new Map<string, { events: number; pageviews: number; since: number }>();
  const watched = new Set<string>();
  const agents = new LRUCache<string, UserAgent>({ max: 1000 });
  const asLive = systemRequester('visitors now');
  let turn = 0;
  let timer: NodeJS.Timeout | undefined;
  let isTelling = false;

  function agentOf(text: string): UserAgent {
    const agent = agents.get(text) ?? parseUserAgent(text);
    agents.set(text, agent);
    return agent;
  }

  /** Nothing that tells who it was. */
  function sampleEvent(
    { event, userAgent }: Happened['samples'][number],
    skipped: number,
  ): BusEvent {
    const agent = agentOf(event.a ?? userAgent);
    return {
      type: 'event.ingested',
      data: {
        event: event.n ?? 'pageview',
        hostname: event.h ?? null,
        pathname: event.p,
        timestamp: new Date(event.t).toISOString(),
        country: event.c ?? null,
        browser: agent.browser ?? null,
        os: agent.os ?? null,
        device: agent.device,
        bot: agent.bot || event.b === 1,
        skipped,
      },
    };
  }

  async function tellSite(key: string, { events, pageviews, samples }: Happened): Promise<void> {
    const count = counters.get(key) ?? { events: 0, pageviews: 0, since: clock.now() };
    counters.set(key, {
      ...count,
      events: count.events + events,
      pageviews: count.pageviews + pageviews,
    });
    for (const [at, sample] of samples.entries()) {
      await bus.publish(
        channelOf(key),
        sampleEvent(sample, at === samples.length - 1 ? events - samples.length : 0),
      );
    }
  }

  async function tellEvents(): Promise<void> {
    const news = sites.list().flatMap((site) => {
      const here = happened.get(site.id);
      return here === undefined ? [] : [{ key: site.key, here }];
    });
    happened.clear();
    const listeners = await bus.listeners(news.map(({ key }) => channelOf(key)));
    for (const [at, { key, here }] of news.entries()) {
      if ((listeners[at] ?? 0) === 0) continue;
      watched.add(key);
      await tellSite(key, here);
    }
  }

  async function tellCounters(): Promise<void> {
    const now = clock.now();
    for (const [key, { events, pageviews, since }] of [...counters]) {
      counters.delete(key);
      await bus.publish(channelOf(key), {
        type: 'counters.tick',
        data: { events, pageviews, ms: now - since },
      });
    }
  }

  async function tellVisitors(): Promise<void> {
    const keys = [...watched];
    const listeners = await bus.listeners(keys.map(channelOf));
    for (const [at, key] of keys.entries()) {
      const site = sites.list().find((each) => each.key === key);
      if ((listeners[at] ?? 0) === 0 || site === undefined) {
        watched.delete(key);
        continue;
      }
      const now = clock.now();
      const range = { from: now - activeMs, to: now + 1 };
      const answer = await questions.dashboard(
        {
          siteId: site.id,
          range,
          compare: undefined,
          buckets: [range.from],
          filters: [],
          bots: false,
          limit: 0,
          now,
        },
        asLive,
      );
      await bus.publish(channelOf(key), {
        type: 'visitors.active',
        data: { visitors: answer.visitors_now },
      });
    }
  }

  async function publish(): Promise<void> {
    turn += 1;
    if (happened.size > 0) await tellEvents();
    if (turn % ticksEvery === 0 && counters.size > 0) await tellCounters();
    if (turn % visitorsEvery === 0 && watched.size > 0) await tellVisitors();
  }

  return {
    /** These events are on disk. */
    record(events: readonly JournalEvent[], userAgent: string): void {
      for (const event of events) {
        if (event.n !== undefined && measurements.has(event.n)) continue;
        let here = happened.get(event.s);
        if (here === undefined) {
          here = { events: 0, pageviews: 0, samples: [] };
          happened.set(event.s, here);
        }
        here.events += 1;
        if (event.n === undefined) here.pageviews += 1;
        if (here.samples.length < mostSamples) here.samples.push({ event, userAgent });
      }
    },

    /**
     * Tells what has happened since the last call. Rejects while Redis or the event store can't be
     * asked.
     */
    tellAll: publish,

    start(): void {
      timer = setInterval(() => {
        if (isTelling) return;
        isTelling = true;
        publish()
          .catch((error: unknown) => logger.debug({ err: error }, 'what happens could not be told'))
          .finally(() => {
            isTelling = false;
          });
      }, tellEveryMs).unref();
    },

    stop: (): void => clearInterval(timer),
  };
}

export type LivePublisher = ReturnType<typeof createLivePublisher>;
