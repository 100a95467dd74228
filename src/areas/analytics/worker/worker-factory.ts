import { Worker } from 'node:worker_threads';

/** Starts threads that load the event store's script and wait for their settings. */
export type WorkerFactory = () => Worker;

/** Starts a thread with source maps, so that its stack traces point into src. */
export const spawnWorker = (script: URL): Worker =>
  new Worker(script, { execArgv: ['--enable-source-maps'] });

/**
 * Returns a factory for `script` (a built file). The first thread starts immediately, so that it
 * loads its code in parallel with the main thread, and the start waits only for the store to open.
 */
export function createWorkerFactory(script: URL): WorkerFactory {
  let started: Worker | undefined = spawnWorker(script);
  return () => {
    const worker = started ?? spawnWorker(script);
    started = undefined;
    return worker;
  };
}
