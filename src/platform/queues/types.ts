import type { z } from 'zod';

export const jobStates = ['waiting', 'active', 'delayed', 'failed', 'completed'] as const;
export type JobState = (typeof jobStates)[number];

interface JobOptions<Payload> {
  /** Jobs that one process runs at a time. Default 1. */
  concurrency?: number;
  /** How often a failing job is tried in all. Default 3, with growing pauses. */
  attempts?: number;
  /** Whether jobs that are done stay in Redis for a while (their ids stay taken). Default true. */
  keepDone?: boolean;
  /** False: this process adds and shows such jobs, and others do them. Default true. */
  isHere?: boolean;
  /** Adds a job with this payload by itself every so many milliseconds, once among all replicas. */
  every?: { ms: number; payload: Payload };
}

export interface AddOptions {
  /** Milliseconds before the job may start. Default 0. */
  delayMs?: number;
  /** The job's id, without colons; adding a kept id again changes nothing. Default: a new one. */
  id?: string;
}

export interface JobContext {
  id: string;
  /** 1 at the first try. */
  attempt: number;
  /** True when a process died over this try before. */
  isRestarted: boolean;
}

/** A kind of job: its name is also the name of its queue. */
export interface JobDefinition<Schema extends z.ZodType> {
  name: string;
  /** Checks a payload when it is added and again when it is processed. It must survive JSON. */
  schema: Schema;
  options?: JobOptions<z.input<Schema>>;
  process: (payload: z.output<Schema>, context: JobContext) => Promise<void>;
}

/** A definition whose payload type is hidden behind its check. */
export interface Handler {
  name: string;
  concurrency: number;
  attempts: number;
  keepDone: boolean;
  isHere: boolean;
  every: { ms: number; payload: unknown } | undefined;
  /** Throws a ZodError when the payload is not one. */
  check: (payload: unknown) => unknown;
  process: (payload: unknown, context: JobContext) => Promise<void>;
}

/** What is known of a kind of job. Numbers are null when the broker could not be asked. */
export interface HandlerState {
  name: string;
  concurrency: number;
  active: number | null;
  waiting: number | null;
  delayed: number | null;
  failed: number | null;
  /** Age of the job that waits longest, in seconds; null when none waits. */
  oldest_waiting_s: number | null;
  /** RFC 3339; null when it never succeeded. */
  last_success_at: string | null;
}

export interface QueueState {
  broker: { kind: 'redis'; reachable: boolean; latency_ms: number | null };
  handlers: HandlerState[];
}
