import type { Clock } from '../../../lib/clock.ts';
import type { DropRow, EventRow, EventWriter, StorePosition } from '../../../platform/events/types.ts';
import { type EventsRecord, parseRecord } from '../record.ts';
import type { Enricher } from './enricher.ts';
import type { Sessionizer } from './sessionizer.ts';

/** Most events that one transaction takes. */
export const batchEvents = 5000;

export interface JournalSource {
  /** Durable records from `from` on, not beyond `upTo`, about `maxBytes` of them. */
  read(from: StorePosition, upTo: StorePosition, maxBytes: number): { records: Buffer[]; next: StorePosition };
}

/** Keeps the client-chosen ids of stored events for as long as they may be repeated. */
export interface IdLog {
  add(siteId: number, id: string): void;
  /** Makes the added ids durable. */
  sync(): void;
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
  late: Set<bigint>;
  reopened: Set<bigint>;
  openFrom: number | undefined;
  newest: number;
}

const readBytes = 300 * batchEvents;

/** Carries journal records into the event store: in order, each exactly once. */
export function createApplier({ source, writer, enricher, sessionizer, idLog, clock }: ApplierDeps) {
  let newest = 0;

  function takeEvents(record: EventsRecord, into: Collecting): void {
    into.newest = Math.max(into.newest, record.r);
    for (const event of record.e) {
      const assigned = sessionizer.assign(event.s, event.v, event.w, event.z, event.t);
      if (assigned.late) into.late.add(assigned.visitor);
      if (assigned.reopened) {
        into.reopened.add(assigned.session);
        if (event.t < sessionizer.completeFrom()) into.openFrom = Math.min(into.openFrom ?? event.t, event.t);
      }
      if (event.k === 1) idLog.add(event.s, event.i);
      into.rows.push(enricher.row(event, record.a, record.r, assigned));
    }
  }

  function take(bytes: Buffer, into: Collecting): void {
    const record = parseRecord(bytes);
    if (record.kind === 'events') takeEvents(record, into);
    else for (const { s, hour, reason, n } of record.d) into.drops.push({ siteId: s, hour, reason, count: n });
  }

  /** Reads about a batch of whole records. */
  function collect(from: StorePosition, upTo: StorePosition): { batch: Collecting; next: StorePosition } {
    const batch: Collecting = { rows: [], drops: [], late: new Set(), reopened: new Set(), openFrom: undefined, newest };
    const { records, next } = source.read(from, upTo, readBytes);
    for (const record of records) take(record, batch);
    return { batch, next };
  }

  return {
    /**
     * Commits the next records between `from` and `upTo`.
     * Gives the position reached and the number of events; the same position when there was nothing.
     */
    async step(from: StorePosition, upTo: StorePosition): Promise<{ position: StorePosition; events: number }> {
      const { batch, next } = collect(from, upTo);
      const { rows, drops, late, reopened, openFrom } = batch;
      const result = await writer.append(
        { rows, drops, position: next, late: [...late], reopened: [...reopened], openFrom },
        sessionizer.completeFrom(),
      );
      newest = batch.newest;
      for (const visitor of late) sessionizer.forget(visitor);
      for (const visit of [...result.reopened, ...result.recut]) sessionizer.adopt(visit);
      return { position: next, events: rows.length };
    },

    /** Closes the visits that are over. `caughtUp`: nothing older than now is waiting in the journal. */
    async closeVisits(caughtUp: boolean): Promise<number> {
      const now = caughtUp ? clock.now() : newest;
      const closed = sessionizer.closeFinished(now);
      if (closed.length > 0) await writer.closeVisits(closed, sessionizer.openFrom(sessionizer.completeFrom()));
      return closed.length;
    },

    /** Takes the visits that were open when the store was last written into memory. */
    async restoreVisits(): Promise<void> {
      for (const visit of await writer.openVisits()) sessionizer.adopt(visit);
    },
  };
}

export type Applier = ReturnType<typeof createApplier>;
