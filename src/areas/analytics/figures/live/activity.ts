import type { BusEvent } from '../../../../platform/bus/types.ts';
import { LRUCache } from 'lru-cache';
import { parseUserAgent, unreportedAgent, type UserAgent } from '../../enrichment/user-agent.ts';
import type { JournalEvent } from '../../store/journal-record.ts';
import { measurements } from '../../store/events.ts';

/** An event with the user agent of its request. */
export interface Sample {
  event: JournalEvent;
  userAgent: string;
}

/** The events of a site since the last publication. */
export interface SiteActivity {
  events: number;
  pageviews: number;
  /** The first few. */
  samples: Sample[];
}

const maxSamples = 5;

/** Counts events by site number. Called for every event. */
export function recordActivity(
  activity: Map<number, SiteActivity>,
  events: readonly JournalEvent[],
  userAgent: string,
): void {
  for (const event of events) {
    if (event.n !== undefined && measurements.has(event.n)) continue;
    let site = activity.get(event.s);
    if (site === undefined) {
      site = { events: 0, pageviews: 0, samples: [] };
      activity.set(event.s, site);
    }
    site.events += 1;
    if (event.n === undefined) site.pageviews += 1;
    if (site.samples.length < maxSamples) site.samples.push({ event, userAgent });
  }
}

/** Returns a function that formats samples as messages without data that identifies visitors. */
export function createSampleFormatter() {
  const agents = new LRUCache<string, UserAgent>({ max: 1000 });
  return ({ event, userAgent }: Sample, skipped: number): BusEvent => {
    const text = event.a ?? userAgent;
    const agent = event.b === 0 ? unreportedAgent : (agents.get(text) ?? parseUserAgent(text));
    if (event.b !== 0) agents.set(text, agent);
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
