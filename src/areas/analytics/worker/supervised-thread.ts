import { setTimeout as delay } from 'node:timers/promises';
import type { Position } from '../../../platform/journal/position.ts';
import { toError } from '../../../lib/to-error.ts';
import { type ExportStoreQuery, queryFunctions } from '../store/queries.ts';
import { type EventThread, type EventThreadOptions, startEventThread } from './event-thread.ts';
import { type ExportOptions, exportParts } from './export-parts.ts';
import type { WorkerSettings } from './protocol.ts';

type JournalBounds = Pick<WorkerSettings, 'journalStart' | 'journalEnd'>;

export interface SupervisorOptions extends Omit<EventThreadOptions, 'settings' | 'halting'> {
  settings: Omit<WorkerSettings, keyof JournalBounds>;
  /** Called before each start. Returns the durable bounds of the journal. */
  bounds: () => JournalBounds;
  /** Called when the thread has crashed or a restart has failed. Another restart follows. */
  onCrash: (error: Error) => void;
  /** Called when the thread runs again. */
  onRestart: () => void;
}

const minBackoffMs = 1000;
const maxBackoffMs = 10_000;

/**
 * Starts the thread that owns the event store, and restarts it after crashes, with backoff: after a
 * checkpoint without disk space, for instance, the store must be reopened. Resolves when the store
 * is open; rejects if it can't be opened.
 */
export async function superviseEventThread({
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

  return {
    /** Tells the thread up to where the journal is durable. */
    synced: (position: Position): void => thread.post({ kind: 'synced', position }),

    ...queryFunctions((name, params, signal?: AbortSignal) => thread.ask(name, params, { signal })),

    export: (
      query: ExportStoreQuery,
      exporting: ExportOptions,
    ): AsyncGenerator<Uint8Array, number> => exportParts(thread, query, exporting),

    /** Deletes the data of a site before the time (Unix ms). Resolves to the number of events. */
    deleteBefore: async (siteId: number, before: number): Promise<number> =>
      (await thread.ask('delete', { siteId, before })).events,

    /** Resolves when the store has everything before the position; rejects if the thread ends. */
    drain: async (upTo: Position): Promise<void> => {
      await thread.ask('drain', { upTo });
    },

    /** Ends the thread after the current transaction and a last checkpoint. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await restarting;
      await thread.stop();
    },

    /**
     * Ends the thread immediately: interrupts queries and the current transaction. Events in the
     * journal are stored after the next start.
     */
    halt: async (): Promise<void> => {
      stopping.abort();
      halting.abort();
      await restarting;
      await thread.exited;
    },
  };

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

  async function restart(): Promise<void> {
    for (let ms = minBackoffMs; await pause(ms); ms = Math.min(2 * ms, maxBackoffMs)) {
      try {
        thread = await start();
        onRestart();
        return;
      } catch (error) {
        onCrash(toError(error));
      }
    }
  }

  /** Resolves to true after the pause, or to false as soon as the thread must stop. */
  function pause(ms: number): Promise<boolean> {
    return delay(ms, true, { signal: stopping.signal, ref: false }).catch(() => false);
  }
}

export type SupervisedThread = Awaited<ReturnType<typeof superviseEventThread>>;
