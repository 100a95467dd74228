import type { Redis } from 'ioredis';
import { z } from 'zod';
import { doublingLock, lockArguments, type LockRule } from '../../platform/doubling-lock.ts';

const rule: LockRule = { failures: 10, lockMs: 15 * 60_000, longestLockMs: 86_400_000 };

// KEYS lock, tries; ARGV of the lock → ms that are left of a lock, 0 when this try may be made. It counts as failed until it was right.
const begin = `${doublingLock}
    local left = lockLeft(KEYS[1])
    if left == 0 then countFailure(KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3]) end
    return left`;

/** Who tries: somebody who has proved a first factor of the person, or anybody who knows the person's id. */
export type Trier = 'proven' | 'stranger';

/**
 * Counts tries at a person's second factors, all kinds together, before they are looked at: ten in a row lock them.
 * Strangers have a count and a lock of their own, so that they can't keep the person out.
 */
export function createAttempts(redis: Redis) {
  redis.defineCommand('attemptBegin', { numberOfKeys: 2, lua: begin });
  const command = Reflect.get(redis, 'attemptBegin') as (...args: (string | number)[]) => Promise<unknown>;
  const keys = (userId: string, trier: Trier): [string, string] => [`attempts:{${userId}}:${trier}:lock`, `attempts:{${userId}}:${trier}:tries`];

  return {
    /** Milliseconds until the next try is allowed; 0: this one is, and is counted. */
    begin: async (userId: string, trier: Trier): Promise<number> => z.number().parse(await command.call(redis, ...keys(userId, trier), ...lockArguments(rule))),
    /** A right answer ends the row of wrong ones, and the lock that it may have begun. */
    clear: (userId: string, trier: Trier): Promise<number> => redis.del(...keys(userId, trier)),
  };
}

export type Attempts = ReturnType<typeof createAttempts>;
