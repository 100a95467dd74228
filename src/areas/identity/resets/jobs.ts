import { z } from 'zod';
import { minuteMs } from '../../../lib/durations.ts';
import type { Queues } from '../../../platform/queues/queues.ts';
import type { ResetExecution } from './execution.ts';

/** Defines the job that, every minute, does what is due for resets of second factors. */
export const defineFactorResetJob = (queues: Queues, execute: ResetExecution) =>
  queues.defineJob({
    name: 'factor-resets',
    schema: z.strictObject({}),
    options: { every: { ms: minuteMs, payload: {} } },
    process: () => execute(),
  });
