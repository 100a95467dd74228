import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  encodeRecord,
  type JournalEvent,
} from '../../../../src/areas/analytics/store/journal-record.ts';
import {
  type Applier,
  createApplier,
  type JournalSource,
} from '../../../../src/areas/analytics/worker/applier.ts';
import { createEnricher } from '../../../../src/areas/analytics/enrichment/enricher.ts';
import {
  createSessionizer,
  visitGapMs,
} from '../../../../src/areas/analytics/worker/sessionizer.ts';
import { createReader } from '../../../../src/areas/analytics/store/duckdb/queries/reader.ts';
import {
  type EventStore,
  openEventStore,
} from '../../../../src/areas/analytics/store/duckdb/store.ts';
import type { EventWriter } from '../../../../src/areas/analytics/store/duckdb/writing/writer.ts';
import type { Arrival } from './world.ts';

/** Failures to inject into the next write of the kind. */
interface Faults {
  append: boolean;
  closeVisits: boolean;
}

function withFaults(writer: EventWriter, faults: Faults): EventWriter {
  return {
    ...writer,
    async append(batch, keepOpenFrom) {
      if (!faults.append) return writer.append(batch, keepOpenFrom);
      faults.append = false;
      // A fractional count aborts the transaction after the rows were written.
      return writer.append(
        { ...batch, drops: [{ siteId: 1, hour: 0, reason: 'broken', count: 0.5 }] },
        keepOpenFrom,
      );
    },
    async closeVisits(...args) {
      if (!faults.closeVisits) return writer.closeVisits(...args);
      faults.closeVisits = false;
      throw new RangeError('no room left on the device');
    },
  };
}

/** What the journal needs of an `Arrival`. */
interface Delivery extends Pick<Arrival, 'received' | 'agent' | 'drops'> {
  events: readonly { journal: JournalEvent }[];
}

function recordsOf({ received, agent, events, drops }: Delivery): Buffer[] {
  const e = events.map((event) => event.journal);
  const d = drops.map(({ site, hour, reason, count }) => ({ s: site, hour, reason, n: count }));
  const records = [encodeRecord({ kind: 'events', r: received, a: agent.text, e })];
  if (d.length > 0) records.push(encodeRecord({ kind: 'drops', d }));
  return records.map((record) => Buffer.from(record));
}

interface Session {
  store: EventStore;
  applier: Applier;
  reader: ReturnType<typeof createReader>;
}

/** Opens the real pipeline from journal records to answers, over its own DuckDB file. */
export async function openPipeline({ maxOpen = 500_000 } = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'analytics-'));
  const journal: Buffer[] = [];
  const faults: Faults = { append: false, closeVisits: false };
  let time = 0;
  let position = 0;
  let batchSize = 1;
  const source: JournalSource = {
    read(from, upTo) {
      const next = Math.min(upTo.offset, from.offset + batchSize);
      return { records: journal.slice(from.offset, next), next: { segment: 1, offset: next } };
    },
  };

  async function open(): Promise<Session> {
    const store = await openEventStore({
      path: join(dir, 'events.duckdb'),
      gapMs: visitGapMs,
      threads: 1,
    });
    const applier = createApplier({
      source,
      writer: withFaults(store.writer, faults),
      enricher: createEnricher(),
      sessionizer: createSessionizer({ maxOpen }),
      idLog: { add: () => undefined },
      clock: { now: () => time },
    });
    await applier.restoreVisits();
    return {
      store,
      applier,
      reader: createReader({ connect: store.connect, temporaryDir: dir }),
    };
  }

  async function closeSession({ store, reader }: Session): Promise<void> {
    await reader.close();
    store.close();
  }

  let session = await open();
  return {
    faults,
    reader: () => session.reader,
    store: () => session.store,

    /** Applies the arrivals to the store, at most `records()` records per transaction. */
    async deliver(arrivals: readonly Delivery[], records: () => number): Promise<void> {
      journal.push(...arrivals.flatMap(recordsOf));
      const upTo = { segment: 1, offset: journal.length };
      while (position < journal.length) {
        batchSize = records();
        const step = await session.applier
          .step({ segment: 1, offset: position }, upTo)
          .catch((error: unknown) => {
            if (!(error instanceof RangeError)) throw error;
          });
        position = step?.position.offset ?? position;
      }
    },

    async closeVisits(now: number, caughtUp: boolean): Promise<void> {
      time = now;
      const failing = faults.closeVisits;
      await session.applier.closeVisits(caughtUp).catch((error: unknown) => {
        if (!failing) throw error;
      });
      faults.closeVisits = false;
    },

    /** Summarises every day that can be. */
    async summariseAll(): Promise<void> {
      while ((await session.store.writer.summarise()) > 0);
    },

    /** Returns the rows that a statement selects from the store. */
    async query(sql: string) {
      const connection = await session.store.connect();
      try {
        return (await connection.runAndReadAll(sql)).getRows();
      } finally {
        connection.closeSync();
      }
    },

    async checkpoint(): Promise<void> {
      await session.store.writer.checkpoint();
    },

    async restart(): Promise<void> {
      await closeSession(session);
      session = await open();
      position = (await session.store.writer.position())?.offset ?? 0;
    },

    async end(): Promise<void> {
      await closeSession(session);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export type Pipeline = Awaited<ReturnType<typeof openPipeline>>;
