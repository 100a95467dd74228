import { systemRequester } from '../../../../platform/http/requests/requester.ts';
import type { AnalyticsResources } from '../../resources.ts';
import type { JournalEvent } from '../../store/journal-record.ts';
import { createSampleFormatter, recordActivity, type SiteActivity } from './activity.ts';

const tickMs = 250;
const ticksPerCounterUpdate = 4;
const ticksPerVisitorUpdate = 20;
const activeMs = 5 * 60_000;

const siteChannel = (siteKey: string) => `analytics:${siteKey}`;

interface Counter {
  events: number;
  pageviews: number;
  /** Unix ms. */
  since: number;
}

/**
 * Publishes the activity of sites: single events (at most five per 250 ms, with the number of
 * skipped ones), counters every second, and visitors of the last five minutes every five seconds.
 * Publishes nothing for sites without listeners, where an event only increments a counter.
 */
export function createLivePublisher({
  bus,
  sites,
  queries,
  clock,
  logger,
}: Pick<AnalyticsResources, 'bus' | 'sites' | 'queries' | 'clock' | 'logger'>) {
  const requester = systemRequester('visitors now');
  const formatSample = createSampleFormatter();
  /** Since the last publication, by the number of the site. */
  const activity = new Map<number, SiteActivity>();
  /** Since the last publication, by the key of the site. */
  const counters = new Map<string, Counter>();
  /** Keys of the sites whose visitors are published. */
  const watched = new Set<string>();
  let ticks = 0;
  let timer: NodeJS.Timeout | undefined;
  let isPublishing = false;

  return {
    /** Records durable events. */
    record: (events: readonly JournalEvent[], userAgent: string): void =>
      recordActivity(activity, events, userAgent),

    start(): void {
      timer = setInterval(() => {
        if (isPublishing) return;
        isPublishing = true;
        publish()
          .catch((err: unknown) => logger.debug({ err }, 'live activity could not be published'))
          .finally(() => {
            isPublishing = false;
          });
      }, tickMs).unref();
    },

    stop: (): void => clearInterval(timer),
  };

  async function publish(): Promise<void> {
    ticks += 1;
    if (activity.size > 0) await publishActivity();
    if (ticks % ticksPerCounterUpdate === 0) await publishCounters();
    if (ticks % ticksPerVisitorUpdate === 0 && watched.size > 0) await publishVisitors();
  }

  async function publishActivity(): Promise<void> {
    const active = sites.list().flatMap(({ id, key }) => {
      const seen = activity.get(id);
      return seen === undefined ? [] : [{ key, seen }];
    });
    activity.clear();
    const listeners = await bus.listeners(active.map(({ key }) => siteChannel(key)));
    for (const [index, { key, seen }] of active.entries()) {
      if ((listeners[index] ?? 0) === 0) continue;
      watched.add(key);
      addToCounter(key, seen);
      const { events, samples } = seen;
      for (const [at, sample] of samples.entries()) {
        const skipped = at === samples.length - 1 ? events - samples.length : 0;
        await bus.publish(siteChannel(key), formatSample(sample, skipped));
      }
    }
  }

  function addToCounter(key: string, { events, pageviews }: SiteActivity): void {
    const before = counters.get(key) ?? { events: 0, pageviews: 0, since: clock.now() };
    counters.set(key, {
      since: before.since,
      events: before.events + events,
      pageviews: before.pageviews + pageviews,
    });
  }

  async function publishCounters(): Promise<void> {
    const now = clock.now();
    for (const [key, { events, pageviews, since }] of [...counters]) {
      counters.delete(key);
      const data = { events, pageviews, ms: now - since };
      await bus.publish(siteChannel(key), { type: 'counters.tick', data });
    }
  }

  /** Publishes visitors of the last five minutes, for sites with listeners and recent events. */
  async function publishVisitors(): Promise<void> {
    const keys = [...watched];
    const listeners = await bus.listeners(keys.map(siteChannel));
    for (const [index, key] of keys.entries()) {
      const site = sites.peek(key);
      if ((listeners[index] ?? 0) === 0 || site === undefined) {
        watched.delete(key);
        continue;
      }
      const data = { visitors: await countVisitors(site.id) };
      await bus.publish(siteChannel(key), { type: 'visitors.active', data });
    }
  }

  async function countVisitors(siteId: number): Promise<number> {
    const now = clock.now();
    const range = { from: now - activeMs, to: now + 1 };
    const selection = { siteId, range, compare: undefined, buckets: [range.from], filters: [] };
    const answer = await queries.dashboard({ ...selection, bots: false, limit: 0, now }, requester);
    return answer.visitors_now;
  }
}

export type LivePublisher = ReturnType<typeof createLivePublisher>;
