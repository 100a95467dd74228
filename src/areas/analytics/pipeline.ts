import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import { createIdSet, type IdSet, writeIdKey } from '../../lib/id-set.ts';
import type { StorePosition } from '../../platform/events/types.ts';
import { type Journal, openJournal } from '../../platform/journal/journal.ts';
import { comparePositions } from '../../platform/journal/position.ts';
import { createJournalReader } from '../../platform/journal/reader.ts';
import { startEventThread } from './event-thread.ts';
import { parseRecord } from './record.ts';
import type { IdLog } from './worker/applier.ts';
import { createIdLog, loadIds } from './worker/id-log.ts';

export interface PipelineOptions {
  dataDir: string;
  eventsPath: string;
  workerScript: URL;
  segmentSize: number;
  backlogLimit: number;
  dedupeWindowMs: number;
  clock: Clock;
  logger: Logger;
}

const pendingLimit = 64 * 1024 * 1024;
const tellAfterMs = 20;
const idleSegmentBytes = 64 * 1024;

/**
 * Takes the ids of events that are in the journal but not in the id files, and adds them to the files: the event
 * store goes on behind its last commit, so its thread does not see all of them again before their segment is removed.
 */
function loadJournalIds(journal: Journal, dir: string, ids: IdSet, idLog: IdLog): void {
  const reader = createJournalReader({ dir });
  const key = new Uint32Array(5);
  for (const { records } of reader.readAll(journal.start(), journal.position())) {
    for (const bytes of records) {
      if (!bytes.includes('"k":1')) continue;
      const record = parseRecord(bytes);
      if (record.kind !== 'events') continue;
      for (const event of record.e) {
        if (event.k === undefined) continue;
        writeIdKey(key, event.s, event.i);
        if (ids.add(key, record.r)) idLog.add(event.s, event.i);
      }
    }
  }
  reader.close();
  idLog.sync();
}

function logRecovery(journal: Journal, logger: Logger): void {
  const { recovery } = journal;
  if (/[1-9]/.test(JSON.stringify(recovery))) logger.warn({ recovery }, 'the journal was mended after an unclean end');
}

/** The durable way of events: journal, remembered ids, and the thread that carries the journal into the store. */
export async function openPipeline(options: PipelineOptions) {
  const { dataDir, eventsPath, workerScript, segmentSize, backlogLimit, dedupeWindowMs, clock, logger } = options;
  const journalDir = join(dataDir, 'journal');
  const idsDir = join(dataDir, 'ids');
  const ids = createIdSet({ windowMs: dedupeWindowMs });
  const journal = await openJournal({
    dir: journalDir, segmentSize, backlogLimit, pendingLimit, clock,
    onError: (err) => logger.error({ err }, 'the journal could not be written'),
  });
  logRecovery(journal, logger);
  let failure: Error | undefined;

  async function release(position: StorePosition): Promise<void> {
    await journal.release(position);
    const end = journal.position();
    if (comparePositions(position, end) === 0 && end.offset > idleSegmentBytes) await journal.rotate();
  }

  const thread = await startEventThread({
    script: workerScript,
    settings: { journalDir, idsDir, eventsPath, dedupeWindowMs, journalStart: journal.start(), journalEnd: journal.position() },
    onCheckpoint: (position) => void release(position).catch((err: unknown) => logger.warn({ err }, 'journal segments could not be removed')),
    onLog: (level, message) => logger[level](message),
    onDeath(error) {
      failure = error;
      logger.fatal({ err: error }, 'the event store has stopped; events are kept in the journal until the next start');
    },
  });
  loadIds({ dir: idsDir, windowMs: dedupeWindowMs, clock, ids });
  const idLog = createIdLog({ dir: idsDir, windowMs: dedupeWindowMs, clock });
  loadJournalIds(journal, journalDir, ids, idLog);
  idLog.close();
  let telling: NodeJS.Timeout | undefined;
  const unsubscribe = journal.onSynced(() => {
    telling ??= setTimeout(() => {
      telling = undefined;
      thread.synced(journal.position());
    }, tellAfterMs);
  });

  return {
    journal,
    ids,
    thread,
    /** Why the event store does not take events any more; undefined while it does. */
    failure: (): Error | undefined => failure,

    /** Waits until the store has all that is durable, at most `limitMs`. True when it has. */
    async drain(limitMs: number): Promise<boolean> {
      if (failure !== undefined) return false;
      const timeout = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), limitMs).unref());
      return Promise.race([thread.drain(journal.position()).then(() => true), timeout]);
    },

    async close(): Promise<void> {
      unsubscribe();
      clearTimeout(telling);
      if (failure === undefined) await thread.stop();
      await journal.close();
    },
  };
}

export type Pipeline = Awaited<ReturnType<typeof openPipeline>>;
