import { createHmac } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { dayMs, hourMs } from '../../lib/durations.ts';
import { mailboxOf } from '../../lib/mailbox.ts';
import { clientKey, truncateAddress } from '../../lib/net/ip.ts';
import type { Keys } from '../../platform/crypto/keys.ts';
import { defineScript } from '../../platform/redis/script.ts';
import { contactErrors } from './errors.ts';
import type { SolvedProof } from './proofs.ts';
import type { ContactProof } from './statuses.ts';

/**
 * The maximum of messages an hour, and in total also a day, by how the sender proved itself. A
 * client is an IPv4 address or a /64 of IPv6, a network a /24 or a /48.
 */
export const contactLimits = {
  solved: { client: 5, network: 20, hour: 200, day: 1000 },
  none: { client: 2, network: 4, hour: 20, day: 100 },
  key: { client: undefined, network: undefined, hour: 600, day: 5000 },
} as const satisfies Record<ContactProof, Record<string, number | undefined>>;

/** From one email address an hour; more are filed as spam. */
export const maxPerEmail = 5;

/** Messages filed as spam that are kept in an hour; more are dropped. */
const maxSpam = 50;

// KEYS counters; ARGV max and window in ms of each → ms until the fullest one ends, or 0 when all
// were counted. All or none are counted, so that a refused message uses up nothing. One more KEY
// and ARGV are a proof and the seconds to remember it: it is used with the counting, and -1 if it
// was used before, which costs nobody a place.
const take = `
    local counters, seconds = math.floor(#ARGV / 2), ARGV[#ARGV]
    local proof = KEYS[counters + 1]
    if proof and redis.call('EXISTS', proof) == 1 then return -1 end
    for at = 1, counters do
      local key = KEYS[at]
      if tonumber(redis.call('GET', key) or '0') >= tonumber(ARGV[2 * at - 1]) then
        return math.max(1, redis.call('PTTL', key))
      end
    end
    for at = 1, counters do
      if redis.call('INCR', KEYS[at]) == 1 then redis.call('PEXPIRE', KEYS[at], ARGV[2 * at]) end
    end
    if proof then redis.call('SET', proof, '1', 'EX', seconds) end
    return 0`;

// KEYS counters → takes one message off each that has not ended.
const giveBack = `
    for _, key in ipairs(KEYS) do
      if tonumber(redis.call('GET', key) or '0') > 0 then redis.call('DECR', key) end
    end`;

interface Counter {
  /** What is counted. Stored as an HMAC, because it may be an address. */
  name: string;
  max: number;
  ms: number;
}

/** The counters of a message without its email address. */
function countersOf(proof: ContactProof, address: string): Counter[] {
  const { client, network, hour, day } = contactLimits[proof];
  const counter = (name: string, max: number | undefined, ms = hourMs): Counter[] =>
    max === undefined ? [] : [{ name: `${proof} ${name}`, max, ms }];
  return [
    ...counter(`client ${clientKey(address)}`, client),
    ...counter(`network ${truncateAddress(address) ?? 'unknown'}`, network),
    ...counter('hour', hour),
    ...counter('day', day, dayMs),
  ];
}

/** Replies to one mailbox, and those that one person or key writes. */
const replyLimits = { mailbox: { hour: 10, day: 40 }, author: { hour: 200 } } as const;

const countersOfReply = (email: string, author: string): Counter[] => {
  const { mailbox, author: own } = replyLimits;
  const name = `reply ${mailboxOf(email.toLowerCase())}`;
  return [
    { name: `${name} hour`, max: mailbox.hour, ms: hourMs },
    { name: `${name} day`, max: mailbox.day, ms: dayMs },
    { name: `replies of ${author}`, max: own.hour, ms: hourMs },
  ];
};

const counterOfEmail = (email: string): Counter => ({
  name: `email ${email.toLowerCase()}`,
  max: maxPerEmail,
  ms: hourMs,
});

const proofKey = ({ nonce }: SolvedProof): string => `{contact}:nonce:${nonce}`;

/** Counts messages across all replicas. Every counter expires on its own. */
export function createContactLimits(redis: Redis, keys: Keys) {
  const key = keys('contact-limits');
  const run = defineScript(redis, { name: 'contactTake', lua: take, reply: z.number() });
  const uncount = defineScript(redis, {
    name: 'contactGiveBack',
    lua: giveBack,
    reply: z.null(),
  });
  return { ofSender, ofEmail, ofReply, ofSpam, giveBack: takeBack };

  /**
   * Counts a message and uses its proof. Returns 0, or the ms until the sender may try again.
   * Throws `contact.proof_used` and counts nothing for a proof that was used before.
   */
  async function ofSender(
    proof: ContactProof,
    address: string,
    solved?: SolvedProof,
  ): Promise<number> {
    const waitMs = await count(countersOf(proof, address), solved);
    if (waitMs < 0) throw contactErrors.proof_used();
    return waitMs;
  }

  /** Counts a message from an email address. Returns false above its limit. */
  async function ofEmail(email: string): Promise<boolean> {
    return (await count([counterOfEmail(email)])) === 0;
  }

  /** Counts a reply. Returns 0, or the ms until its recipient or author may have another one. */
  function ofReply(email: string, author: string): Promise<number> {
    return count(countersOfReply(email, author));
  }

  /** Counts a message that is filed as spam. Returns false when no more are kept. */
  async function ofSpam(): Promise<boolean> {
    return (await count([{ name: 'spam', max: maxSpam, ms: hourMs }])) === 0;
  }

  /**
   * Uncounts a message that could not be stored, and makes its proof usable again; `email` unless
   * it was not counted.
   */
  async function takeBack(
    proof: ContactProof,
    address: string,
    email: string | undefined,
    solved?: SolvedProof,
  ): Promise<void> {
    const counters = email === undefined ? [] : [counterOfEmail(email)];
    await uncount([...countersOf(proof, address), ...counters].map(keyOf));
    if (solved !== undefined) await redis.del(proofKey(solved));
  }

  function count(counters: readonly Counter[], solved?: SolvedProof): Promise<number> {
    const limits = counters.flatMap(({ max, ms }) => [max, ms]);
    return solved === undefined
      ? run(counters.map(keyOf), ...limits)
      : run([...counters.map(keyOf), proofKey(solved)], ...limits, solved.seconds);
  }

  /** The braces put all counters into one slot of a cluster. */
  function keyOf({ name }: Counter): string {
    return `{contact}:count:${createHmac('sha256', key).update(name).digest('base64url')}`;
  }
}

export type ContactLimits = ReturnType<typeof createContactLimits>;
