import type { Position } from '../../../platform/journal/position.ts';
import type { MessagePort } from 'node:worker_threads';
import type { WorkerFactory } from './worker-factory.ts';
import type { FromWorker, Questions, ToWorker, WorkerSettings } from './protocol.ts';

export interface EventThreadOptions {
  newWorker: WorkerFactory;
  settings: WorkerSettings;
  /** Aborted when the thread has to end at once, also while it opens the store. */
  halting: AbortSignal;
  /** The store has everything before this, checkpointed: the journal may be released. */
  onCheckpoint: (position: Position) => void;
  /** The store has everything before this, with so many more events than at the last call. */
  onApplied: (position: Position, events: number) => void;
  onLog: (level: 'info' | 'warn' | 'error', message: string) => void;
}

interface Pending {
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
}

/** A refusal of the event store, with its reason. */
export class EventStoreError extends Error {
  override readonly name = 'EventStoreError';
}

/** Questions that wait for their answer. */
function createPending() {
  const pending = new Map<number, Pending>();
  let lastId = 0;
  function take(id: number): Pending | undefined {
    const waiting = pending.get(id);
    pending.delete(id);
    return waiting;
  }
  return {
    take,
    add(waiting: Pending): number {
      lastId += 1;
      pending.set(lastId, waiting);
      return lastId;
    },
    rejectAll(error: Error): void {
      for (const id of [...pending.keys()]) take(id)?.reject(error);
    },
  };
}

/**
 * One life of the thread that owns the event store. Resolves when the store is open, rejects when
 * it can't be opened.
 */
export async function startEventThread({
  newWorker,
  settings,
  halting,
  onCheckpoint,
  onApplied,
  onLog,
}: EventThreadOptions) {
  const worker = newWorker();
  const pending = createPending();
  let ended: EventStoreError | undefined;
  let stopping = false;
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const halt = (): void => {
    stopping = true;
    post({ kind: 'halt' });
  };

  const died = new Promise<Error>((resolve) => {
    worker.on('error', resolve);
    worker.on('exit', (code) =>
      resolve(new Error(`the event store's thread ended with code ${code}`)),
    );
  });
  void died.then((cause) => {
    ended = new EventStoreError('the event store has stopped', { cause });
    pending.rejectAll(ended);
  });

  const ready = new Promise<void>((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      switch (message.kind) {
        case 'ready':
          onApplied(message.position, 0);
          resolve();
          break;
        case 'applied':
          onApplied(message.position, message.events);
          break;
        case 'checkpointed':
          onCheckpoint(message.position);
          break;
        case 'answer':
          pending.take(message.id)?.resolve(message.answer);
          break;
        case 'refused':
          pending.take(message.id)?.reject(new EventStoreError(message.message));
          break;
        case 'log':
          onLog(message.level, message.message);
          break;
      }
    });
    void died.then(reject);
  });

  const post = (message: ToWorker, transfer: MessagePort[] = []): void =>
    worker.postMessage(message, transfer);

  post({ kind: 'open', settings });
  halting.addEventListener('abort', halt);
  void exited.then(() => halting.removeEventListener('abort', halt));
  await ready;
  return {
    post,

    /**
     * Asks the thread. Rejects with an EventStoreError when it refuses, or ends before it has
     * answered. An aborted signal takes the question back: it settles as soon as the store has let
     * go of it.
     */
    ask<K extends keyof Questions>(
      name: K,
      question: Questions[K]['question'],
      {
        transfer = [],
        signal,
      }: { transfer?: MessagePort[]; signal?: AbortSignal | undefined } = {},
    ): Promise<Questions[K]['answer']> {
      if (ended !== undefined) return Promise.reject(ended);
      return new Promise((resolve, reject) => {
        const settled = () => signal?.removeEventListener('abort', takeBack);
        const id = pending.add({
          resolve(answer) {
            settled();
            // The worker answers each question in the form that `Questions` gives it.
            resolve(answer as Questions[K]['answer']);
          },
          reject(error) {
            settled();
            reject(error);
          },
        });
        const takeBack = () => post({ kind: 'cancel', id });
        worker.postMessage({ kind: 'ask', id, name, question }, transfer);
        if (signal?.aborted === true) takeBack();
        signal?.addEventListener('abort', takeBack, { once: true });
      });
    },

    /** Resolves when the thread has ended although nobody stopped it. */
    died: died.then((error) =>
      stopping ? new Promise<never>(() => undefined) : exited.then(() => error),
    ),

    /** Ends after the transaction in hand and a last checkpoint. */
    async stop(): Promise<void> {
      stopping = true;
      post({ kind: 'stop' });
      await exited;
    },

    /** Resolves when the thread has ended, for whatever reason. */
    exited,
  };
}

export type EventThread = Awaited<ReturnType<typeof startEventThread>>;
