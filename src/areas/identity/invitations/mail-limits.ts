import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { dayMs, hourMs } from '../../../lib/durations.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import { mailboxOf } from '../../../lib/mailbox.ts';
import { requestErrors, retryAfter } from '../../../platform/errors/errors.ts';
import type { Resources } from '../../../platform/resources.ts';
import { invitationErrors } from './errors.ts';

/** Emails with invitations: of the installation, and to one mailbox. */
const all = { max: 100, ms: hourMs };
const perMailbox = { max: 10, ms: dayMs };

/** KEYS counts; ARGV now and a new member, then for each key how many, and in how many ms. */
const script = `
  for at, key in ipairs(KEYS) do
    local most, span = tonumber(ARGV[at * 2 + 1]), tonumber(ARGV[at * 2 + 2])
    redis.call('ZREMRANGEBYSCORE', key, '-inf', ARGV[1] - span)
    if redis.call('ZCARD', key) >= most then
      local oldest = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]
      return { at, oldest + span - ARGV[1] }
    end
  end
  for at, key in ipairs(KEYS) do
    redis.call('ZADD', key, ARGV[1], ARGV[2])
    redis.call('PEXPIRE', key, ARGV[at * 2 + 2])
  end
  return { 0, 0 }`;

const Reply = z.tuple([z.number(), z.number()]);

/** Gives a place back, of an email that was not sent. */
export type ReleaseMail = () => Promise<void>;

/**
 * Counts emails with invitations over all replicas, whichever invitation they belong to. Mailboxes
 * are hashed.
 */
export function createMailLimits({ redis, clock, keys: keyOf }: Resources) {
  const key = keyOf('invitation-mails');
  const hash = (text: string) => createHmac('sha256', key).update(text).digest('base64url');

  return {
    /**
     * Takes a place for an email to a lower-case address. Throws `invitations.rate_limited`,
     * `.address_rate_limited`, and `request.unavailable` without Redis.
     */
    async take(email: string): Promise<ReleaseMail> {
      const now = clock.now();
      const keys = ['invitations:mails', `invitations:mails:${hash(mailboxOf(email))}`];
      const member = uuidv7(now);
      const limits = [all.max, all.ms, perMailbox.max, perMailbox.ms];
      const reply = await redis
        .eval(script, keys.length, ...keys, now, member, ...limits)
        .catch((cause: unknown) => {
          throw requestErrors.unavailable({ cause });
        });
      const [full, waitMs] = Reply.parse(reply);
      const seconds = Math.max(1, Math.ceil(waitMs / 1000));
      if (full === 1) throw invitationErrors.rate_limited(retryAfter(seconds));
      if (full === 2) throw invitationErrors.address_rate_limited(retryAfter(seconds));
      return async () => {
        await Promise.all(keys.map((each) => redis.zrem(each, member)));
      };
    },
  };
}
