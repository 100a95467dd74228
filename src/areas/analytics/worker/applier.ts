import type { Clock } from '../../../lib/clock.ts';
import { comparePositions, type Position } from '../../../platform/journal/position.ts';
import type { Enricher } from '../enrichment/enricher.ts';
import type { IdLog } from '../ingest/duplicates/id-log.ts';
import { type EventsRecord, type JournalEvent, parseRecord } from '../store/journal-record.ts';
import type { EventWriter } from '../store/duckdb/writing/writer.ts';
import type { DropRow, EventRow, SiteVisitor } from '../store/events.ts';
import type { Assignment, Sessionizer } from './sessionizer.ts';

/** Maximum number of events in one transaction. */
const batchEvents = 5000;

export interface JournalSource {
  /** Returns durable records between two positions, about `maxBytes` in total. */
  read: (from: Position, upTo: Position, maxBytes: number) => { records: Buffer[]; next: Position };
}

interface Batch {
  from: Position;
  next: Position;
  rows: EventRow[];
  drops: DropRow[];
  late: Map<string, SiteVisitor>;
  reopened: Set<bigint>;
  openFrom: number | undefined;
  /** Receipt time of the newest record, Unix ms. */
  newest: number;
}

const readBytes = 300 * batchEvents;

const newBatch = (from: Position, next: Position, newest: number): Batch => ({
  from,
  next,
  rows: [],
  drops: [],
  late: new Map(),
  reopened: new Set(),
  openFrom: undefined,
  newest,
});

/** Applies journal records to the event store: in order, each exactly once. */
export function createApplier({
  source,
  writer,
  enricher,
  sessionizer,
  idLog,
  clock,
}: {
  source: JournalSource;
  writer: EventWriter;
  enricher: Enricher;
  sessionizer: Sessionizer;
  idLog: Pick<IdLog, 'add'>;
  clock: Clock;
}) {
  let newest = 0;
  /** Kept until the store commits it: the sessionizer has already seen its events. */
  let pending: Batch | undefined;

  return {
    /**
     * Commits the next records between `from` and `upTo`. Returns the new position (`from` if there
     * were none) and the number of events.
     */
    async step(from: Position, upTo: Position): Promise<{ position: Position; events: number }> {
      if (pending === undefined || comparePositions(pending.from, from) !== 0)
        pending = collectBatch(from, upTo);
      const batch = pending;
      const { rows, drops, openFrom, next: position } = batch;
      const [late, reopened] = [[...batch.late.values()], [...batch.reopened]];
      const result = await writer.append(
        { rows, drops, position, late, reopened, openFrom },
        sessionizer.completeFrom(),
      );
      pending = undefined;
      newest = batch.newest;
      sessionizer.forget(late);
      for (const visit of [...result.reopened, ...result.recut]) sessionizer.adopt(visit);
      return { position, events: rows.length };
    },

    /**
     * Closes the visits that have ended. Returns their number. `isCaughtUp`: the journal has no
     * events left to apply.
     */
    async closeVisits(isCaughtUp: boolean): Promise<number> {
      if (pending !== undefined) return 0;
      const closed = sessionizer.closeFinished(isCaughtUp ? clock.now() : newest);
      if (closed.length === 0) return 0;
      const completeFrom = sessionizer.completeFrom();
      const openFrom = sessionizer.openFrom(completeFrom);
      try {
        await writer.closeVisits(closed, { openFrom, completeFrom });
      } catch (error) {
        for (const visit of closed) sessionizer.adopt(visit);
        throw error;
      }
      return closed.length;
    },

    /** Loads the visits that were open at the last commit. */
    async restoreVisits(): Promise<void> {
      const { visits, completeFrom } = await writer.openVisits();
      sessionizer.resume(completeFrom);
      for (const visit of visits) sessionizer.adopt(visit);
    },
  };

  /** Reads complete records, about one batch of events. */
  function collectBatch(from: Position, upTo: Position): Batch {
    const { records, next } = source.read(from, upTo, readBytes);
    const batch = newBatch(from, next, newest);
    for (const bytes of records) {
      const record = parseRecord(bytes);
      if (record.kind === 'events') addEvents(batch, record);
      else
        for (const { s, hour, reason, n } of record.d)
          batch.drops.push({ siteId: s, hour, reason, count: n });
    }
    return batch;
  }

  function addEvents(batch: Batch, record: EventsRecord): void {
    batch.newest = Math.max(batch.newest, record.r);
    for (const event of record.e) {
      const assigned = sessionizer.assign(event.s, event.v, event.w, event.z, event.t);
      recordVisit(batch, event, assigned);
      if (event.k === 1) idLog.add(event.s, event.i);
      batch.rows.push(enricher.row(event, record.a, record.r, assigned));
    }
  }

  function recordVisit(
    batch: Batch,
    { s: siteId, t: time, z: name }: JournalEvent,
    { visitor, session, late, reopened }: Assignment,
  ): void {
    if (late) batch.late.set(`${siteId} ${visitor}`, { siteId, visitor });
    if (reopened) batch.reopened.add(session);
    if (name !== undefined && session !== 0n && time < sessionizer.completeFrom())
      batch.openFrom = Math.min(batch.openFrom ?? time, time);
  }
}

export type Applier = ReturnType<typeof createApplier>;
