import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { type App, buildApp, type Overrides } from '../../app/app.ts';
import { parseConfig } from '../../config.ts';
import { dayMs, hourMs } from '../../lib/durations.ts';
import { randomSecret } from '../../lib/secrets/secrets.ts';
import { formatNumber } from '../../platform/i18n/numbers.ts';
import { createLogger } from '../../platform/process/logger.ts';
import { CommandError } from '../service/command.ts';
import { crowdThreads } from './crowds.ts';
import { deviceThreads } from './devices.ts';
import { addHistory, type TapCount } from './history.ts';
import { adminEmails, countryOf, type Person, peopleOf, peopleThreads } from './people.ts';
import { createRandom } from './random.ts';
import { scriptThreads } from './script.ts';
import { type Act, createMovingClock, createStage, playActs, type Stage } from './stage.ts';
import { type Story, storyDays, storyOf } from './story.ts';
import { trafficOf } from './traffic.ts';
import type { DemoEvent } from './visits.ts';

export interface FillOptions extends Pick<Overrides, 'newWorker' | 'webFolder'> {
  dataDir: string;
  /** Where the service will listen. */
  port: number;
  seed: string;
  /** Amount of traffic; 1 is about a quarter of a million events. Nothing else scales. */
  scale: number;
  /** Shows the progress: `share` is from 0 to 1, `what` names the current step. */
  show: (share: number, what: string) => void;
  /** Stops filling early. */
  stop: AbortSignal;
  /** The end of the story, Unix ms. Default: now. */
  until?: number;
}

interface Filling extends FillOptions {
  base: string;
  app: App;
  stage: Stage;
  clock: ReturnType<typeof createMovingClock>;
  story: Story;
  people: readonly Person[];
  /** Taps so far, by the code of the tag. */
  taps: Map<string, TapCount>;
}

const batchSize = 2000;
/** Share of the total time that events take, for the progress display. */
const eventsShare = 0.72;

function throwIfStopped(stop: AbortSignal): void {
  if (stop.aborted)
    throw new CommandError('Stopped before the demo was complete. The next start recreates it.', {
      exitCode: 130,
    });
}

/** Adds the taps among events to the counts of their tags. */
function countTaps(taps: Map<string, TapCount>, events: readonly DemoEvent[]): void {
  for (const { event, tag, timestamp } of events) {
    if (event !== 'nfc_tap' || tag == null) continue;
    taps.set(tag, { taps: (taps.get(tag)?.taps ?? 0) + 1, last: timestamp });
  }
}

/** Stores a year of events in batches, each received at the time of its last one. */
async function storeTraffic(filling: Filling): Promise<number> {
  const { stage, clock, story, show, stop } = filling;
  let [stored, day, waiting] = [0, 0, new Array<DemoEvent>()];

  async function store(events: DemoEvent[]): Promise<void> {
    clock.set(events.at(-1)?.timestamp ?? story.from);
    await stage.ask('POST /analytics/batch', { events }, 'operator');
    stored += events.length;
  }

  for (const events of trafficOf(filling)) {
    throwIfStopped(stop);
    countTaps(filling.taps, events);
    waiting.push(...events);
    for (; waiting.length >= batchSize; waiting = waiting.slice(batchSize))
      await store(waiting.slice(0, batchSize));
    day += 1;
    show((eventsShare * day) / storyDays, `a year of traffic, ${formatNumber(stored)} events`);
  }
  if (waiting.length > 0) await store(waiting);
  return stored;
}

/** Plays what people did over the year. */
async function playStory(filling: Filling): Promise<void> {
  const { app, seed, story, stage, clock, people, taps, show, stop } = filling;
  const random = createRandom(`${seed} crowds`);
  const threads = [
    ...peopleThreads(people, story),
    ...deviceThreads(people, story),
    ...people.slice(0, 1).flatMap((admin) => scriptThreads(admin, story)),
    ...crowdThreads({ random, story }),
  ];
  // Every few days, requests and approvals end that nobody decided or used.
  const sweeps = Array.from({ length: storyDays / 5 }, (_, index): Act => ({
    at: story.from + 5 * (index + 1) * dayMs - hourMs,
    play: () => app.services.devices.sweep.sweep(),
  }));
  const acts = [...sweeps, ...threads.flatMap(stage.actsOf)].filter(({ at }) => at <= story.until);
  let played = 0;
  await playActs(acts, clock, async () => {
    await stage.settle();
    throwIfStopped(stop);
    played += 1;
    const share = eventsShare + (0.96 - eventsShare) * (played / acts.length);
    show(share, 'people, devices, incidents');
  });
  await addHistory(app.stores.db, story.until, taps);
}

/**
 * Waits until what repeats has run once, at the end of the story: the console would otherwise show
 * runs of a year ago. A kind that fails is not waited for longer than some seconds.
 */
async function firstRuns({ app, stop }: Filling): Promise<void> {
  const { queues } = app.services;
  for (let tries = 0; tries < 100; tries += 1) {
    throwIfStopped(stop);
    const kinds = await queues.kinds();
    const isDone = kinds.every(
      ({ everyMs, last_success_at: at }) => everyMs === null || at !== null,
    );
    if (isDone) return;
    await delay(100);
  }
}

async function fillApp(filling: Filling): Promise<number> {
  const { app, clock, story, show } = filling;
  const { db, pipeline } = app.stores;
  const { status, audit, queues } = app.services;
  // The recorder's timers would otherwise read the moving clock at arbitrary times.
  await status.stop();
  // Safe, because a folder that is not marked as filled is discarded.
  await sql`set synchronous_commit to off`.execute(db);
  const events = await storeTraffic(filling);
  clock.set(story.until);
  await queues.start();
  await firstRuns(filling);
  await playStory(filling);
  show(0.97, 'waiting for the event store');
  await audit.settled();
  await sql`set synchronous_commit to on`.execute(db);
  await pipeline.journal.sync();
  await pipeline.thread.drain(pipeline.journal.position());
  // A heartbeat: otherwise the next start would report an outage since the story began.
  clock.set(Date.now());
  await status.recorder.tick();
  return events;
}

/**
 * Fills an empty data folder with a year of a small shop and its blog: sends requests to the
 * service, whose clock moves through that year, and reads its messages, which it keeps. Rejects
 * with a CommandError when stopped, which leaves the folder half-filled.
 */
export async function fillDemo(options: FillOptions): Promise<{ events: number; people: number }> {
  const { dataDir, port, seed, until = Date.now(), newWorker, webFolder } = options;
  const story = storyOf(until);
  const clock = createMovingClock(story.from);
  const base = `http://127.0.0.1:${port}`;
  const key = randomSecret();
  const config = parseConfig({
    ...{ NODE_ENV: 'production', LOG_LEVEL: 'error', DATA_DIR: dataDir, BASE_URL: base },
    ...{ ADMIN_EMAILS: adminEmails.join(','), ADMIN_API_KEY: key, DEVICE_BINDING: 'none' },
    ...{ RATE_LIMIT: 'off', OTP_LIMITS: 'off', SITE_REGISTRATION: 'open' },
  });
  const app = await buildApp(config, {
    ...{ clock, logger: createLogger({ level: 'error' }), keepsMessages: true },
    ...(newWorker === undefined ? {} : { newWorker }),
    ...(webFolder === undefined ? {} : { webFolder }),
  });
  app.services.geoip.country = countryOf;
  const people = peopleOf(seed, story);
  const admins = people.filter(({ role }) => role === 'admin');
  const stage = createStage({ app, clock, base, key, admins });
  try {
    const filling = { ...options, app, stage, clock, story, people, base, taps: new Map() };
    const events = await fillApp(filling);
    return { events, people: people.length };
  } finally {
    await app.http.close();
  }
}
