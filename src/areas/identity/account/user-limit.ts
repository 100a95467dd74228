import { z } from 'zod';
import { requestErrors, retryAfter } from '../../../platform/errors/errors.ts';
import type { AccountResources } from './context.ts';
import { accountErrors } from './errors.ts';

export interface UserLimit {
  name: string;
  max: number;
  ms: number;
}

const number = z.tuple([z.null(), z.number()]);
const Reply = z.tuple([number, z.unknown(), number]);

/**
 * Counts changes of each user in Redis, whatever address they come from. The function throws
 * `account.too_many_changes`, and `request.unavailable` without Redis.
 */
export function createUserLimits({ redis, config }: AccountResources) {
  return async (userId: string, { name, max, ms }: UserLimit): Promise<void> => {
    if (!config.RATE_LIMIT) return;
    const key = `account:limit:${name}:${userId}`;
    const reply = await redis
      .multi()
      .incr(key)
      .pexpire(key, ms, 'NX')
      .pttl(key)
      .exec()
      .catch((cause: unknown) => {
        throw requestErrors.unavailable({ cause });
      });
    const [[, count], , [, left]] = Reply.parse(reply);
    if (count <= max) return;
    throw accountErrors.too_many_changes(retryAfter(Math.max(1, Math.ceil(left / 1000))));
  };
}

export type CountChange = ReturnType<typeof createUserLimits>;
