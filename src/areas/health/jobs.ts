import { z } from 'zod';
import type { Queues } from '../../platform/queues/queues.ts';

/** A job that does nothing, every minute: it shows that jobs are run. */
export function defineHeartbeat(queues: Queues) {
  return queues.defineJob({
    name: 'platform-heartbeat',
    schema: z.strictObject({}),
    options: { every: { ms: 60_000, payload: {} } },
    process: async () => undefined,
  });
}
