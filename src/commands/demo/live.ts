import { randomTraits } from './audience.ts';
import type { DemoEvent } from './page-writer.ts';
import { originOf } from './places.ts';
import type { Random } from './random.ts';
import { storyOf } from './stories/story.ts';
import { makeVisit } from './visits.ts';

export interface LiveOptions {
  /** The service's own address. */
  base: string;
  /** An API key with write access, which lets an event name its own country and browser. */
  key: string;
  random: Random;
  now?: () => number;
}

// Close to the hourly rate of the generated year: otherwise every chart would end in a spike.
const intervalMs = 6000;
/** The first events are sent faster, so that the dashboard shows live visitors at once. */
const [initialEvents, initialIntervalMs] = [12, 600];
const maxVisits = 25;
const timeoutMs = 5000;

/** Simulates concurrent visits: each call of `next` returns the next event of one of them. */
export function createLiveVisits({ random, now = Date.now }: Pick<LiveOptions, 'random' | 'now'>) {
  const visits: DemoEvent[][] = [];

  function startVisit(): DemoEvent[] {
    const site = random.weighted([
      ['shop.example', 3],
      ['blog.example', 2],
    ] as const);
    const startsAt = now();
    const { campaigns } = storyOf(startsAt);
    const origin = originOf(
      random,
      site,
      campaigns.filter((campaign) => campaign.site === site),
      startsAt,
    );
    const visitor = {
      traits: randomTraits(random, site),
      name: { visitor_id: `${random.hex(15)}1` },
    };
    return makeVisit({
      random,
      site,
      visitor,
      origin,
      startsAt,
      until: startsAt,
      canBuy: () => true,
    });
  }

  return {
    /** Returns an event without a timestamp, as it happens now. */
    next(): Omit<DemoEvent, 'timestamp'> & { timestamp: undefined } {
      if (visits.length === 0 || (visits.length < maxVisits && random.chance(0.35)))
        visits.push(startVisit());
      const visit = random.pick(visits);
      const event = visit.shift();
      if (visit.length === 0) visits.splice(visits.indexOf(visit), 1);
      if (event === undefined) throw new Error('a live visit had no events');
      return { ...event, timestamp: undefined };
    },
  };
}

/**
 * Sends a dozen events to the service within the first seconds, then one about every six seconds,
 * until the process ends or the returned function is called. Failures are ignored: the service may
 * be shutting down.
 */
export function startLiveTraffic({ base, key, random }: LiveOptions): () => void {
  const visits = createLiveVisits({ random });
  let timer: NodeJS.Timeout | undefined;

  async function send(): Promise<void> {
    const response = await fetch(`${base}/analytics/track/`, {
      method: 'POST',
      body: JSON.stringify(visits.next()),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.arrayBuffer();
  }

  function scheduleNext(sent: number): void {
    const paceMs = sent < initialEvents ? initialIntervalMs : intervalMs;
    timer = setTimeout(
      () => {
        send().catch(() => undefined);
        scheduleNext(sent + 1);
      },
      paceMs * (0.4 + random.next() * 1.2),
    ).unref();
  }

  scheduleNext(0);
  return () => clearTimeout(timer);
}
