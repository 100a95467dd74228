import { Worker } from 'node:worker_threads';

/** Starts threads that read the event store's script and wait for their settings. */
export type WorkerFactory = () => Worker;

/** Starts a thread whose stack traces name files and lines of src. */
export const spawnWorker = (script: URL): Worker =>
  new Worker(script, { execArgv: [...process.execArgv, '--enable-source-maps'] });

/**
 * The factory for `script` (a built file). Its first thread starts now and reads its code while the
 * main thread still reads its own, so that a start waits only for the store to open.
 */
export function createWorkerFactory(script: URL): WorkerFactory {
  let started: Worker | undefined = spawnWorker(script);
  return () => {
    const worker = started ?? spawnWorker(script);
    started = undefined;
    return worker;
  };
}
