import type { Logger } from 'pino';
import type { Clock } from '../../../../lib/clock.ts';
import { inSlices } from '../../../../lib/concurrency/slices.ts';
import { withTimeout } from '../../../../lib/concurrency/with-timeout.ts';
import { createIdSet, idKeyBytes, writeIdKey } from '../../../../lib/id-set.ts';
import type { Position } from '../../../../platform/journal/position.ts';
import { createIdLog, loadIds } from './id-log.ts';
import { journalIds } from './journal-ids.ts';

export interface RecentIdsOptions {
  journalDir: string;
  idsDir: string;
  windowMs: number;
  /** Maximum bytes of memory for the ids. */
  maxBytes: number;
  /** Called when loading starts. Returns the durable bounds of the journal. */
  bounds: () => { start: Position; end: Position };
  clock: Clock;
  logger: Logger;
}

/** How long loading may block the event loop at a time. */
const sliceMs = 4;
const idsPerSync = 50_000;

/**
 * Holds the client-chosen ids of the deduplication window. They are loaded from disk while the
 * service already accepts requests: until `isLoaded`, events with a client-chosen id must wait.
 */
export function createRecentIds({
  journalDir,
  idsDir,
  windowMs,
  maxBytes,
  bounds,
  clock,
  logger,
}: RecentIdsOptions) {
  const ids = createIdSet({ windowMs, maxBytes });
  const stopping = new AbortController();
  let resolveLoaded = (): void => undefined;
  const loaded = new Promise<void>((resolve) => (resolveLoaded = resolve));
  let isLoaded = false;
  let loading: Promise<void> | undefined;

  return {
    ids,
    isLoaded: (): boolean => isLoaded,
    /** Resolves when the ids are loaded. */
    loaded,

    /** Starts loading in the background. Never rejects. */
    load: (): Promise<void> => (loading ??= loadAll()),

    /** Resolves to true once the ids are loaded, or to false after `ms`. */
    isLoadedWithin: async (ms: number): Promise<boolean> =>
      isLoaded ||
      withTimeout(
        loaded.then(() => true),
        ms,
        () => false,
      ),

    async stop(): Promise<void> {
      stopping.abort();
      await loading;
    },
  };

  async function loadAll(): Promise<void> {
    const startedAt = performance.now();
    try {
      if (!(await inSlices(load(), { sliceMs, signal: stopping.signal }))) return;
    } catch (err) {
      logger.error(
        { err },
        'the ids of recent events could not be read; events with an id of their own are refused',
      );
      return;
    }
    const ms = Math.round(performance.now() - startedAt);
    logger.info({ ids: ids.size(), ms }, 'the ids of recent events are loaded');
    isLoaded = true;
    resolveLoaded();
  }

  function* load(): Generator<void> {
    yield* loadIds({ dir: idsDir, windowMs, clock, ids });
    yield* loadJournal();
  }

  /**
   * Loads the ids of the journal, and writes to the id files those that are missing there, since
   * segments are deleted once their events are stored.
   */
  function* loadJournal(): Generator<void> {
    const key = new Uint32Array(idKeyBytes / 4);
    const { start, end } = bounds();
    const log = createIdLog({ dir: idsDir, windowMs, clock, writer: 'start' });
    let unsynced = 0;
    try {
      for (const found of journalIds(journalDir, start, end)) {
        for (const { siteId, id, receivedAt } of found) {
          writeIdKey(key, siteId, id);
          if (!ids.add(key, receivedAt)) continue;
          log.add(siteId, id);
          unsynced += 1;
        }
        if (unsynced > idsPerSync) {
          log.sync();
          unsynced = 0;
        }
        yield;
      }
      log.sync();
    } finally {
      log.close();
    }
  }
}

export type RecentIds = ReturnType<typeof createRecentIds>;
