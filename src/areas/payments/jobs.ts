import { z } from 'zod';
import type { Queues } from '../../platform/queues.ts';
import { attempts } from './handling.ts';
import type { Handling } from './handling.ts';
import { EventJob } from './schemas.ts';

/** One job for each event, and every minute one for the events whose job is missing. Gives the former. */
export function definePaymentJobs(queues: Queues, handling: Handling) {
  queues.defineJob({
    name: 'payments-sweep',
    schema: z.strictObject({}),
    options: { every: { ms: 60_000, payload: {} } },
    process: () => handling.sweep(),
  });
  return queues.defineJob({
    name: 'payments-event',
    schema: EventJob,
    options: { attempts, concurrency: 5 },
    process: ({ id }) => handling.handle(id),
  });
}
