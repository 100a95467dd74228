import type { z } from 'zod';

export const jobStates = ['waiting', 'active', 'delayed', 'failed', 'completed'] as const;
export type JobState = (typeof jobStates)[number];

export interface JobOptions<Payload> {
  /** Maximum number of concurrent jobs in one process. Default: 1. */
  concurrency?: number;
  /** Maximum number of attempts, with exponential backoff. Default: 3. */
  attempts?: number;
  /** Keeps completed jobs in Redis for a while; their ids stay taken. Default: true. */
  keepDone?: boolean;
  /**
   * False when other processes run these jobs and this one only adds and lists them. Default: true.
   */
  isHere?: boolean;
  /** Adds a job with this payload every `ms` milliseconds, once across all replicas. */
  every?: { ms: number; payload: Payload };
}

export interface AddOptions {
  /** Milliseconds before the job may start. Default: 0. */
  delayMs?: number;
  /** The job's id, without colons. Adding a kept id again has no effect. Default: a new id. */
  id?: string;
}

export interface JobContext {
  id: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** True when a process died during this attempt before. */
  isRestarted: boolean;
}

/** A kind of job. Its name is also the name of its queue. */
export interface JobDefinition<Schema extends z.ZodType> {
  name: string;
  /** Validates a payload when it is added and again when it is processed. It must survive JSON. */
  schema: Schema;
  options?: JobOptions<z.input<Schema>>;
  process: (payload: z.output<Schema>, context: JobContext) => Promise<void>;
}

/** A job definition with its payload type erased. */
export interface Handler {
  name: string;
  concurrency: number;
  attempts: number;
  keepDone: boolean;
  isHere: boolean;
  every: { ms: number; payload: unknown } | undefined;
  /** Throws ZodError when the payload is invalid. */
  check: (payload: unknown) => unknown;
  process: (payload: unknown, context: JobContext) => Promise<void>;
}

/** The state of a kind of job. Numbers are null while the broker is unreachable. */
export interface HandlerState {
  name: string;
  concurrency: number;
  active: number | null;
  waiting: number | null;
  delayed: number | null;
  failed: number | null;
  /** Age of the oldest waiting job, in seconds; null without one. */
  oldest_waiting_s: number | null;
  /** RFC 3339; null when it never succeeded. */
  last_success_at: string | null;
  /** How long the job that succeeded last took, in ms. */
  last_duration_ms: number | null;
  /** When a repeated job is due next, RFC 3339; null for others. */
  next_run_at: string | null;
}

export interface QueueState {
  broker: { kind: 'redis'; reachable: boolean; latency_ms: number | null };
  handlers: HandlerState[];
}
