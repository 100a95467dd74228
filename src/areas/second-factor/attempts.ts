import type { Redis } from 'ioredis';
import { z } from 'zod';
import { doublingLock, lockArguments, type LockRule } from '../../platform/redis/doubling-lock.ts';
import { dayMs } from '../../lib/durations.ts';

const rule: LockRule = { failures: 10, lockMs: 15 * 60_000, longestLockMs: dayMs };

// KEYS lock, tries; ARGV of the lock → ms that are left of a lock, 0 when this try may be made. It
// counts as failed until it was right.
const begin = `${doublingLock}
    local left = lockLeft(KEYS[1])
    if left == 0 then countFailure(KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3]) end
    return left`;

/**
 * Who tries a person's second factor, by what they have shown: nothing but the person's id; the
 * first factor; a session of the person; or that the device has signed in as this person before.
 * Each has tries and a lock of its own, so that who has shown less can't lock out who has shown
 * more.
 */
export type TriedBy = 'stranger' | 'pending' | 'session' | { device: string };

/**
 * Counts tries at a person's second factors, all kinds together, before they are looked at: ten in
 * a row lock them.
 */
export function createAttempts(redis: Redis) {
  redis.defineCommand('attemptBegin', { numberOfKeys: 2, lua: begin });
  const command = Reflect.get(redis, 'attemptBegin') as (
    ...args: (string | number)[]
  ) => Promise<unknown>;
  function keys(userId: string, by: TriedBy): [lock: string, tries: string] {
    const name = typeof by === 'string' ? by : `device:${by.device}`;
    return [`attempts:{${userId}}:${name}:lock`, `attempts:{${userId}}:${name}:tries`];
  }

  return {
    /** Milliseconds until the next try is allowed; 0: this one is, and is counted. */
    begin: async (userId: string, by: TriedBy): Promise<number> =>
      z.number().parse(await command.call(redis, ...keys(userId, by), ...lockArguments(rule))),
    /** A right answer ends the row of wrong ones, and the lock that it may have begun. */
    clear: (userId: string, by: TriedBy): Promise<number> => redis.del(...keys(userId, by)),
  };
}

export type Attempts = ReturnType<typeof createAttempts>;
