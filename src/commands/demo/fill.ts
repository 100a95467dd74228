import { sql } from 'kysely';
import { type App, buildApp, type Overrides } from '../../app/app.ts';
import { parseConfig } from '../../config.ts';
import { createLogger } from '../../platform/process/logger.ts';
import { CommandError } from '../service/command.ts';
import { deviceActs } from './stories/device-acts.ts';
import { figureActs } from './stories/figure-acts.ts';
import type { DemoEvent } from './page-writer.ts';
import { adminEmails, peopleOf } from './people.ts';
import { noteLastSeen, peopleActs } from './stories/people-acts.ts';
import type { FillProgress } from './progress.ts';
import { createRandom } from './random.ts';
import { recordActs } from './stories/record-acts.ts';
import { statusActs } from './stories/status-acts.ts';
import { storyDays, storyOf } from './stories/story.ts';
import { createMovingClock, playActs } from './stories/timeline.ts';
import { trafficOf } from './traffic.ts';
import type { World } from './world.ts';

export interface FillOptions extends Pick<Overrides, 'newWorker' | 'webFolder'> {
  dataDir: string;
  /** Where the service will listen. */
  port: number;
  seed: string;
  /** How many events: 1 is about half a million. People and incidents are the same at any scale. */
  scale: number;
  progress: Pick<FillProgress, 'show'>;
  /** Ends the filling early. */
  stop: AbortSignal;
  /** The end of the story, Unix ms. Default: now. */
  until?: number;
}

const batch = 2000;
/** Most of the time goes into events. */
const eventsShare = 0.72;
/** Any browser: which one an event comes from is said by the event itself. */
const importer = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

function refuseStopped(stop: AbortSignal): void {
  if (stop.aborted)
    throw new CommandError('Stopped before the demo was complete. The next start makes it anew.', {
      exitCode: 130,
    });
}

/** Stores events as a isTrusted batch that came when the last of them happened. */
async function store({ services }: App, events: readonly DemoEvent[]): Promise<number> {
  const receivedAt = events.reduce((latest, { timestamp }) => Math.max(latest, timestamp), 0);
  const context = {
    receivedAt,
    ip: '127.0.0.1',
    userAgent: importer,
    acceptLanguage: undefined,
    optOut: { gpc: false, dnt: false },
    isTrusted: true,
    clockSkewMs: 0,
  };
  const { accepted, rejected } = await services.ingest.trackBatch(events, undefined, context);
  const [first] = rejected;
  if (first !== undefined)
    throw new Error(`an event of the demo was refused: ${first.code} ${first.message}`);
  return accepted;
}

async function storeTraffic(
  world: World,
  { seed, scale, progress, stop }: FillOptions,
): Promise<number> {
  let stored = 0;
  let waiting: DemoEvent[] = [];
  for (const { index, events } of trafficOf({ seed, story: world.story, scale })) {
    refuseStopped(stop);
    waiting.push(...events);
    while (waiting.length >= batch) {
      stored += await store(world.app, waiting.slice(0, batch));
      waiting = waiting.slice(batch);
    }
    progress.show(
      (eventsShare * (index + 1)) / storyDays,
      `a year of traffic, ${stored.toLocaleString('en')} events`,
    );
  }
  return waiting.length === 0 ? stored : stored + (await store(world.app, waiting));
}

/** Whether commits wait for the disk. Nobody relies on a folder that is not marked as filled. */
async function setPatience({ app }: World, waits: 'on' | 'off'): Promise<void> {
  await sql`set synchronous_commit to ${sql.raw(waits)}`.execute(app.stores.db);
}

async function playLives(
  world: World,
  base: string,
  { progress, stop }: FillOptions,
): Promise<void> {
  const acts = [
    ...peopleActs(world),
    ...deviceActs(world),
    ...statusActs(world, base),
    ...figureActs(world),
    ...recordActs(world),
  ];
  let played = 0;
  await setPatience(world, 'off');
  await playActs(acts, world.clock, () => {
    refuseStopped(stop);
    played += 1;
    progress.show(
      eventsShare + (0.96 - eventsShare) * (played / acts.length),
      'people, devices, incidents',
    );
  });
  await noteLastSeen(world);
}

/** Records that the service runs: else its start would find an outage since the story began. */
async function beat({ app, clock }: World): Promise<void> {
  clock.set(Date.now());
  await app.services.status.recorder.tick();
}

async function fillApp(
  app: App,
  world: World,
  base: string,
  options: FillOptions,
): Promise<{ events: number; people: number }> {
  // The recorder's timers would look at the moving clock at moments of their own.
  await app.services.status.stop();
  const events = await storeTraffic(world, options);
  await playLives(world, base, options);
  options.progress.show(0.97, 'waiting for the event store');
  await app.services.audit.settled();
  await setPatience(world, 'on');
  const { journal, thread } = app.stores.pipeline;
  await journal.sync();
  await thread.drain(journal.position());
  await beat(world);
  return { events, people: world.people.length };
}

/**
 * Fills an empty data folder with a year of a small shop and its blog, through the services with a
 * clock that moves along the year. Nothing is sent to anybody: it runs as in production without
 * mail and SMS. Where a service can't make history (messages, confirmed addresses, spans of checks,
 * uses of devices) the statements of its own store are used, with times of the past. Rejects with a
 * CommandError when it was stopped; the folder is half-filled then.
 */
export async function fillDemo(options: FillOptions): Promise<{ events: number; people: number }> {
  const { dataDir, port, seed, until = Date.now(), newWorker, webFolder } = options;
  const story = storyOf(until);
  const clock = createMovingClock(story.from);
  const base = `http://127.0.0.1:${port}`;
  const config = parseConfig({
    NODE_ENV: 'production',
    DATA_DIR: dataDir,
    BASE_URL: base,
    ADMIN_EMAILS: adminEmails.join(','),
    LOG_LEVEL: 'error',
    RATE_LIMIT: 'off',
    SITE_REGISTRATION: 'open',
  });
  const app = await buildApp(config, {
    clock,
    logger: createLogger({ level: 'error' }),
    ...(newWorker === undefined ? {} : { newWorker }),
    ...(webFolder === undefined ? {} : { webFolder }),
  });
  const world: World = {
    app,
    clock,
    story,
    random: createRandom(`${seed} lives`),
    people: peopleOf(seed, story),
    ids: new Map(),
  };
  try {
    return await fillApp(app, world, base, options);
  } finally {
    await app.http.close();
  }
}
