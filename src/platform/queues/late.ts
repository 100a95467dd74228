import type { HandlerState } from './types.ts';

/** Milliseconds that a run may wait for a process, and for jobs before it. */
const graceMs = 300_000;

/** Whether the next run of a repeated job should have begun minutes ago. `now`: Unix ms. */
export const isLate = ({ next_run_at: next }: Pick<HandlerState, 'next_run_at'>, now: number) =>
  next !== null && now - Date.parse(next) > graceMs;
