import { createHmac } from 'node:crypto';
import { clientKey } from '../../../lib/net/ip.ts';
import { dayMs } from '../../../lib/durations.ts';
import type { Resources } from '../../../platform/resources.ts';

/** Maximum number of sites that a client may register per day by sending their first event. */
export const registrationsPerDay = 20;

/** Limits the sites that a client registers per UTC day. Rejects while Redis is down. */
export function createRegistrationLimit({
  redis,
  keys,
  clock,
}: Pick<Resources, 'redis' | 'keys' | 'clock'>) {
  const key = keys('analytics-site-registrations');
  /** Counts a registration. Resolves to whether the client may register another site today. */
  return async (ip: string): Promise<boolean> => {
    const client = createHmac('sha256', key).update(clientKey(ip)).digest('base64url').slice(0, 22);
    const name = `analytics:sites:${Math.floor(clock.now() / dayMs)}:${client}`;
    const count = await redis.incr(name);
    if (count === 1) await redis.expire(name, (2 * dayMs) / 1000);
    return count <= registrationsPerDay;
  };
}
