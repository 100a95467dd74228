import { createHmac } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { clientKey } from '../../../lib/net/ip.ts';
import { dayMs } from '../../../lib/durations.ts';
import { defineScript } from '../../../platform/redis/script.ts';

/** Maximum messages a day: requested by one client, and sent to one mailbox. */
const dailyMax = { client: 20, mailbox: 5 };

// KEYS counter; ARGV max, window in ms → ms until the window ends, or 0 when it was counted.
const take = `
    if tonumber(redis.call('GET', KEYS[1]) or '0') >= tonumber(ARGV[1]) then
      return math.max(1, redis.call('PTTL', KEYS[1]))
    end
    if redis.call('INCR', KEYS[1]) == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
    return 0`;

/** Daily limits for messages across all replicas. The Redis keys are HMACs of the addresses. */
export function createSubscriptionBudget(redis: Redis, key: Buffer) {
  const run = defineScript(redis, {
    name: 'statusSubscriptionTake',
    lua: take,
    reply: z.number(),
  });
  function count(kind: keyof typeof dailyMax, text: string): Promise<number> {
    const name = createHmac('sha256', key).update(`${kind} ${text}`).digest('base64url');
    return run([`status:subscribe:${name}`], dailyMax[kind], dayMs);
  }

  return {
    /** Counts a request of a client. Returns 0, or the ms until the client may try again. */
    ofClient: (address: string): Promise<number> => count('client', clientKey(address)),
    /** Counts a message to a mailbox. Returns false when the limit of the day is reached. */
    ofMailbox: async (email: string): Promise<boolean> => (await count('mailbox', email)) === 0,
  };
}

export type SubscriptionBudget = ReturnType<typeof createSubscriptionBudget>;
