import { createHmac } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { clientKey } from '../../../../lib/net/ip.ts';
import { dayMs } from '../../../../lib/durations.ts';
import {
  doublingLock,
  lockArguments,
  type LockRule,
} from '../../../../platform/redis/doubling-lock.ts';

const rule: LockRule = { failures: 10, lockMs: 15 * 60_000, longestLockMs: dayMs };

// KEYS lock, tries; ARGV of the lock → ms that are left of a lock, 0 when this try may be made. It
// counts as failed until it was right.
const begin = `${doublingLock}
    local left = lockLeft(KEYS[1])
    if left == 0 then countFailure(KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3]) end
    return left`;

/**
 * Wrong passwords of one share from all clients together, in a day: many clients must not guess
 * together what one can't.
 */
const allClients = { max: 300, windowMs: dayMs };
// KEYS tries of all; ARGV most, ms of the window → ms until there is room again, 0 when this try
// was counted.
const beginTogether = `
    if tonumber(redis.call('GET', KEYS[1]) or '0') >= tonumber(ARGV[1]) then
      return math.max(1, redis.call('PTTL', KEYS[1]))
    end
    if redis.call('INCR', KEYS[1]) == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
    return 0`;
// A right one was no guess. What has run out in between stays gone.
const takeBack = `
    if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then return redis.call('DECR', KEYS[1]) end
    return 0`;

/**
 * Counts tries at the password of a share, for each client by itself, so that who has the link does
 * not lock out the others, and for all clients together, which is a limit that one client alone
 * does not reach. Whoever has a cookie tries nothing.
 */
export function createPasswordAttempts(redis: Redis, key: Buffer) {
  redis.defineCommand('shareAttemptBegin', { numberOfKeys: 2, lua: begin });
  redis.defineCommand('shareAttemptBeginTogether', { numberOfKeys: 1, lua: beginTogether });
  redis.defineCommand('shareAttemptTakeBack', { numberOfKeys: 1, lua: takeBack });
  const run = async (name: string, ...args: (string | number)[]): Promise<number> => {
    const command = Reflect.get(redis, name) as (...given: (string | number)[]) => Promise<unknown>;
    return z.number().parse(await command.call(redis, ...args));
  };
  const allKey = (shareId: string): string =>
    `share:{${createHmac('sha256', key).update(shareId).digest('base64url')}}:all`;
  function keys(shareId: string, address: string): [string, string] {
    const client = createHmac('sha256', key)
      .update(`${shareId} ${clientKey(address)}`)
      .digest('base64url');
    return [`share:{${client}}:lock`, `share:{${client}}:tries`];
  }

  return {
    /** Milliseconds until the next try is allowed; 0: this one is, and is counted. */
    async begin(shareId: string, address: string): Promise<number> {
      const left = await run(
        'shareAttemptBegin',
        ...keys(shareId, address),
        ...lockArguments(rule),
      );
      return left > 0
        ? left
        : run('shareAttemptBeginTogether', allKey(shareId), allClients.max, allClients.windowMs);
    },
    /** A right password ends the row of wrong ones of this client, and is not counted for all. */
    async clear(shareId: string, address: string): Promise<void> {
      await redis.del(...keys(shareId, address));
      await run('shareAttemptTakeBack', allKey(shareId));
    },
  };
}

export type PasswordAttempts = ReturnType<typeof createPasswordAttempts>;
