import type { MessagePort } from 'node:worker_threads';
import type { Position } from '../../../platform/journal/position.ts';
import type { ExportStoreQuery, StoreQueries } from '../store/queries.ts';

/** Settings with which the thread opens the store. */
export interface WorkerSettings {
  journalDir: string;
  idsDir: string;
  eventsPath: string;
  dedupeWindowMs: number;
  /** Durable bounds of the journal at start. */
  journalStart: Position;
  journalEnd: Position;
}

/** Requests of the main thread: parameters and answer of each. */
export interface WorkerRequests extends StoreQueries {
  /** Answered when all rows have been sent through the port. */
  export: { params: { query: ExportStoreQuery; port: MessagePort }; answer: { rows: number } };
  /** Answered when the data of the site before this time (Unix ms) is deleted, also from disk. */
  delete: { params: { siteId: number; before: number }; answer: { events: number } };
  /** Answered when everything durable in the journal is in the store. */
  drain: { params: { upTo: Position }; answer: null };
}

export type WorkerRequest = {
  [K in keyof WorkerRequests]: {
    kind: 'ask';
    id: number;
    name: K;
    params: WorkerRequests[K]['params'];
  };
}[keyof WorkerRequests];

/**
 * `open` is sent first and once, `halt` at any time, the others once the store is open. After
 * `stop`, the thread ends after the current transaction and a last checkpoint; after `halt`, it
 * interrupts both and ends.
 */
export type ToWorker =
  | { kind: 'open'; settings: WorkerSettings }
  | { kind: 'synced'; position: Position }
  | { kind: 'stop' }
  | { kind: 'halt' }
  | WorkerRequest
  /** The caller no longer waits: the request is interrupted and refused. */
  | { kind: 'cancel'; id: number };

export type FromWorker =
  | { kind: 'ready'; position: Position }
  | { kind: 'applied'; position: Position; events: number }
  | { kind: 'checkpointed'; position: Position }
  | { kind: 'answer'; id: number; answer: unknown }
  | { kind: 'refused'; id: number; message: string }
  | { kind: 'log'; level: 'info' | 'warn' | 'error'; message: string };
