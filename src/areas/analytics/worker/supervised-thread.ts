import type { Position } from '../../../platform/journal/position.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import type {
  DashboardAnswer,
  DashboardQuestion,
  ExportQuestion,
  FunnelAnswer,
  FunnelQuestion,
  GoalsAnswer,
  GoalsQuestion,
  RetentionAnswer,
  RetentionQuestion,
  SiteStats,
} from '../store/questions.ts';
import { type EventThread, type EventThreadOptions, startEventThread } from './event-thread.ts';
import type { WorkerSettings } from './protocol.ts';

type JournalBounds = Pick<WorkerSettings, 'journalStart' | 'journalEnd'>;

export interface SupervisorOptions extends Omit<EventThreadOptions, 'settings' | 'halting'> {
  settings: Omit<WorkerSettings, keyof JournalBounds>;
  /** Asked before each start: the durable bounds of the journal. */
  bounds: () => JournalBounds;
  /**
   * The thread has ended although nobody stopped it, or could not be started again. It will be
   * tried again.
   */
  onDeath: (error: Error) => void;
  /** It runs again. */
  onRevival: () => void;
}

const firstPauseMs = 1000;
const longestPauseMs = 10_000;

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));

/**
 * When an export ends before all of it was taken, and who is told that the store has let go of it.
 */
export interface ExportEnd {
  signal: AbortSignal;
  settled: () => void;
}

/**
 * The parts of an export, at the pace they are taken. Throws when the store fails in between, and
 * the reason of the signal.
 */
async function* exportParts(
  thread: EventThread,
  query: ExportQuestion,
  { signal, settled }: ExportEnd,
): AsyncGenerator<Uint8Array, number> {
  const { port1, port2 } = new MessageChannel();
  const parts: (Uint8Array | null)[] = [];
  let wake: (() => void) | undefined;
  let failure: Error | undefined;
  port1.on('message', (part: Uint8Array | null) => {
    parts.push(part);
    wake?.();
  });
  const finished = thread
    .ask('export', { query, port: port2 }, { transfer: [port2] })
    .then(({ rows }) => rows);
  const failed = finished
    .then(
      () => undefined,
      (error: unknown) => {
        failure ??= asError(error);
        wake?.();
      },
    )
    .finally(settled);
  const end = () => {
    failure = asError(signal.reason);
    wake?.();
  };
  signal.addEventListener('abort', end, { once: true });
  try {
    signal.throwIfAborted();
    for (let part = parts.shift(); part !== null; part = parts.shift()) {
      if (part !== undefined) {
        yield part;
        port1.postMessage('more');
      } else {
        throwIf(failure);
        await new Promise<void>((resolve) => (wake = resolve));
      }
    }
    await failed;
    return await finished;
  } finally {
    signal.removeEventListener('abort', end);
    // The store sees that nobody takes the rest.
    port1.close();
  }
}

function throwIf(failure: Error | undefined): void {
  if (failure !== undefined) throw failure;
}

/**
 * Starts the thread that owns the event store, and starts it again whenever it ends by itself: a
 * store that has found no room for a checkpoint, for instance, must be opened anew. Resolves when
 * the store is open, rejects when it can't be.
 */
export async function superviseEventThread({
  bounds,
  onDeath,
  onRevival,
  settings,
  ...options
}: SupervisorOptions) {
  const stopping = new AbortController();
  const halting = new AbortController();
  let reviving: Promise<void> | undefined;
  let thread = await start();

  async function start(): Promise<EventThread> {
    const fresh = await startEventThread({
      ...options,
      halting: halting.signal,
      settings: { ...settings, ...bounds() },
    });
    void fresh.died.then((error) => {
      onDeath(error);
      reviving = revive().finally(() => (reviving = undefined));
    });
    return fresh;
  }

  /** False at once when the thread is to stop. */
  async function waited(ms: number): Promise<boolean> {
    return delay(ms, true, { signal: stopping.signal, ref: false }).catch(() => false);
  }

  async function revive(): Promise<void> {
    for (
      let pause = firstPauseMs;
      await waited(pause);
      pause = Math.min(2 * pause, longestPauseMs)
    ) {
      try {
        thread = await start();
        onRevival();
        return;
      } catch (error) {
        onDeath(asError(error));
      }
    }
  }

  return {
    /** The journal is durable up to here. */
    synced: (position: Position): void => thread.post({ kind: 'synced', position }),
    dashboard: async (
      question: DashboardQuestion,
      signal?: AbortSignal,
    ): Promise<DashboardAnswer> => thread.ask('dashboard', question, { signal }),
    retention: async (
      question: RetentionQuestion,
      signal?: AbortSignal,
    ): Promise<RetentionAnswer> => thread.ask('retention', question, { signal }),
    /**
     * Deletes events, visits and sums of a site from before the instant (Unix ms). Gives how many
     * events.
     */
    forgetBefore: async (siteId: number, before: number): Promise<number> =>
      (await thread.ask('forget', { siteId, before })).events,
    goals: async (question: GoalsQuestion, signal?: AbortSignal): Promise<GoalsAnswer> =>
      thread.ask('goals', question, { signal }),
    funnel: async (question: FunnelQuestion, signal?: AbortSignal): Promise<FunnelAnswer> =>
      thread.ask('funnel', question, { signal }),
    siteStats: async (signal?: AbortSignal): Promise<SiteStats[]> =>
      thread.ask('stats', null, { signal }),
    /** Resolves when the store has everything up to here; rejects when the thread ends before. */
    drain: async (upTo: Position): Promise<void> => {
      await thread.ask('drain', { upTo });
    },
    export: (query: ExportQuestion, end: ExportEnd): AsyncGenerator<Uint8Array, number> =>
      exportParts(thread, query, end),

    /** Ends after the transaction in hand and a last checkpoint. */
    async stop(): Promise<void> {
      stopping.abort();
      await reviving;
      await thread.stop();
    },

    /**
     * Ends at once: questions and the transaction in hand are broken off. What is in the journal is
     * stored after the next start.
     */
    async halt(): Promise<void> {
      stopping.abort();
      halting.abort();
      await reviving;
      await thread.exited;
    },
  };
}

export type SupervisedThread = Awaited<ReturnType<typeof superviseEventThread>>;
