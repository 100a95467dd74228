import type { Worker } from 'node:worker_threads';
import type { DrawnCode } from '../drawing/pdf-code.ts';
import type { FromReader, ToReader } from './protocol.ts';
import type { QrProblem } from './verdict.ts';

/** A check had no result: the thread failed, took too long, or was closed. */
export class QrReaderError extends Error {
  override readonly name = 'QrReaderError';
}

export interface ReaderOptions {
  /** Starts a thread with the script `qr-reader.js`, which the build puts beside `server.js`. */
  newReader: () => Worker;
  /** Maximum number of checks that wait. Default: 64, about two seconds. */
  waiting?: number;
  /** The thread ends after this time without a check, to free its memory. Default: 60,000. */
  idleMs?: number;
  /** A check that takes longer ends the thread. Default: 15,000. */
  timeoutMs?: number;
}

interface Task {
  code: DrawnCode;
  resolve: (problem: QrProblem | undefined) => void;
  reject: (error: QrReaderError) => void;
}

/** One thread, started by the first check and again after a failure. */
function createThread({ newReader, timeoutMs = 15_000 }: ReaderOptions) {
  let running: Worker | undefined;

  function start(): Worker {
    const worker = newReader();
    const forget = () => {
      if (running === worker) running = undefined;
    };
    // Without a listener, an error would end the process. Checks have listeners of their own.
    worker.on('error', forget);
    worker.on('exit', forget);
    return worker;
  }

  return {
    run: (code: DrawnCode): Promise<QrProblem | undefined> =>
      new Promise((resolve, reject) => {
        const worker = (running ??= start());
        const settle = (act: () => void) => {
          clearTimeout(timer);
          worker.off('message', onMessage).off('error', onError).off('exit', onExit);
          act();
        };
        const fail = (cause: unknown) =>
          settle(() => reject(new QrReaderError('the code was not checked', { cause })));
        const onMessage = (message: FromReader) =>
          message.kind === 'checked'
            ? settle(() => resolve(message.problem))
            : fail(message.message);
        const onError = (error: Error) => fail(error);
        const onExit = () => fail('the thread has ended');
        const timer = setTimeout(() => {
          running = undefined;
          fail('it took too long');
          void worker.terminate();
        }, timeoutMs);
        worker.on('message', onMessage).on('error', onError).on('exit', onExit);
        worker.postMessage({ kind: 'check', code } satisfies ToReader);
      }),

    /** Ends the thread after the running check. Resolves when it has ended. */
    async stop(): Promise<void> {
      const worker = running;
      running = undefined;
      if (worker === undefined) return;
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      worker.postMessage({ kind: 'stop' } satisfies ToReader);
      await ended;
    },
  };
}

/**
 * Checks codes in a thread of their own, one at a time. The thread, and with it the decoders'
 * WebAssembly, is loaded by the first check.
 */
export function createReader(options: ReaderOptions) {
  const { waiting = 64, idleMs = 60_000 } = options;
  const thread = createThread(options);
  const queue: Task[] = [];
  let isBusy = false;
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;

  async function work(): Promise<void> {
    isBusy = true;
    clearTimeout(idle);
    for (let task = queue.shift(); task !== undefined; task = queue.shift())
      await thread.run(task.code).then(task.resolve, task.reject);
    isBusy = false;
    if (!isClosed) idle = setTimeout(() => void thread.stop(), idleMs).unref();
  }

  return {
    /** Resolves to `busy` if too many wait already. Rejects with a QrReaderError. */
    check(code: DrawnCode): Promise<QrProblem | 'busy' | undefined> {
      if (isClosed) return Promise.reject(new QrReaderError('the reader is closed'));
      if (queue.length >= waiting) return Promise.resolve('busy');
      return new Promise((resolve, reject) => {
        queue.push({ code, resolve, reject });
        if (!isBusy) void work();
      });
    },

    /** Refuses the checks that wait, and ends the thread after the running one. */
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(idle);
      for (const { reject } of queue.splice(0)) reject(new QrReaderError('the reader is closed'));
      await thread.stop();
    },
  };
}
