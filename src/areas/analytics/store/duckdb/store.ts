import { access, rename } from 'node:fs/promises';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { createSchema } from './schema/schema.ts';
import { createDictionary } from './writing/dictionary.ts';
import { createEventWriter, type EventWriter } from './writing/writer.ts';

export interface EventStoreOptions {
  path: string;
  /** A visit ends after this long without an event. */
  gapMs: number;
  threads?: number;
  memoryLimit?: string;
  /** Called when the write-ahead log of the last run was unreadable and was moved to `path`. */
  onLogSetAside?: (path: string, cause: unknown) => void;
}

export interface EventStore {
  writer: EventWriter;
  /** Opens a read connection. The caller closes it with `closeSync`. */
  connect: () => Promise<DuckDBConnection>;
  /** Interrupts the writer's current statement, if any: its transaction is rolled back. */
  interrupt: () => void;
  close: () => void;
}

const open = ({ path, threads = 2, memoryLimit = '512MB' }: EventStoreOptions) =>
  DuckDBInstance.create(path, {
    threads: String(threads),
    memory_limit: memoryLimit,
    checkpoint_threshold: '1GB',
    temp_directory: `${path}.tmp`,
  });

/**
 * Opens the store, which replays the write-ahead log of a killed process. If the replay fails, the
 * log is moved away: the file is then as of the last checkpoint, and the journal has everything
 * since.
 */
async function openOrSetLogAside(options: EventStoreOptions): Promise<DuckDBInstance> {
  try {
    return await open(options);
  } catch (cause) {
    const log = `${options.path}.wal`;
    await access(log).catch(() => {
      throw cause;
    });
    const aside = `${log}.unreadable-${Date.now()}`;
    await rename(log, aside);
    options.onLogSetAside?.(aside, cause);
    return open(options);
  }
}

/** Opens the DuckDB file of events, creating it if missing. Only one process may have it open. */
export async function openEventStore(options: EventStoreOptions): Promise<EventStore> {
  const instance = await openOrSetLogAside(options);
  const connection = await instance.connect();
  await createSchema(connection);
  const dictionary = createDictionary();
  await dictionary.open(connection);
  return {
    writer: createEventWriter({ connection, dictionary, gapMs: options.gapMs }),
    connect: async () => instance.connect(),
    interrupt: () => connection.interrupt(),
    close(): void {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
