import { createHmac } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { clientKey } from '../../lib/net/ip.ts';
import { dayMs } from '../../lib/durations.ts';
import { doublingLock, lockArguments, type LockRule } from './doubling-lock.ts';
import { defineScript } from './script.ts';

const rule: LockRule = { failures: 10, lockMs: 15 * 60_000, longestLockMs: dayMs };

// KEYS: lock, attempts. ARGV: those of the lock. Returns the ms left of the lock; 0 if the attempt
// may be made, which then counts as failed until it is cleared.
const begin = `${doublingLock}
    local left = lockLeft(KEYS[1])
    if left == 0 then countFailure(KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3]) end
    return left`;

/** Wrong passwords of a link per day from all clients, so that they can't distribute guessing. */
const allClients = { max: 300, windowMs: dayMs };
// KEYS: attempts of all clients. ARGV: maximum, window in ms. Returns the ms until another attempt
// is possible; 0 if this attempt was counted.
const countForAll = `
    if tonumber(redis.call('GET', KEYS[1]) or '0') >= tonumber(ARGV[1]) then
      return math.max(1, redis.call('PTTL', KEYS[1]))
    end
    if redis.call('INCR', KEYS[1]) == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
    return 0`;
// A correct password is not a guess. A counter that has expired meanwhile is not recreated.
const takeBack = `
    if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then return redis.call('DECR', KEYS[1]) end
    return 0`;

/**
 * Counts password attempts of a link: per client, so that one holder of the link can't lock out
 * the others, and for all clients together, a limit that a single client can't reach. Requests with
 * a valid cookie make no attempt. `prefix` begins the keys in Redis.
 */
export function createPasswordAttempts(redis: Redis, key: Buffer, prefix: string) {
  const script = (name: string, lua: string) =>
    defineScript(redis, { name, lua, reply: z.number() });
  const beginAlone = script('passwordAttemptBegin', begin);
  const beginTogether = script('passwordAttemptBeginTogether', countForAll);
  const uncount = script('passwordAttemptTakeBack', takeBack);
  const allKey = (linkId: string): string =>
    `${prefix}:{${createHmac('sha256', key).update(linkId).digest('base64url')}}:all`;
  function keys(linkId: string, address: string): [string, string] {
    const client = createHmac('sha256', key)
      .update(`${linkId} ${clientKey(address)}`)
      .digest('base64url');
    return [`${prefix}:{${client}}:lock`, `${prefix}:{${client}}:tries`];
  }

  return {
    /** Counts an attempt and returns 0, or returns the milliseconds until one is allowed. */
    async begin(linkId: string, address: string): Promise<number> {
      const left = await beginAlone(keys(linkId, address), ...lockArguments(rule));
      return left > 0 ? left : beginTogether([allKey(linkId)], allClients.max, allClients.windowMs);
    },
    /** Clears the attempts of a client after a correct password, and uncounts that one for all. */
    async clear(linkId: string, address: string): Promise<void> {
      await redis.del(...keys(linkId, address));
      await uncount([allKey(linkId)]);
    },
  };
}

export type PasswordAttempts = ReturnType<typeof createPasswordAttempts>;
