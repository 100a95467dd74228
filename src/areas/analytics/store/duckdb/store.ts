import { access, rename } from 'node:fs/promises';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { EventWriter } from '../events.ts';
import { createDictionary } from './writing/dictionary.ts';
import { createSchema } from './schema/schema.ts';
import { createEventWriter } from './writing/writer.ts';

export interface EventStoreOptions {
  path: string;
  /** Visits end after this pause. */
  gapMs: number;
  threads?: number;
  memoryLimit?: string;
  /** Told when the log of the last run could not be read and was set aside. */
  onLogSetAside?: (path: string, cause: unknown) => void;
}

export interface EventStore {
  writer: EventWriter;
  /** A connection for reading. Close it with `closeSync`. */
  connect: () => Promise<DuckDBConnection>;
  /** Breaks off the statement that the writer is at, if any: its transaction fails and is rolled back. */
  interrupt: () => void;
  close: () => void;
}

async function open(options: EventStoreOptions): Promise<DuckDBInstance> {
  return DuckDBInstance.create(options.path, {
    threads: String(options.threads ?? 2),
    memory_limit: options.memoryLimit ?? '512MB',
    checkpoint_threshold: '1GB',
    temp_directory: `${options.path}.tmp`,
  });
}

/**
 * The log of a killed process is replayed at opening. Where that fails it is set aside: the file is then as of the
 * last checkpoint, and everything since is still in the journal.
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

/** Opens the DuckDB file of events, making it when it is not there. One process at a time. */
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
