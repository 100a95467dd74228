import { createHmac } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { clientKey } from '../../lib/ip.ts';
import { doublingLock, lockArguments, type LockRule } from '../../platform/doubling-lock.ts';

const rule: LockRule = { failures: 10, lockMs: 15 * 60_000, longestLockMs: 86_400_000 };

// KEYS lock, tries; ARGV of the lock → ms that are left of a lock, 0 when this try may be made. It counts as failed until it was right.
const begin = `${doublingLock}
    local left = lockLeft(KEYS[1])
    if left == 0 then countFailure(KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3]) end
    return left`;

/** Counts tries at the password of a share, for each client by itself: who has the link must not lock out the others. */
export function createShareTries(redis: Redis, key: Buffer) {
  redis.defineCommand('shareTryBegin', { numberOfKeys: 2, lua: begin });
  const command = Reflect.get(redis, 'shareTryBegin') as (...args: (string | number)[]) => Promise<unknown>;
  function keys(shareId: string, address: string): [string, string] {
    const client = createHmac('sha256', key).update(`${shareId} ${clientKey(address)}`).digest('base64url');
    return [`share:{${client}}:lock`, `share:{${client}}:tries`];
  }

  return {
    /** Milliseconds until the next try is allowed; 0: this one is, and is counted. */
    begin: async (shareId: string, address: string): Promise<number> => z.number().parse(await command.call(redis, ...keys(shareId, address), ...lockArguments(rule))),
    /** A right password ends the row of wrong ones. */
    clear: (shareId: string, address: string): Promise<number> => redis.del(...keys(shareId, address)),
  };
}

export type ShareTries = ReturnType<typeof createShareTries>;
