import { minuteMs } from '../../lib/durations.ts';
import type { Queues } from '../../platform/queues/queues.ts';

/** Defines a no-op job that runs every minute, as proof that jobs are processed. */
export function defineHeartbeat(queues: Queues) {
  return queues.every('platform-heartbeat', minuteMs, async () => undefined);
}
