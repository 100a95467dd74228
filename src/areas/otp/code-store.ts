import type { Redis } from 'ioredis';
import { z } from 'zod';
import { doublingLock, lockArguments, type LockRule } from '../../platform/doubling-lock.ts';

/** Numbers of research: OWASP ASVS 5.0 §6.6, NIST SP 800-63B-4 §3.1.3. Times in ms. */
export interface OtpLimits {
  lifetimeMs: number;
  attempts: number;
  /** Failures in a row, over all codes, lock the identifier. */
  lock: LockRule;
  /** Guesses at live codes in a row, over all codes and locks, until the identifier's codes are off (NIST §3.2.2), and how long they are remembered. */
  guesses: { most: number; keptMs: number };
  /** Codes that may be sent to one identifier: how many in how long. */
  sends: readonly (readonly [most: number, ms: number])[];
  /** Codes an hour to numbers that differ in the last four digits only. */
  prefixPerHour: number;
  /** Codes a day, to everybody, by channel. */
  perDay: number;
  /** Nothing more is sent to a country whose codes are hardly ever entered: that is how numbers are pumped. */
  breaker: { sends: number; leastVerified: number; ms: number };
}

export type SendDecision = { outcome: 'sent'; sends: number } | { outcome: 'locked' | 'limited' | 'budget'; retryAfterMs: number } | { outcome: 'muted'; sends: number };
/** `began`: this try was the one too many, and nobody is let in by codes for a while, or until they are reopened. */
export type CheckDecision = { outcome: 'right' | 'other' } | { outcome: 'wrong'; began?: 'lock' | 'closure' } | { outcome: 'locked'; retryAfterMs: number };

export interface NewCode {
  /** HMAC of the identifier: the store never learns it. */
  identifier: string;
  /** HMAC of the prefix; '' where there is none. */
  prefix: string;
  /** Whose sends and verifications are weighed against each other; '' for none. */
  country: string;
  channel: string;
  purpose: string;
  verificationId: string;
  /** HMAC of the code with everything it is bound to. */
  mac: string;
  /** Nothing is sent to these: they are counted, and get an answer like all others. */
  isMuted: boolean;
}

// Redis' own clock: an application server's can jump. Counting comes before comparing, and success takes the code away
// in the same step, so that of a thousand right answers one wins and of a thousand wrong ones five are looked at.
const shared = `${doublingLock}
    local function isClosed(guesses, most) return tonumber(redis.call('GET', guesses) or '0') >= tonumber(most) end`;
const scripts = {
  // KEYS lock, sends, code, prefix, day, country, guesses; ARGV mac, verification id, purpose, lifetime, attempts, muted, prefix cap,
  // day cap, breaker's sends, share and ms, most guesses, longest lock, then most/ms pairs
  otpSend: `${shared}
    local t = redis.call('TIME')
    local now = t[1] * 1000 + math.floor(t[2] / 1000)
    if isClosed(KEYS[7], ARGV[12]) then return { 'locked', tonumber(ARGV[13]) } end
    local lock = lockLeft(KEYS[1])
    if lock > 0 then return { 'locked', lock } end
    local longest, wait = 0, 0
    for at = 14, #ARGV, 2 do
      local most, span = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
      longest = math.max(longest, span)
      local recent = redis.call('ZCOUNT', KEYS[2], now - span + 1, '+inf')
      if recent >= most then
        local oldest = redis.call('ZRANGE', KEYS[2], -most, -most, 'WITHSCORES')
        wait = math.max(wait, tonumber(oldest[2]) + span - now)
      end
    end
    if wait > 0 then return { 'limited', wait } end
    local day = tonumber(redis.call('GET', KEYS[5]) or '0')
    if day >= tonumber(ARGV[8]) then return { 'budget', math.max(1, redis.call('PTTL', KEYS[5])) } end
    redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - longest)
    redis.call('ZADD', KEYS[2], now, ARGV[2])
    redis.call('PEXPIRE', KEYS[2], longest)
    local muted = ARGV[6] == '1'
    if KEYS[4] ~= '' and not muted then
      local sent = redis.call('INCR', KEYS[4])
      if sent == 1 then redis.call('PEXPIRE', KEYS[4], 3600000) end
      muted = sent > tonumber(ARGV[7])
    end
    if KEYS[6] ~= '' and not muted then
      local stat = redis.call('HMGET', KEYS[6], 'sent', 'verified')
      local sent, verified = tonumber(stat[1] or '0'), tonumber(stat[2] or '0')
      muted = sent >= tonumber(ARGV[9]) and verified < sent * tonumber(ARGV[10])
      if not muted and redis.call('HINCRBY', KEYS[6], 'sent', 1) == 1 then redis.call('PEXPIRE', KEYS[6], ARGV[11]) end
    end
    -- Those of the last ten minutes: older ones would tell that somebody has signed in today.
    local sends = redis.call('ZCOUNT', KEYS[2], now - 599999, '+inf')
    redis.call('DEL', KEYS[3])
    if muted then return { 'muted', sends } end
    redis.call('INCR', KEYS[5])
    if day == 0 then redis.call('PEXPIRE', KEYS[5], 86400000) end
    redis.call('HSET', KEYS[3], 'mac', ARGV[1], 'id', ARGV[2], 'purpose', ARGV[3], 'owner', ARGV[5], 'stranger', ARGV[5])
    redis.call('PEXPIRE', KEYS[3], ARGV[4])
    return { 'sent', sends }`,
  // KEYS lock, code, failures, country, guesses; ARGV mac, purpose, the owner's verification id or '', those of the lock, most
  // guesses and how long they are kept
  otpCheck: `${shared}
    if isClosed(KEYS[5], ARGV[7]) then return { 'locked', tonumber(ARGV[6]) } end
    local budget = ARGV[3] == '' and 'stranger' or 'owner'
    local code = redis.call('HMGET', KEYS[2], 'mac', 'purpose', budget, 'used', 'id')
    if ARGV[3] ~= '' and code[5] ~= ARGV[3] then return { 'other', 0 } end
    local tries = code[1] and tonumber(code[3]) or 0
    local lock = lockLeft(KEYS[1])
    if lock > 0 and (budget ~= 'owner' or tries < 1) then return { 'locked', lock } end
    -- The right code once more, by a double click or a retry: worthless, but not a guess.
    if code[4] == ARGV[1] then return { 'wrong', 0 } end
    if tries > 0 then
      local left = redis.call('HINCRBY', KEYS[2], budget, -1)
      if code[1] == ARGV[1] and code[2] == ARGV[2] then
        redis.call('HSET', KEYS[2], 'used', ARGV[1])
        redis.call('HDEL', KEYS[2], 'mac', 'purpose', 'owner', 'stranger')
        redis.call('DEL', KEYS[3], KEYS[5])
        if KEYS[4] ~= '' and redis.call('EXISTS', KEYS[4]) == 1 then redis.call('HINCRBY', KEYS[4], 'verified', 1) end
        return { 'right', 0 }
      end
      if left == 0 and budget == 'owner' then redis.call('DEL', KEYS[2]) end
      redis.call('INCR', KEYS[5])
      redis.call('PEXPIRE', KEYS[5], ARGV[8])
    end
    local isLocking = countFailure(KEYS[1], KEYS[3], ARGV[4], ARGV[5], ARGV[6])
    if isClosed(KEYS[5], ARGV[7]) then
      redis.call('PERSIST', KEYS[5])
      redis.call('DEL', KEYS[2])
      return { 'closing', 0 }
    end
    return { isLocking and 'locking' or 'wrong', 0 }`,
  // KEYS guesses, lock, failures; ARGV most guesses
  otpReopen: `${shared}
    if not isClosed(KEYS[1], ARGV[1]) then return { 'open', 0 } end
    redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
    return { 'reopened', 0 }`,
};

type Command = (...args: (string | number)[]) => Promise<unknown>;

const answer = z.tuple([z.string(), z.number()]);

/** One-time codes in Redis: their HMACs, how often they were tried, and how many were sent to whom. */
export function createCodeStore(redis: Redis, limits: OtpLimits) {
  redis.defineCommand('otpSend', { numberOfKeys: 7, lua: scripts.otpSend });
  redis.defineCommand('otpCheck', { numberOfKeys: 5, lua: scripts.otpCheck });
  redis.defineCommand('otpReopen', { numberOfKeys: 3, lua: scripts.otpReopen });
  async function run(name: keyof typeof scripts, ...args: (string | number)[]): Promise<[string, number]> {
    const command = Reflect.get(redis, name) as Command;
    return answer.parse(await command.apply(redis, args));
  }
  const keyOf = (identifier: string, part: string) => `otp:${identifier}:${part}`;
  const countryKey = (country: string) => (country === '' ? '' : `otp:country:${country}`);

  return {
    /** Stores a new code in the place of the one before, unless a limit stands against it. */
    async put({ identifier, prefix, country, channel, purpose, verificationId, mac, isMuted }: NewCode): Promise<SendDecision> {
      const keys = [
        keyOf(identifier, 'lock'), keyOf(identifier, 'sends'), keyOf(identifier, 'code'),
        prefix === '' ? '' : `otp:prefix:${prefix}`, `otp:day:${channel}`, countryKey(country),
        keyOf(identifier, 'guesses'),
      ];
      const { sends, leastVerified, ms } = limits.breaker;
      const [outcome, number] = await run('otpSend', ...keys, mac, verificationId, purpose, limits.lifetimeMs, limits.attempts, isMuted ? 1 : 0,
        limits.prefixPerHour, limits.perDay, sends, leastVerified, ms, limits.guesses.most, limits.lock.longestLockMs, ...limits.sends.flat());
      if (outcome === 'sent' || outcome === 'muted') return { outcome, sends: number };
      return { outcome: z.enum(['locked', 'limited', 'budget']).parse(outcome), retryAfterMs: number };
    },

    /** The id of the verification whose code is alive, or was used and would be still; undefined when there is none. */
    async verificationOf(identifier: string): Promise<string | undefined> {
      return (await redis.hget(keyOf(identifier, 'code'), 'id')) ?? undefined;
    },

    /**
     * Counts one try, compares, and takes a right code away, in one step. With `verificationId` it is its owner's try, and
     * when that is not the one whose code is alive, nothing is done: `other`. Without it is a stranger's; those have
     * tries of their own, so that they can't use up the owner's.
     */
    async check({ identifier, country, purpose, mac, verificationId = '' }: Pick<NewCode, 'identifier' | 'country' | 'purpose' | 'mac'> & { verificationId?: string }): Promise<CheckDecision> {
      const keys = [keyOf(identifier, 'lock'), keyOf(identifier, 'code'), keyOf(identifier, 'failures'), countryKey(country), keyOf(identifier, 'guesses')];
      const { most, keptMs } = limits.guesses;
      const [outcome, ms] = await run('otpCheck', ...keys, mac, purpose, verificationId, ...lockArguments(limits.lock), most, keptMs);
      if (outcome === 'locked') return { outcome, retryAfterMs: ms };
      if (outcome === 'right' || outcome === 'other') return { outcome };
      return outcome === 'wrong' ? { outcome } : { outcome: 'wrong', began: outcome === 'closing' ? 'closure' : 'lock' };
    },

    /** Switches the identifier's codes on again after too many guesses, without the lock. False when they were not off. */
    async reopen(identifier: string): Promise<boolean> {
      const [outcome] = await run('otpReopen', keyOf(identifier, 'guesses'), keyOf(identifier, 'lock'), keyOf(identifier, 'failures'), limits.guesses.most);
      return outcome === 'reopened';
    },
  };
}

export type CodeStore = ReturnType<typeof createCodeStore>;
