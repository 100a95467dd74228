import { Worker } from 'node:worker_threads';

/** Gives threads that have read the event store's script and wait for their settings. */
export type WorkerFactory = () => Worker;

/**
 * A thread whose traces name files and lines of src, as those of the service do
 * (`platform/process/traces.ts`).
 */
export const spawnWorker = (script: URL): Worker =>
  new Worker(script, { execArgv: [...process.execArgv, '--enable-source-maps'] });

/**
 * The first thread of `script` (a built file) reads its code from now on, beside this thread, which
 * still has its own to read: a start has then no more to wait for than the opening of the store.
 */
export function createWorkerFactory(script: URL): WorkerFactory {
  let ahead: Worker | undefined = spawnWorker(script);
  return () => {
    const worker = ahead ?? spawnWorker(script);
    ahead = undefined;
    return worker;
  };
}
