import { sql } from 'kysely';
import { type App, buildApp, type Overrides } from '../../app/app.ts';
import { parseConfig } from '../../config.ts';
import { createLogger } from '../../platform/process/logger.ts';
import { CommandError } from '../service/command.ts';
import { scansOf } from './scans.ts';
import { codeActs } from './stories/code-acts.ts';
import { contactActs } from './stories/contact-acts.ts';
import { deviceActs } from './stories/device-acts.ts';
import { invitationActs } from './stories/invitation-acts.ts';
import { figureActs } from './stories/figure-acts.ts';
import type { DemoEvent } from './page-writer.ts';
import { adminEmails, peopleOf } from './people.ts';
import { noteLastSeen, peopleActs } from './stories/people-acts.ts';
import type { FillProgress } from './progress.ts';
import { createRandom } from './random.ts';
import { recordActs } from './stories/record-acts.ts';
import { statusActs } from './stories/status-acts.ts';
import { waitlistActs } from './stories/waitlist-acts.ts';
import { storyDays, storyOf } from './stories/story.ts';
import { createMovingClock, playActs } from './stories/timeline.ts';
import { trafficOf } from './traffic.ts';
import type { World } from './world.ts';
import { formatNumber } from '../../platform/i18n/numbers.ts';

export interface FillOptions extends Pick<Overrides, 'newWorker' | 'webFolder'> {
  dataDir: string;
  /** Where the service will listen. */
  port: number;
  seed: string;
  /** Amount of traffic; 1 is about half a million events. People and incidents do not scale. */
  scale: number;
  progress: Pick<FillProgress, 'show'>;
  /** Stops filling early. */
  stop: AbortSignal;
  /** The end of the story, Unix ms. Default: now. */
  until?: number;
}

const batchSize = 2000;
/** Share of the total time that events take, for the progress display. */
const eventsShare = 0.72;
/** Any browser will do: each event names its own. */
const importerUserAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

function throwIfStopped(stop: AbortSignal): void {
  if (stop.aborted)
    throw new CommandError('Stopped before the demo was complete. The next start makes it anew.', {
      exitCode: 130,
    });
}

/**
 * Stores events as a trusted batch, received at the time of the latest event. Resolves with the
 * number of accepted events.
 */
async function store({ services }: App, events: readonly DemoEvent[]): Promise<number> {
  const receivedAt = events.reduce((latest, { timestamp }) => Math.max(latest, timestamp), 0);
  const context = {
    receivedAt,
    ip: '127.0.0.1',
    userAgent: importerUserAgent,
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
  base: string,
  { seed, scale, progress, stop }: FillOptions,
): Promise<number> {
  let stored = 0;
  let waiting: DemoEvent[] = [];
  for (const { index, events } of trafficOf({ seed, story: world.story, scale })) {
    throwIfStopped(stop);
    const scans = scansOf({ seed, story: world.story, base, index });
    waiting.push(...[...events, ...scans].sort((a, b) => a.timestamp - b.timestamp));
    while (waiting.length >= batchSize) {
      stored += await store(world.app, waiting.slice(0, batchSize));
      waiting = waiting.slice(batchSize);
    }
    progress.show(
      (eventsShare * (index + 1)) / storyDays,
      `a year of traffic, ${formatNumber(stored)} events`,
    );
  }
  return waiting.length === 0 ? stored : stored + (await store(world.app, waiting));
}

/**
 * Sets whether commits wait for the disk. `off` is safe while filling: a folder that is not marked
 * as filled is discarded.
 */
async function setSynchronousCommit({ app }: World, value: 'on' | 'off'): Promise<void> {
  await sql`set synchronous_commit to ${sql.raw(value)}`.execute(app.stores.db);
}

async function playStory(
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
    ...invitationActs(world),
    ...contactActs(world),
    ...waitlistActs(world),
    ...codeActs(world),
  ];
  let played = 0;
  await setSynchronousCommit(world, 'off');
  await playActs(acts, world.clock, () => {
    throwIfStopped(stop);
    played += 1;
    progress.show(
      eventsShare + (0.96 - eventsShare) * (played / acts.length),
      'people, devices, incidents',
    );
  });
  await noteLastSeen(world);
}

/** Records a heartbeat: otherwise the next start would report an outage since the story began. */
async function recordHeartbeat({ app, clock }: World): Promise<void> {
  clock.set(Date.now());
  await app.services.status.recorder.tick();
}

async function fillApp(
  app: App,
  world: World,
  base: string,
  options: FillOptions,
): Promise<{ events: number; people: number }> {
  // The recorder's timers would otherwise read the moving clock at arbitrary times.
  await app.services.status.stop();
  const events = await storeTraffic(world, base, options);
  await playStory(world, base, options);
  options.progress.show(0.97, 'waiting for the event store');
  await app.services.audit.settled();
  await setSynchronousCommit(world, 'on');
  const { journal, thread } = app.stores.pipeline;
  await journal.sync();
  await thread.drain(journal.position());
  await recordHeartbeat(world);
  return { events, people: world.people.length };
}

/**
 * Fills an empty data folder with a year of a small shop and its blog by calling the services,
 * whose clock moves through that year. No message is sent: the configuration is that of production
 * without mail and SMS. Where a service cannot create history (messages, confirmed addresses,
 * results of checks, uses of devices), its store is called with past times instead. Rejects with a
 * CommandError when stopped, which leaves the folder half-filled.
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
