import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { migrations } from '../../../src/app/migrations.ts';
import { openDatabase } from '../../../src/platform/database/database.ts';
import type { Database, DatabaseOptions } from '../../../src/platform/database/database.ts';
import { copyEmbedded } from '../../support/database-template.ts';
import { newServerDatabase } from '../../support/database-url.ts';
import { findPostgres } from '../../support/postgres.ts';
import { sharedStore } from '../../support/shared-stores.ts';

export const hasPostgres = findPostgres() !== undefined;
export const silent = pino({ level: 'silent' });

export interface Engine {
  name: 'PGlite' | 'PostgreSQL';
  isAvailable: boolean;
  /** Creates a new database, empty or with all tables. */
  prepare: (options?: { hasTables: boolean }) => Promise<PreparedDatabase>;
}

interface PreparedDatabase {
  /** The options that make openDatabase use it. */
  options: DatabaseOptions;
  /** Removes it. */
  remove: () => Promise<void>;
}

/** Creates an embedded database, empty or with all tables. */
export async function preparePglite({ hasTables = false } = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'test-pglite-'));
  if (hasTables) await copyEmbedded(await sharedStore('embeddedTemplate'), dataDir);
  return {
    options: { dataDir: join(dataDir, 'postgres'), logger: silent, migrations },
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}

async function preparePostgres({ hasTables = false } = {}): Promise<PreparedDatabase> {
  const { url, remove } = await newServerDatabase({ hasTables });
  return { options: { url, logger: silent, migrations }, remove };
}

/** Both engines, which must behave the same. */
export const engines: [Engine, Engine] = [
  { name: 'PGlite', isAvailable: true, prepare: preparePglite },
  { name: 'PostgreSQL', isAvailable: hasPostgres, prepare: preparePostgres },
];

export const availableEngines = engines.filter(({ isAvailable }) => isAvailable);

/** The engine of most tests: PostgreSQL where there is one. It costs a fraction of PGlite. */
export const mainEngine = hasPostgres ? engines[1] : engines[0];

/** A migrated, empty database, copied from the template of the run. `close` also removes it. */
export async function openTestDatabase({
  prepare,
}: Engine): Promise<{ db: Database; close: () => Promise<void> }> {
  const { options, remove } = await prepare({ hasTables: true });
  const db = await openDatabase(options);
  const close = async () => {
    await db.destroy();
    await remove();
  };
  return { db, close };
}

/** A database for the tests of a group. */
export function useDatabase(engine: Engine): { readonly db: Database } {
  let opened: Awaited<ReturnType<typeof openTestDatabase>> | undefined;
  beforeAll(async () => {
    opened = await openTestDatabase(engine);
  }, 60_000);
  afterAll(() => opened?.close());
  return {
    get db() {
      if (opened === undefined) throw new Error('the database is not open yet');
      return opened.db;
    },
  };
}

/** Resolves to 'answered', or to the error of a statement. */
export const outcome = (statement: Promise<unknown>): Promise<unknown> =>
  statement.then(
    () => 'answered',
    (error: unknown) => error,
  );

/** A proxy to the server at `url` that can be cut, as if the server were down, and restored. */
export async function openWayTo(url: string) {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let listener: Server | undefined;

  const relay = (incoming: Socket) => {
    const outgoing = connect(Number(target.port), target.hostname);
    for (const socket of [incoming, outgoing]) sockets.add(socket.on('error', () => undefined));
    incoming.pipe(outgoing).pipe(incoming);
  };

  const listen = (port: number) =>
    new Promise<number>((resolve) => {
      const server = createServer(relay).listen(port, '127.0.0.1', () =>
        resolve((server.address() as AddressInfo).port),
      );
      listener = server;
    });

  const port = await listen(0);
  const way = new URL(url);
  way.port = String(port);
  return {
    url: way.href,
    mend: () => listen(port),
    cut: () => {
      listener?.close();
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
  };
}
