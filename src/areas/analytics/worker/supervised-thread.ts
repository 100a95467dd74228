import { setTimeout as delay } from 'node:timers/promises';
import type { Position } from '../../../platform/journal/position.ts';
import { toError } from '../../../lib/to-error.ts';
import type {
  DashboardStoreQuery,
  ExportStoreQuery,
  FunnelStoreQuery,
  GoalsStoreQuery,
  RetentionStoreQuery,
} from '../store/queries.ts';
import { type EventThread, type EventThreadOptions, startEventThread } from './event-thread.ts';
import { type ExportOptions, exportParts } from './export-parts.ts';
import type { WorkerSettings } from './protocol.ts';

type JournalBounds = Pick<WorkerSettings, 'journalStart' | 'journalEnd'>;

export interface SupervisorOptions extends Omit<EventThreadOptions, 'settings' | 'halting'> {
  settings: Omit<WorkerSettings, keyof JournalBounds>;
  /** Called before each start: the durable bounds of the journal. */
  bounds: () => JournalBounds;
  /** The thread has crashed, or could not be started again. It will be tried again. */
  onCrash: (error: Error) => void;
  /** It runs again. */
  onRestart: () => void;
}

const firstPauseMs = 1000;
const maxPauseMs = 10_000;

/** Keeps a thread running: starts another one, after growing pauses, whenever it crashes. */
async function keepRunning({
  bounds,
  onCrash,
  onRestart,
  settings,
  ...options
}: SupervisorOptions) {
  const stopping = new AbortController();
  const halting = new AbortController();
  let restarting: Promise<void> | undefined;
  let thread = await start();

  async function start(): Promise<EventThread> {
    const started = await startEventThread({
      ...options,
      halting: halting.signal,
      settings: { ...settings, ...bounds() },
    });
    void started.crashed.then((error) => {
      onCrash(error);
      restarting = restart().finally(() => (restarting = undefined));
    });
    return started;
  }

  /** False at once when the thread is to stop. */
  const pause = (ms: number): Promise<boolean> =>
    delay(ms, true, { signal: stopping.signal, ref: false }).catch(() => false);

  async function restart(): Promise<void> {
    for (let ms = firstPauseMs; await pause(ms); ms = Math.min(2 * ms, maxPauseMs)) {
      try {
        thread = await start();
        onRestart();
        return;
      } catch (error) {
        onCrash(toError(error));
      }
    }
  }

  return {
    current: (): EventThread => thread,

    stop: async (): Promise<void> => {
      stopping.abort();
      await restarting;
      await thread.stop();
    },

    halt: async (): Promise<void> => {
      stopping.abort();
      halting.abort();
      await restarting;
      await thread.exited;
    },
  };
}

/**
 * Starts the thread that owns the event store, and starts it again whenever it crashes: a store
 * that has found no room for a checkpoint, for instance, has to be opened again. Resolves when the
 * store is open, rejects when it can't be.
 */
export async function superviseEventThread(options: SupervisorOptions) {
  const { current, stop, halt } = await keepRunning(options);
  return {
    /** The journal is durable up to here. */
    synced: (position: Position): void => current().post({ kind: 'synced', position }),

    dashboard: (query: DashboardStoreQuery, signal?: AbortSignal) =>
      current().ask('dashboard', query, { signal }),
    retention: (query: RetentionStoreQuery, signal?: AbortSignal) =>
      current().ask('retention', query, { signal }),
    goals: (query: GoalsStoreQuery, signal?: AbortSignal) =>
      current().ask('goals', query, { signal }),
    funnel: (query: FunnelStoreQuery, signal?: AbortSignal) =>
      current().ask('funnel', query, { signal }),
    siteStats: (signal?: AbortSignal) => current().ask('stats', null, { signal }),
    export: (
      query: ExportStoreQuery,
      exporting: ExportOptions,
    ): AsyncGenerator<Uint8Array, number> => exportParts(current(), query, exporting),

    /** Deletes what a site had before the instant (Unix ms). Resolves to the number of events. */
    deleteBefore: async (siteId: number, before: number): Promise<number> =>
      (await current().ask('delete', { siteId, before })).events,

    /** Resolves when the store has everything up to here; rejects when the thread ends before. */
    drain: async (upTo: Position): Promise<void> => {
      await current().ask('drain', { upTo });
    },

    /** Ends after the current transaction and a last checkpoint. */
    stop,

    /**
     * Ends at once: interrupts queries and the current transaction. What is in the journal is
     * stored after the next start.
     */
    halt,
  };
}

export type SupervisedThread = Awaited<ReturnType<typeof superviseEventThread>>;
