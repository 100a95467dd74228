import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { createJournalReader } from '../../../src/platform/journal/reader.ts';

/** Reads a journal in a worker thread: receives the end position, sends the records. */
const place = z.object({ segment: z.number(), offset: z.number() });
const { dir, start } = z.object({ dir: z.string(), start: place }).parse(workerData);
const reader = createJournalReader({ dir });
let next = start;

parentPort?.on('message', (message: unknown) => {
  const batch = reader.read(next, place.parse(message), 1024 ** 2);
  next = batch.next;
  parentPort?.postMessage({ texts: batch.records.map(String), next });
});
