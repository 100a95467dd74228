import { minuteMs } from '../../../lib/durations.ts';
import type { Queues } from '../../../platform/queues/queues.ts';
import type { ResetExecution } from './execution.ts';

/** Defines the job that, every minute, does what is due for resets of second factors. */
export const defineFactorResetJob = (queues: Queues, execute: ResetExecution) =>
  queues.every('factor-resets', minuteMs, () => execute());
