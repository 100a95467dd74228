import type { MessagePort } from 'node:worker_threads';
import type { Position } from '../../../platform/journal/position.ts';
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

/** What the thread needs to open the store. */
export interface WorkerSettings {
  journalDir: string;
  idsDir: string;
  eventsPath: string;
  dedupeWindowMs: number;
  /** Durable bounds of the journal at start. */
  journalStart: Position;
  journalEnd: Position;
}

/** What the main thread may ask for. */
export interface Questions {
  dashboard: { question: DashboardQuestion; answer: DashboardAnswer };
  retention: { question: RetentionQuestion; answer: RetentionAnswer };
  goals: { question: GoalsQuestion; answer: GoalsAnswer };
  funnel: { question: FunnelQuestion; answer: FunnelAnswer };
  stats: { question: null; answer: SiteStats[] };
  /** Answered when all rows went through the port. */
  export: { question: { query: ExportQuestion; port: MessagePort }; answer: { rows: number } };
  /** Answered when what the site had before this instant is deleted, also from the file. */
  delete: { question: { siteId: number; before: number }; answer: { events: number } };
  /** Answered when everything durable in the journal is in the store. */
  drain: { question: { upTo: Position }; answer: null };
}

export type Question = {
  [K in keyof Questions]: { kind: 'ask'; id: number; name: K; question: Questions[K]['question'] };
}[keyof Questions];

/**
 * `open` comes first and once, `halt` at any time, the others once the store is open. After `stop`
 * the thread ends when the current transaction and a last checkpoint are done; after `halt` as soon
 * as both could be interrupted.
 */
export type ToWorker =
  | { kind: 'open'; settings: WorkerSettings }
  | { kind: 'synced'; position: Position }
  | { kind: 'stop' }
  | { kind: 'halt' }
  | Question
  /** Nobody waits for the answer any more: the question ends, and is refused. */
  | { kind: 'cancel'; id: number };

export type FromWorker =
  | { kind: 'ready'; position: Position }
  | { kind: 'applied'; position: Position; events: number }
  | { kind: 'checkpointed'; position: Position }
  | { kind: 'answer'; id: number; answer: unknown }
  | { kind: 'refused'; id: number; message: string }
  | { kind: 'log'; level: 'info' | 'warn' | 'error'; message: string };
