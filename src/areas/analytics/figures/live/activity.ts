import type { BusEvent } from '../../../../platform/bus/types.ts';
import { LRUCache } from 'lru-cache';
import { parseUserAgent, type UserAgent } from '../../enrichment/user-agent.ts';
import type { JournalEvent } from '../../ingest/journal-record.ts';
import { measurements } from '../../store/events.ts';

/** An event with the user agent of its request. */
export interface Sample {
  event: JournalEvent;
  userAgent: string;
}

/** What happened on a site since the last publication. */
export interface SiteActivity {
  events: number;
  pageviews: number;
  /** The first few. */
  samples: Sample[];
}

const maxSamples = 5;

/** Counts events for their sites, by the number of the site. Called for every event. */
export function recordActivity(
  activity: Map<number, SiteActivity>,
  events: readonly JournalEvent[],
  userAgent: string,
): void {
  for (const event of events) {
    if (event.n !== undefined && measurements.has(event.n)) continue;
    let here = activity.get(event.s);
    if (here === undefined) {
      here = { events: 0, pageviews: 0, samples: [] };
      activity.set(event.s, here);
    }
    here.events += 1;
    if (event.n === undefined) here.pageviews += 1;
    if (here.samples.length < maxSamples) here.samples.push({ event, userAgent });
  }
}

/** Writes samples as messages, without anything that identifies the visitor. */
export function createSampleFormatter() {
  const agents = new LRUCache<string, UserAgent>({ max: 1000 });
  return ({ event, userAgent }: Sample, skipped: number): BusEvent => {
    const text = event.a ?? userAgent;
    const agent = agents.get(text) ?? parseUserAgent(text);
    agents.set(text, agent);
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
  };
}
