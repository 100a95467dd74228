import type { MessagePort, Worker } from 'node:worker_threads';
import type { Position } from '../../../platform/journal/position.ts';
import type { FromWorker, WorkerRequests, ToWorker, WorkerSettings } from './protocol.ts';
import type { WorkerFactory } from './worker-factory.ts';

export interface EventThreadOptions {
  newWorker: WorkerFactory;
  settings: WorkerSettings;
  /** Aborted to end the thread immediately, even while it opens the store. */
  halting: AbortSignal;
  /** Called when all events before the position are checkpointed: the journal may be released. */
  onCheckpoint: (position: Position) => void;
  /** Called when the store has everything before the position. `events`: added since last call. */
  onApplied: (position: Position, events: number) => void;
  onLog: (level: 'info' | 'warn' | 'error', message: string) => void;
}

interface Pending {
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
}

/** The event store rejected a request, or has stopped. */
export class EventStoreError extends Error {
  override readonly name = 'EventStoreError';
}

/** Resolves with the error or exit code that ended the worker. */
const waitForFailure = (worker: Worker): Promise<Error> =>
  new Promise((resolve) => {
    worker.on('error', resolve);
    worker.on('exit', (code) =>
      resolve(new Error(`the event store's thread ended with code ${code}`)),
    );
  });

/**
 * Starts the thread that owns the event store. Resolves when the store is open; rejects if it can't
 * be opened.
 */
export async function startEventThread(options: EventThreadOptions) {
  const { onApplied, onCheckpoint, onLog } = options;
  const worker = options.newWorker();
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let ended: EventStoreError | undefined;
  let isStopping = false;

  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const failed = waitForFailure(worker);
  void failed.then((cause) => {
    ended = new EventStoreError('the event store has stopped', { cause });
    for (const id of pending.keys()) take(id)?.reject(ended);
  });
  const ready = new Promise<void>((resolve) => {
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') resolve();
      receive(message);
    });
  });
  post({ kind: 'open', settings: options.settings });
  options.halting.addEventListener('abort', halt);
  void exited.then(() => options.halting.removeEventListener('abort', halt));
  await Promise.race([ready, failed.then((error) => Promise.reject(error))]);
  return {
    post,

    /**
     * Rejects with an EventStoreError if the thread rejects the request or ends before that.
     * Aborting the signal cancels the request, which rejects once the store has stopped working on
     * it.
     */
    ask: <K extends keyof WorkerRequests>(
      name: K,
      params: WorkerRequests[K]['params'],
      asking: { transfer?: MessagePort[]; signal?: AbortSignal | undefined } = {},
    ): Promise<WorkerRequests[K]['answer']> =>
      ended === undefined ? ask(name, params, asking) : Promise.reject(ended),

    /** Resolves with the error if the thread ends without having been stopped. */
    crashed: failed.then((error) =>
      isStopping ? new Promise<never>(() => undefined) : exited.then(() => error),
    ),

    /** Ends the thread after the current transaction and a last checkpoint. */
    async stop(): Promise<void> {
      isStopping = true;
      post({ kind: 'stop' });
      await exited;
    },

    /** Resolves when the thread has ended, for any reason. */
    exited,
  };

  function post(message: ToWorker): void {
    worker.postMessage(message);
  }

  function halt(): void {
    isStopping = true;
    post({ kind: 'halt' });
  }

  function receive(message: FromWorker): void {
    switch (message.kind) {
      case 'ready':
        onApplied(message.position, 0);
        break;
      case 'applied':
        onApplied(message.position, message.events);
        break;
      case 'checkpointed':
        onCheckpoint(message.position);
        break;
      case 'answer':
        take(message.id)?.resolve(message.answer);
        break;
      case 'refused':
        take(message.id)?.reject(new EventStoreError(message.message));
        break;
      case 'log':
        onLog(message.level, message.message);
        break;
    }
  }

  function take(id: number): Pending | undefined {
    const waiting = pending.get(id);
    pending.delete(id);
    return waiting;
  }

  function ask<K extends keyof WorkerRequests>(
    name: K,
    params: WorkerRequests[K]['params'],
    { transfer = [], signal }: { transfer?: MessagePort[]; signal?: AbortSignal | undefined },
  ): Promise<WorkerRequests[K]['answer']> {
    lastId += 1;
    const id = lastId;
    const cancel = () => post({ kind: 'cancel', id });
    const answer = new Promise<WorkerRequests[K]['answer']>((resolve, reject) => {
      // The worker answers each request with the type declared in `WorkerRequests`.
      pending.set(id, {
        resolve: (value) => resolve(value as WorkerRequests[K]['answer']),
        reject,
      });
    });
    worker.postMessage({ kind: 'ask', id, name, params }, transfer);
    if (signal?.aborted === true) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    return answer.finally(() => signal?.removeEventListener('abort', cancel));
  }
}

export type EventThread = Awaited<ReturnType<typeof startEventThread>>;
