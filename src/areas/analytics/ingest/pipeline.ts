import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '../../../lib/clock.ts';
import { withTimeout } from '../../../lib/concurrency/with-timeout.ts';
import { type Journal, openJournal } from '../../../platform/journal/journal.ts';
import { comparePositions, type Position } from '../../../platform/journal/position.ts';
import { createBacklog } from './backlog.ts';
import { journalIds } from './duplicates/journal-ids.ts';
import { createRecentIds } from './duplicates/recent-ids.ts';
import { superviseEventThread } from '../worker/supervised-thread.ts';
import type { WorkerFactory } from '../worker/worker-factory.ts';
import { createIdLog } from './duplicates/id-log.ts';

export interface PipelineOptions {
  dataDir: string;
  eventsPath: string;
  newWorker: WorkerFactory;
  segmentSize: number;
  backlogLimit: number;
  dedupeWindowMs: number;
  /** Bytes of memory for the ids of that window. */
  dedupeMemoryLimit: number;
  clock: Clock;
  logger: Logger;
}

const pendingLimit = 64 * 1024 * 1024;
const tellAfterMs = 50;
const idleSegmentBytes = 64 * 1024;

function logRecovery(journal: Journal, logger: Logger): void {
  const { recovery } = journal;
  if (/[1-9]/.test(JSON.stringify(recovery)))
    logger.warn({ recovery }, 'the journal was mended after an unclean end');
}

/**
 * The durable way of events: journal, remembered ids, and the thread that carries the journal into
 * the store.
 */
export async function openPipeline(options: PipelineOptions) {
  const {
    dataDir,
    eventsPath,
    newWorker,
    segmentSize,
    backlogLimit,
    dedupeWindowMs,
    dedupeMemoryLimit,
    clock,
    logger,
  } = options;
  const journalDir = join(dataDir, 'journal');
  const idsDir = join(dataDir, 'ids');
  const journal = await openJournal({
    dir: journalDir,
    segmentSize,
    backlogLimit,
    pendingLimit,
    clock,
    onError: (err) => logger.error({ err }, 'the journal could not be written'),
  });
  logRecovery(journal, logger);
  const backlog = createBacklog(() => journal.position());
  let failure: Error | undefined;
  let checkpointed = journal.start();
  const remembered = createRecentIds({
    journalDir,
    idsDir,
    windowMs: dedupeWindowMs,
    maxBytes: dedupeMemoryLimit,
    clock,
    logger,
    bounds: () => ({ start: journal.start(), end: journal.position() }),
  });

  /**
   * Writes ids of the journal from `from` on to the id files. The event store goes on behind its
   * last commit, so its thread does not see all of them again before their segment is removed.
   */
  function logIds(from: Position): void {
    const idLog = createIdLog({ dir: idsDir, windowMs: dedupeWindowMs, clock, writer: 'start' });
    for (const found of journalIds(journalDir, from, journal.position())) {
      for (const { site, id } of found) idLog.add(site, id);
    }
    idLog.sync();
    idLog.close();
  }

  async function release(position: Position): Promise<void> {
    checkpointed = position;
    // Until the ids of the journal are loaded it is needed.
    if (!remembered.isLoaded()) return;
    await journal.release(position);
    const end = journal.position();
    if (comparePositions(position, end) === 0 && end.offset > idleSegmentBytes)
      await journal.rotate();
  }

  let releasing = Promise.resolve();
  /** One after the other, so that closing knows when the last one is done. */
  function releaseUpTo(position: Position): void {
    releasing = releasing
      .then(() => release(position))
      .catch((err: unknown) => logger.warn({ err }, 'journal segments could not be removed'));
  }

  const thread = await superviseEventThread({
    newWorker,
    settings: { journalDir, idsDir, eventsPath, dedupeWindowMs },
    bounds() {
      if (failure !== undefined) logIds(checkpointed);
      return { journalStart: journal.start(), journalEnd: journal.position() };
    },
    onCheckpoint: releaseUpTo,
    onApplied: (position, events) => {
      backlog.applied(position, events);
    },
    onLog: (level, message) => logger[level](message),
    onDeath(error) {
      failure = error;
      logger.error(
        { err: error },
        'the event store has stopped; events are kept in the journal until it can be opened again',
      );
    },
    onRevival() {
      failure = undefined;
      thread.synced(journal.position());
      logger.info('the event store is open again');
    },
  });
  void remembered.loaded.then(() => releaseUpTo(checkpointed));
  let telling: NodeJS.Timeout | undefined;
  const unsubscribe = journal.onSynced(() => {
    telling ??= setTimeout(() => {
      telling = undefined;
      thread.synced(journal.position());
    }, tellAfterMs);
  });

  return {
    journal,
    remembered,
    thread,
    backlog,
    /** Why the event store does not take events at the moment; undefined while it does. */
    failure: (): Error | undefined => failure,

    /** Waits until the store has all that is durable, at most `limitMs`. True when it has. */
    async drain(limitMs: number): Promise<boolean> {
      const drained = thread.drain(journal.position()).then(
        () => true,
        () => false,
      );
      return withTimeout(drained, limitMs, () => false);
    },

    async close(): Promise<void> {
      unsubscribe();
      clearTimeout(telling);
      await remembered.stop();
      await thread.stop();
      // The thread's last checkpoint lets segments go.
      await releasing;
      await journal.close();
    },

    /**
     * Ends the thread at once, so that the process can exit: one that exits while the thread is at
     * work in the store aborts. Nothing that was acknowledged is lost: the next start goes on with
     * the journal.
     */
    halt: (): Promise<void> => thread.halt(),
  };
}

export type Pipeline = Awaited<ReturnType<typeof openPipeline>>;
