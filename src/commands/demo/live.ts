import { traitsOf } from './audience.ts';
import type { DemoEvent } from './page-writer.ts';
import { originOf } from './places.ts';
import type { Random } from './random.ts';
import { storyOf } from './stories/story.ts';
import { makeVisit } from './visits.ts';

export interface LiveOptions {
  /** The service's own address. */
  base: string;
  /** A key that may write: with it an event may say which country and browser it is from. */
  key: string;
  random: Random;
  now?: () => number;
}

// Not much more than the year before it had in an hour, or every chart would end in a cliff.
const intervalMs = 6000;
/** Who comes for the first time sees people at once: the first events are sent at this pace. */
const [atOnce, atOnceEveryMs] = [12, 600];
const maxVisits = 25;
const timeoutMs = 5000;

/** Visits that go on side by side, of which each call gives the next event of one. */
export function createLiveVisits({ random, now = Date.now }: Pick<LiveOptions, 'random' | 'now'>) {
  const visits: DemoEvent[][] = [];

  function begin(): DemoEvent[] {
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
    const visitor = { traits: traitsOf(random, site), name: { visitor_id: `${random.hex(15)}1` } };
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
    /** It happens now: it has no timestamp. */
    next(): Omit<DemoEvent, 'timestamp'> & { timestamp: undefined } {
      if (visits.length === 0 || (visits.length < maxVisits && random.chance(0.35)))
        visits.push(begin());
      const visit = random.pick(visits);
      const event = visit.shift();
      if (visit.length === 0) visits.splice(visits.indexOf(visit), 1);
      if (event === undefined) throw new Error('a live visit had no events');
      return { ...event, timestamp: undefined };
    },
  };
}

/**
 * Sends a dozen events within the first seconds to the service and then one about every six, as
 * websites do, until the process or the returned function ends it. What can't be sent is forgotten:
 * the service may be stopping.
 */
export function startLiveTraffic({ base, key, random }: LiveOptions): () => void {
  const visits = createLiveVisits({ random });
  let timer: NodeJS.Timeout | undefined;

  async function send(): Promise<void> {
    const answer = await fetch(`${base}/analytics/track/`, {
      method: 'POST',
      body: JSON.stringify(visits.next()),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(timeoutMs),
    });
    await answer.arrayBuffer();
  }

  function plan(sent: number): void {
    const paceMs = sent < atOnce ? atOnceEveryMs : intervalMs;
    timer = setTimeout(
      () => {
        send().catch(() => undefined);
        plan(sent + 1);
      },
      paceMs * (0.4 + random.next() * 1.2),
    ).unref();
  }

  plan(0);
  return () => clearTimeout(timer);
}
