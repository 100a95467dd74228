import { createHmac } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { clientKey } from '../../../lib/net/ip.ts';
import { dayMs } from '../../../lib/durations.ts';

/** Messages a day: what one client may have sent, and what one mailbox gets, whoever asks. */
const max = { client: 20, mailbox: 5 };

// KEYS counter; ARGV max, ms of the window → ms until there is room again, 0 when it was counted.
const take = `
    if tonumber(redis.call('GET', KEYS[1]) or '0') >= tonumber(ARGV[1]) then
      return math.max(1, redis.call('PTTL', KEYS[1]))
    end
    if redis.call('INCR', KEYS[1]) == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
    return 0`;

/** Counts messages to mailboxes over all replicas, by HMACs of addresses, for a day. */
export function createSubscriptionBudget(redis: Redis, key: Buffer) {
  redis.defineCommand('statusSubscriptionTake', { numberOfKeys: 1, lua: take });
  const command = Reflect.get(redis, 'statusSubscriptionTake') as (
    ...args: (string | number)[]
  ) => Promise<unknown>;
  async function count(kind: keyof typeof max, text: string): Promise<number> {
    const name = createHmac('sha256', key).update(`${kind} ${text}`).digest('base64url');
    return z
      .number()
      .parse(await command.call(redis, `status:subscribe:${name}`, max[kind], dayMs));
  }

  return {
    /** Milliseconds until this client may ask again; 0: it may, and is counted. */
    ofClient: (address: string): Promise<number> => count('client', clientKey(address)),
    /** Whether this mailbox may get one more message today, which is counted. */
    ofMailbox: async (email: string): Promise<boolean> => (await count('mailbox', email)) === 0,
  };
}

export type SubscriptionBudget = ReturnType<typeof createSubscriptionBudget>;
