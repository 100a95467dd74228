import type { Position } from '../../../../platform/journal/position.ts';
import type { Logger } from 'pino';
import type { Clock } from '../../../../lib/clock.ts';
import { createIdSet, idKeyBytes, writeIdKey } from '../../../../lib/id-set.ts';
import { inSlices } from '../../../../lib/concurrency/slices.ts';
import { withTimeout } from '../../../../lib/concurrency/with-timeout.ts';
import { journalIds } from './journal-ids.ts';
import { createIdLog, loadIds } from './id-log.ts';

export interface RecentIdsOptions {
  journalDir: string;
  idsDir: string;
  windowMs: number;
  /** Bytes of memory that they may take. */
  maxBytes: number;
  /** Durable bounds of the journal, asked for when loading begins. */
  bounds: () => { start: Position; end: Position };
  clock: Clock;
  logger: Logger;
}

/** How long loading may keep the event loop at once. */
const sliceMs = 4;
const idsPerSync = 50_000;

/**
 * The client-chosen ids of the window. They are read from the disk while the service already
 * answers: until `isLoaded`, nobody can say whether an event with an id of its own is new, and such
 * events must wait.
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
  const key = new Uint32Array(idKeyBytes / 4);
  const stopping = new AbortController();
  let state: 'loading' | 'loaded' | 'failed' = 'loading';
  let tellLoaded = (): void => undefined;
  const loaded = new Promise<void>((resolve) => (tellLoaded = resolve));
  let loading: Promise<void> | undefined;

  /**
   * Ids of the journal, written to the id files where these don't have them yet: segments go when
   * their events are stored.
   */
  function* loadJournal(): Generator<void> {
    const { start, end } = bounds();
    const log = createIdLog({ dir: idsDir, windowMs, clock, writer: 'start' });
    let unsynced = 0;
    try {
      for (const found of journalIds(journalDir, start, end)) {
        for (const { site, id, receivedAt } of found) {
          writeIdKey(key, site, id);
          if (!ids.add(key, receivedAt)) continue;
          log.add(site, id);
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

  function* steps(): Generator<void> {
    yield* loadIds({ dir: idsDir, windowMs, clock, ids });
    yield* loadJournal();
  }

  async function loadAll(): Promise<void> {
    const began = performance.now();
    try {
      if (!(await inSlices(steps(), { sliceMs, signal: stopping.signal }))) return;
    } catch (err) {
      state = 'failed';
      logger.error(
        { err },
        'the ids of recent events could not be read; events with an id of their own are refused',
      );
      return;
    }
    state = 'loaded';
    logger.info(
      { ids: ids.size(), ms: Math.round(performance.now() - began) },
      'the ids of recent events are loaded',
    );
    tellLoaded();
  }

  return {
    ids,
    isLoaded: (): boolean => state === 'loaded',
    /** Resolves when they are loaded. */
    loaded,

    /** Begins to load them; the event loop goes on meanwhile. Never rejects. */
    load: (): Promise<void> => (loading ??= loadAll()),

    /** True once they are loaded, false when that takes longer than `limitMs`. */
    async isLoadedWithin(limitMs: number): Promise<boolean> {
      if (state === 'loaded') return true;
      return withTimeout(
        loaded.then(() => true),
        limitMs,
        () => false,
      );
    },

    async stop(): Promise<void> {
      stopping.abort();
      await loading;
    },
  };
}

export type RecentIds = ReturnType<typeof createRecentIds>;
