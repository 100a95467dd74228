import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { DashboardAnswer, DashboardQuestion, ExportQuestion, SiteStats } from '../../platform/events/questions.ts';
import type { StorePosition } from '../../platform/events/types.ts';
import type { FromWorker, Questions, WorkerSettings } from './worker/protocol.ts';

export interface EventThreadOptions {
  /** The built worker: `worker.js` beside the server. */
  script: URL;
  settings: WorkerSettings;
  /** The store has everything before this, checkpointed: the journal may be released. */
  onCheckpoint: (position: StorePosition) => void;
  onLog: (level: 'info' | 'warn' | 'error', message: string) => void;
  /** The thread died although nobody stopped it. */
  onDeath: (error: Error) => void;
}

interface Pending {
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
}

/** A refusal of the event store, with its reason. */
export class EventStoreError extends Error {
  override readonly name = 'EventStoreError';
}

/** Starts the thread that owns the event store. Resolves when the store is open. */
export async function startEventThread({ script, settings, onCheckpoint, onLog, onDeath }: EventThreadOptions) {
  const worker = new Worker(script, { workerData: settings });
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let applied = settings.journalStart;
  let appliedEvents = 0;
  let stopping = false;
  let ended: EventStoreError | undefined;
  let opened: Pending | undefined;
  const ready = new Promise<unknown>((resolve, reject) => (opened = { resolve, reject }));
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));

  function settle(id: number, act: (waiting: Pending) => void): void {
    const waiting = pending.get(id);
    pending.delete(id);
    if (waiting !== undefined) act(waiting);
  }

  function receive(message: FromWorker): void {
    switch (message.kind) {
      case 'ready':
        applied = message.position;
        opened?.resolve(undefined);
        break;
      case 'applied':
        applied = message.position;
        appliedEvents += message.events;
        break;
      case 'checkpointed': onCheckpoint(message.position); break;
      case 'answer': settle(message.id, (waiting) => waiting.resolve(message.answer)); break;
      case 'refused': settle(message.id, (waiting) => waiting.reject(new EventStoreError(message.message))); break;
      case 'log': onLog(message.level, message.message); break;
      case 'stopped': break;
    }
  }

  function fail(error: Error): void {
    opened?.reject(error);
    ended = new EventStoreError('the event store has stopped', { cause: error });
    for (const waiting of pending.values()) waiting.reject(ended);
    pending.clear();
    if (!stopping) onDeath(error);
  }

  worker.on('message', receive);
  worker.on('error', fail);
  worker.on('exit', (code) => {
    if (!stopping) fail(new Error(`the event store's thread ended with code ${code}`));
  });

  function ask<K extends keyof Questions>(name: K, question: Questions[K]['question'], transfer: MessagePort[] = []): Promise<Questions[K]['answer']> {
    if (ended !== undefined) return Promise.reject(ended);
    const id = ++lastId;
    return new Promise((resolve, reject) => {
      // The worker answers each question in the form that `Questions` gives it.
      pending.set(id, { resolve: (answer) => resolve(answer as Questions[K]['answer']), reject });
      worker.postMessage({ kind: 'ask', id, name, question }, transfer);
    });
  }

  await ready;
  return {
    synced: (position: StorePosition): void => worker.postMessage({ kind: 'synced', position }),
    dashboard: async (question: DashboardQuestion): Promise<DashboardAnswer> => ask('dashboard', question),
    siteStats: async (): Promise<SiteStats[]> => ask('stats', null),
    drain: async (upTo: StorePosition): Promise<void> => {
      await ask('drain', { upTo });
    },

    /** The parts of an export, at the pace they are taken. Throws when the store fails in between. */
    async *export(query: ExportQuestion): AsyncGenerator<Uint8Array, number> {
      const { port1, port2 } = new MessageChannel();
      const parts: (Uint8Array | null)[] = [];
      let wake: (() => void) | undefined;
      let failure: Error | undefined;
      let rows = 0;
      port1.on('message', (part: Uint8Array | null) => {
        parts.push(part);
        wake?.();
      });
      const finished = ask('export', { query, port: port2 }, [port2]).then(
        (answer) => void (rows = answer.rows),
        (error: unknown) => {
          failure = error instanceof Error ? error : new Error(String(error));
          wake?.();
        },
      );
      try {
        for (;;) {
          const part = parts.shift();
          if (part === null) break;
          if (part !== undefined) {
            yield part;
            port1.postMessage('more');
          } else {
            if (failure !== undefined) throw failure;
            await new Promise<void>((resolve) => (wake = resolve));
          }
        }
        await finished;
        return rows;
      } finally {
        port1.close();
      }
    },

    applied: (): StorePosition => applied,
    appliedEvents: (): number => appliedEvents,

    /** Ends after the transaction in hand and a last checkpoint. */
    async stop(): Promise<void> {
      stopping = true;
      worker.postMessage({ kind: 'stop' });
      await exited;
    },
  };
}

export type EventThread = Awaited<ReturnType<typeof startEventThread>>;
