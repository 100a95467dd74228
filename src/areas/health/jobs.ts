import { z } from 'zod';
import type { Queues } from '../../platform/queues/queues.ts';

/** Defines a no-op job that runs every minute, as proof that jobs are processed. */
export function defineHeartbeat(queues: Queues) {
  return queues.defineJob({
    name: 'platform-heartbeat',
    schema: z.strictObject({}),
    options: { every: { ms: 60_000, payload: {} } },
    process: async () => undefined,
  });
}
