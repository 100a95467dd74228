import type { Random } from './random.ts';
import { storyOf } from './story.ts';
import { type DemoEvent, makeVisit, visitorOf } from './visits.ts';

export interface LiveOptions {
  /** The service's own address. */
  base: string;
  /** An API key with write access, which lets an event name its own country and browser. */
  key: string;
  random: Random;
}

// Close to the hourly rate of the generated year: otherwise every chart would end in a spike.
const intervalMs = 12_000;
/** The first events are sent faster, so that the dashboard shows live visitors at once. */
const [initialEvents, initialIntervalMs] = [12, 600];
const maxVisits = 25;
const timeoutMs = 5000;

/** Creates a function that returns the next event of one of several visits, without a timestamp. */
export function createLiveVisits(random: Random, now: () => number = Date.now) {
  const visits: DemoEvent[][] = [];

  return (): Omit<DemoEvent, 'timestamp'> & { timestamp: undefined } => {
    if (visits.length === 0 || (visits.length < maxVisits && random.chance(0.35))) {
      const site = random.pick(['shop.example', 'shop.example', 'blog.example'] as const);
      const [startsAt, visitor] = [now(), visitorOf(random, site)];
      const story = storyOf(startsAt);
      visits.push(
        makeVisit({ random, site, visitor, startsAt, story, becomeCustomer: () => visitor }),
      );
    }
    const visit = random.pick(visits);
    const event = visit.shift();
    if (visit.length === 0) visits.splice(visits.indexOf(visit), 1);
    if (event === undefined) throw new Error('a live visit had no events');
    return { ...event, timestamp: undefined };
  };
}

/**
 * Sends a dozen events to the service within the first seconds, then one about every twelve
 * seconds, until the process ends. Failures are ignored: the service may be shutting down.
 */
export function startLiveTraffic({ base, key, random }: LiveOptions): void {
  const next = createLiveVisits(random);

  async function send(): Promise<void> {
    const response = await fetch(`${base}/analytics/track/`, {
      method: 'POST',
      body: JSON.stringify(next()),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.arrayBuffer();
  }

  function scheduleNext(sent: number): void {
    const paceMs = sent < initialEvents ? initialIntervalMs : intervalMs;
    const sendAndGoOn = () => {
      send().catch(() => undefined);
      scheduleNext(sent + 1);
    };
    setTimeout(sendAndGoOn, paceMs * (0.4 + random.next() * 1.2)).unref();
  }

  scheduleNext(0);
}
