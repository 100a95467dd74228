import type { Redis } from 'ioredis';
import { z } from 'zod';
import { dayMs, minuteMs } from '../../../lib/durations.ts';
import {
  doublingLock,
  lockArguments,
  type LockRule,
} from '../../../platform/redis/doubling-lock.ts';
import { defineScript } from '../../../platform/redis/script.ts';

const rule: LockRule = { failures: 10, lockMs: 15 * minuteMs, longestLockMs: dayMs };

// KEYS lock, tries; ARGV lock settings → remaining ms of a lock, or 0 when the attempt is allowed.
// An attempt counts as failed until it is cleared.
const beginScript = `${doublingLock}
    local left = lockLeft(KEYS[1])
    if left == 0 then countFailure(KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3]) end
    return left`;

/**
 * The source of attempts, by what it has proved: nothing but knowing the user's id, the first
 * factor, a session, or a device that signed in before. Each source has its own attempts and lock,
 * so that one that has proved less can't lock out one that has proved more.
 */
export type AttemptSource = 'stranger' | 'pending' | 'session' | { device: string };

/** Counts attempts at all second factors of a user together. Ten consecutive failures lock them. */
export function createAttempts(redis: Redis) {
  const run = defineScript(redis, { name: 'attemptBegin', lua: beginScript, reply: z.number() });
  function keys(userId: string, source: AttemptSource): [lock: string, tries: string] {
    const name = typeof source === 'string' ? source : `device:${source.device}`;
    return [`attempts:{${userId}}:${name}:lock`, `attempts:{${userId}}:${name}:tries`];
  }

  return {
    /** Counts an attempt. Returns ms until the next one is allowed; 0 when this one is. */
    begin: (userId: string, source: AttemptSource): Promise<number> =>
      run(keys(userId, source), ...lockArguments(rule)),
    /** Resets the failures, and the lock that the attempt itself may have set. */
    clear: (userId: string, source: AttemptSource): Promise<number> =>
      redis.del(...keys(userId, source)),
  };
}
