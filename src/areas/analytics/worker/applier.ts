import type { EventWriter } from '../store/duckdb/writing/writer.ts';
import type { Clock } from '../../../lib/clock.ts';
import { comparePositions, type Position } from '../../../platform/journal/position.ts';
import type { DropRow, EventRow, SiteVisitor } from '../store/events.ts';
import { type EventsRecord, type JournalEvent, parseRecord } from '../ingest/journal-record.ts';
import type { Enricher } from '../enrichment/enricher.ts';
import type { Assignment, Sessionizer } from './sessionizer.ts';

/** Most events that one transaction takes. */
export const batchEvents = 5000;

export interface JournalSource {
  /** Durable records from `from` on, not beyond `upTo`, about `maxBytes` of them. */
  read: (from: Position, upTo: Position, maxBytes: number) => { records: Buffer[]; next: Position };
}

/** Keeps the client-chosen ids of stored events for as long as they may be repeated. */
export interface IdLog {
  add: (siteId: number, id: string) => void;
  /** Makes the added ids durable. */
  sync: () => void;
}

export interface ApplierDeps {
  source: JournalSource;
  writer: EventWriter;
  enricher: Enricher;
  sessionizer: Sessionizer;
  idLog: IdLog;
  clock: Clock;
}

interface Collecting {
  rows: EventRow[];
  drops: DropRow[];
  late: Map<string, SiteVisitor>;
  reopened: Set<bigint>;
  openFrom: number | undefined;
  newest: number;
}

interface Collected {
  from: Position;
  next: Position;
  batch: Collecting;
}

const readBytes = 300 * batchEvents;

/** Carries journal records into the event store: in order, each exactly once. */
export function createApplier({
  source,
  writer,
  enricher,
  sessionizer,
  idLog,
  clock,
}: ApplierDeps) {
  let newest = 0;
  let unsettled: Collected | undefined;

  function noteVisit(
    { s: siteId, t: time, z: name }: JournalEvent,
    { visitor, session, late, reopened }: Assignment,
    into: Collecting,
  ): void {
    if (late) into.late.set(`${siteId} ${visitor}`, { siteId, visitor });
    if (reopened) into.reopened.add(session);
    if (name !== undefined && session !== 0n && time < sessionizer.completeFrom())
      into.openFrom = Math.min(into.openFrom ?? time, time);
  }

  function takeEvents(record: EventsRecord, into: Collecting): void {
    into.newest = Math.max(into.newest, record.r);
    for (const event of record.e) {
      const assigned = sessionizer.assign(event.s, event.v, event.w, event.z, event.t);
      noteVisit(event, assigned, into);
      if (event.k === 1) idLog.add(event.s, event.i);
      into.rows.push(enricher.row(event, record.a, record.r, assigned));
    }
  }

  function take(bytes: Buffer, into: Collecting): void {
    const record = parseRecord(bytes);
    if (record.kind === 'events') takeEvents(record, into);
    else
      for (const { s, hour, reason, n } of record.d)
        into.drops.push({ siteId: s, hour, reason, count: n });
  }

  /** Reads about a batch of whole records. */
  function collect(from: Position, upTo: Position): Collected {
    const batch: Collecting = {
      rows: [],
      drops: [],
      late: new Map(),
      reopened: new Set(),
      openFrom: undefined,
      newest,
    };
    const { records, next } = source.read(from, upTo, readBytes);
    for (const record of records) take(record, batch);
    return { from, next, batch };
  }

  /**
   * The batch that the store refused last time, whose events the memory of visits knows already, or
   * the next one.
   */
  function batchFrom(from: Position, upTo: Position): Collected {
    return unsettled !== undefined && comparePositions(unsettled.from, from) === 0
      ? unsettled
      : collect(from, upTo);
  }

  return {
    /**
     * Commits the next records between `from` and `upTo`. Gives the position reached and the number
     * of events; the same position when there was nothing.
     */
    async step(from: Position, upTo: Position): Promise<{ position: Position; events: number }> {
      unsettled = batchFrom(from, upTo);
      const { batch, next } = unsettled;
      const { rows, drops, reopened, openFrom } = batch;
      const late = [...batch.late.values()];
      const result = await writer.append(
        { rows, drops, position: next, late, reopened: [...reopened], openFrom },
        sessionizer.completeFrom(),
      );
      unsettled = undefined;
      newest = batch.newest;
      sessionizer.forget(late);
      for (const visit of [...result.reopened, ...result.recut]) sessionizer.adopt(visit);
      return { position: next, events: rows.length };
    },

    /**
     * Closes the visits that are over. `caughtUp`: nothing older than now is waiting in the
     * journal.
     */
    async closeVisits(caughtUp: boolean): Promise<number> {
      if (unsettled !== undefined) return 0;
      const now = caughtUp ? clock.now() : newest;
      const closed = sessionizer.closeFinished(now);
      if (closed.length === 0) return 0;
      const completeFrom = sessionizer.completeFrom();
      try {
        await writer.closeVisits(closed, {
          openFrom: sessionizer.openFrom(completeFrom),
          completeFrom,
        });
      } catch (error) {
        for (const visit of closed) sessionizer.adopt(visit);
        throw error;
      }
      return closed.length;
    },

    /** Takes the visits that were open when the store was last written into memory. */
    async restoreVisits(): Promise<void> {
      const { visits, completeFrom } = await writer.openVisits();
      sessionizer.resume(completeFrom);
      for (const visit of visits) sessionizer.adopt(visit);
    },
  };
}

export type Applier = ReturnType<typeof createApplier>;
