import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import { withTimeout } from '../../lib/concurrency/with-timeout.ts';
import { type Journal, openJournal } from '../../platform/journal/journal.ts';
import { comparePositions, type Position } from '../../platform/journal/position.ts';
import { superviseEventThread, type SupervisedThread } from './worker/supervised-thread.ts';
import type { WorkerFactory } from './worker/worker-factory.ts';
import { createBacklog } from './ingest/backlog.ts';
import { createIdLog } from './ingest/duplicates/id-log.ts';
import { journalIds } from './ingest/duplicates/journal-ids.ts';
import { createRecentIds, type RecentIds } from './ingest/duplicates/recent-ids.ts';

export interface PipelineOptions {
  dataDir: string;
  eventsPath: string;
  newWorker: WorkerFactory;
  segmentSize: number;
  backlogLimit: number;
  dedupeWindowMs: number;
  /** Maximum bytes of memory for the ids of the window. */
  dedupeMemoryLimit: number;
  clock: Clock;
  logger: Logger;
}

const pendingLimit = 64 * 1024 * 1024;
const syncDelayMs = 50;
const idleSegmentBytes = 64 * 1024;

async function openEventJournal(
  { segmentSize, backlogLimit, clock, logger }: PipelineOptions,
  dir: string,
): Promise<Journal> {
  const journal = await openJournal({
    dir,
    segmentSize,
    backlogLimit,
    pendingLimit,
    clock,
    onError: (err) => logger.error({ err }, 'the journal could not be written'),
  });
  const { recovery } = journal;
  if (/[1-9]/.test(JSON.stringify(recovery)))
    logger.warn({ recovery }, 'the journal was repaired after an unclean shutdown');
  return journal;
}

/** Releases journal segments whose events are in the store, one release at a time. */
function createReleaser(journal: Journal, recentIds: Pick<RecentIds, 'isLoaded'>, logger: Logger) {
  let checkpoint = journal.start();
  let releasing = Promise.resolve();

  async function release(position: Position): Promise<void> {
    checkpoint = position;
    // The recent ids are still being loaded from the journal.
    if (!recentIds.isLoaded()) return;
    await journal.release(position);
    const end = journal.position();
    if (comparePositions(position, end) === 0 && end.offset > idleSegmentBytes)
      await journal.rotate();
  }

  return {
    checkpoint: (): Position => checkpoint,

    releaseUpTo: (position: Position): void => {
      releasing = releasing
        .then(() => release(position))
        .catch((err: unknown) => logger.warn({ err }, 'journal segments could not be removed'));
    },

    /** Resolves when no release is running. */
    idle: (): Promise<void> => releasing,
  };
}

/** Opens the event pipeline: journal, recent ids, and the thread that owns the event store. */
export async function openPipeline(options: PipelineOptions) {
  const { dataDir, eventsPath, newWorker, dedupeWindowMs: windowMs, clock, logger } = options;
  const folders = { journalDir: join(dataDir, 'journal'), idsDir: join(dataDir, 'ids') };
  const journal = await openEventJournal(options, folders.journalDir);
  const backlog = createBacklog(() => journal.position());
  let failure: Error | undefined;
  const recentIds = createRecentIds({
    ...folders,
    windowMs,
    maxBytes: options.dedupeMemoryLimit,
    clock,
    logger,
    bounds: () => ({ start: journal.start(), end: journal.position() }),
  });
  const releaser = createReleaser(journal, recentIds, logger);
  const thread = await superviseEventThread({
    newWorker,
    settings: { ...folders, eventsPath, dedupeWindowMs: windowMs },
    bounds() {
      if (failure !== undefined) copyIds(releaser.checkpoint());
      return { journalStart: journal.start(), journalEnd: journal.position() };
    },
    onCheckpoint: releaser.releaseUpTo,
    onApplied: (position, events) => backlog.applied(position, events),
    onLog: (level, message) => logger[level](message),
    onCrash(error) {
      failure = error;
      logger.error(
        { err: error },
        'the event store has stopped; events are kept in the journal until it can be opened again',
      );
    },
    onRestart() {
      failure = undefined;
      thread.synced(journal.position());
      logger.info('the event store is open again');
    },
  });
  void recentIds.loaded.then(() => releaser.releaseUpTo(releaser.checkpoint()));
  const stopNotifying = notifyOfSync(journal, thread);

  return {
    journal,
    recentIds,
    thread,
    backlog,

    /** Returns the error that stopped the event store; undefined while it is running. */
    failure: (): Error | undefined => failure,

    /** Waits up to `ms` for the store to have all durable events. Resolves to whether it has. */
    async drain(ms: number): Promise<boolean> {
      const drained = thread.drain(journal.position()).then(
        () => true,
        () => false,
      );
      return withTimeout(drained, ms, () => false);
    },

    async close(): Promise<void> {
      stopNotifying();
      await recentIds.stop();
      await thread.stop();
      // The last checkpoint of the thread releases segments.
      await releaser.idle();
      await journal.close();
    },

    /**
     * Ends the thread immediately, so that the process can exit: exiting while the thread uses the
     * store would abort the process. No acknowledged event is lost: the next start continues with
     * the journal.
     */
    halt: (): Promise<void> => thread.halt(),
  };

  /**
   * Copies the ids in the journal, starting at `from`, to the id files. A restarted thread
   * continues after its last commit, so it would not see all of them before their segment is
   * removed.
   */
  function copyIds(from: Position): void {
    const log = createIdLog({ dir: folders.idsDir, windowMs, clock, writer: 'start' });
    for (const found of journalIds(folders.journalDir, from, journal.position())) {
      for (const { siteId, id } of found) log.add(siteId, id);
    }
    log.sync();
    log.close();
  }
}

/** Notifies the thread when the journal has been synced, at most every 50 ms. */
function notifyOfSync(journal: Journal, thread: Pick<SupervisedThread, 'synced'>): () => void {
  let timer: NodeJS.Timeout | undefined;
  const unsubscribe = journal.onSynced(() => {
    timer ??= setTimeout(() => {
      timer = undefined;
      thread.synced(journal.position());
    }, syncDelayMs);
  });
  return () => {
    unsubscribe();
    clearTimeout(timer);
  };
}

export type Pipeline = Awaited<ReturnType<typeof openPipeline>>;
