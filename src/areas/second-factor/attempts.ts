import type { Redis } from 'ioredis';
import { z } from 'zod';

const most = 10;
const lockMs = 15 * 60_000;
const longestLockMs = 86_400_000;

// KEYS lock, tries; ARGV most, lock, longest lock → ms that are left of a lock, 0 when this try may be made
const begin = `
  local left = redis.call('PTTL', KEYS[1])
  if left > 0 then return left end
  local tries = redis.call('HINCRBY', KEYS[2], 'tries', 1)
  redis.call('PEXPIRE', KEYS[2], ARGV[3] * 2)
  if tries >= tonumber(ARGV[1]) then
    local locks = redis.call('HINCRBY', KEYS[2], 'locks', 1)
    redis.call('HSET', KEYS[2], 'tries', 0)
    redis.call('SET', KEYS[1], '1', 'PX', math.min(tonumber(ARGV[3]), ARGV[2] * 2 ^ (locks - 1)))
  end
  return 0`;

/** Counts tries at a person's second factors, all kinds together, before they are looked at: ten in a row lock them. */
export function createAttempts(redis: Redis) {
  redis.defineCommand('attemptBegin', { numberOfKeys: 2, lua: begin });
  const command = Reflect.get(redis, 'attemptBegin') as (...args: (string | number)[]) => Promise<unknown>;
  const keys = (userId: string): [string, string] => [`attempts:{${userId}}:lock`, `attempts:{${userId}}:tries`];

  return {
    /** Milliseconds until the next try is allowed; 0: this one is, and is counted. */
    begin: async (userId: string): Promise<number> => z.number().parse(await command.call(redis, ...keys(userId), most, lockMs, longestLockMs)),
    /** A right answer ends the row of wrong ones, and the lock that it may have begun. */
    clear: (userId: string): Promise<number> => redis.del(...keys(userId)),
  };
}

export type Attempts = ReturnType<typeof createAttempts>;
