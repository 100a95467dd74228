import type { Redis } from 'ioredis';
import { z } from 'zod';
import { lockArguments, type LockRule } from '../../../platform/redis/doubling-lock.ts';
import { defineScript } from '../../../platform/redis/script.ts';
import type { Channel } from '../../../lib/identifiers.ts';
import { codeScripts } from './scripts.ts';

/** Limits on codes, after OWASP ASVS 5.0 §6.6 and NIST SP 800-63B-4 §3.1.3. Times in ms. */
export interface OtpLimits {
  lifetimeMs: number;
  attempts: number;
  /**
   * Consecutive failures, over all codes, that lock the identifier: for unknown devices, or for one
   * known device.
   */
  lock: LockRule;
  /**
   * Consecutive guesses at live codes, over all codes and locks, and how long they are remembered.
   * `max` guesses by unknown devices disable the identifier's codes (NIST §3.2.2); after
   * `maxPerDevice` a known device counts as unknown.
   */
  guesses: { max: number; maxPerDevice: number; ttlMs: number };
  /** Codes per identifier and window, counted separately for unknown and for known devices. */
  sends: readonly (readonly [max: number, ms: number])[];
  /** Codes per hour to numbers that differ in the last four digits only. */
  prefixPerHour: number;
  /**
   * Codes per day and channel: in total, for unknown devices, for first-time sign-ins, and per
   * client address.
   */
  perDay: { all: number; unknown: number; firstTime: number; perAddress: number };
  /** Stops sending to a country whose codes are hardly ever entered: a sign of SMS pumping. */
  breaker: { sends: number; minVerifiedRatio: number; ms: number };
}

/** `kept`: the rest of the day's codes is reserved for existing accounts. */
type NotSent = 'muted' | 'kept';
export type SendDecision =
  | { outcome: 'sent' | NotSent; sends: number }
  | { outcome: 'locked' | 'limited' | 'budget' | 'share'; retryAfterMs: number }
  /** Only existing accounts get codes, and `hasAccount` was not given. Nothing was counted. */
  | { outcome: 'reserve' }
  | { outcome: 'closed' };
/** `triggered`: this attempt has locked or closed the identifier's codes. */
export type CheckDecision =
  | { outcome: 'right' | 'other' | 'closed' }
  | { outcome: 'wrong'; triggered?: 'lock' | 'closure' }
  | { outcome: 'locked'; retryAfterMs: number };

/**
 * The owner of codes, attempts and locks: a known device by its id, a signed-in user who asks for
 * codes to an address or number that they want to add, or all unknown devices together.
 */
export type Bucket = { device: string } | { asker: string } | 'unknown';

export interface NewCode {
  /** HMAC of the identifier, which itself is never stored. */
  identifier: string;
  bucket: Bucket;
  /** Whether the identifier belongs to a user; undefined until it is looked up. */
  hasAccount: boolean | undefined;
  /** HMAC of the client's address; '' where addresses are not counted. */
  address: string;
  /**
   * HMAC of the number's prefix, or of an address that users ask for; '' for sign-ins by email and
   * for known devices.
   */
  prefix: string;
  /** The country to count sends and verifications for; '' for none. */
  country: string;
  channel: Channel;
  purpose: string;
  verificationId: string;
  /** HMAC of the code and everything it is bound to. */
  mac: string;
  /** True when no message may be sent. The request still counts, and gets the usual response. */
  isMuted: boolean;
}

export interface CodeAttempt extends Pick<
  NewCode,
  'identifier' | 'bucket' | 'country' | 'purpose' | 'mac'
> {
  verificationId?: string | undefined;
}

const scriptReply = z.tuple([z.string(), z.number()]);
function keyOf(identifier: string, bucket: Bucket, part: string): string {
  if (bucket === 'unknown') return `otp:${identifier}:${part}`;
  return 'asker' in bucket
    ? `otp:${identifier}:asker:${bucket.asker}:${part}`
    : `otp:${identifier}:device:${bucket.device}:${part}`;
}
// Shared by all known devices: otherwise every new sign-in would bring more codes.
const sendsKey = (identifier: string, bucket: Bucket): string =>
  bucket !== 'unknown' && 'device' in bucket
    ? `otp:${identifier}:known:sends`
    : keyOf(identifier, bucket, 'sends');
const countryKey = (country: string): string => (country === '' ? '' : `otp:country:${country}`);
const dayKey = (channel: Channel): string => `otp:day:${channel}`;

/**
 * The bucket's daily cap, the count from which codes are reserved for accounts, and its status.
 */
function dayArguments(
  { bucket, hasAccount }: NewCode,
  { all, unknown, firstTime }: OtpLimits['perDay'],
): [cap: number, reservedFrom: number, accountStatus: string] {
  if (bucket !== 'unknown' && 'device' in bucket) return [all, all, 'account'];
  return [unknown, firstTime, hasAccount === undefined ? '' : hasAccount ? 'account' : 'first'];
}

const maxGuesses = (bucket: Bucket, { guesses }: OtpLimits): number =>
  bucket === 'unknown' ? guesses.max : guesses.maxPerDevice;

const sendKeys = ({ identifier, bucket, address, prefix, country, channel }: NewCode): string[] => [
  keyOf(identifier, bucket, 'lock'),
  sendsKey(identifier, bucket),
  keyOf(identifier, bucket, 'code'),
  prefix === '' ? '' : `otp:prefix:${prefix}`,
  dayKey(channel),
  countryKey(country),
  keyOf(identifier, bucket, 'guesses'),
  address === '' ? '' : `${dayKey(channel)}:from:${address}`,
];

function sendArguments(code: NewCode, limits: OtpLimits): (string | number)[] {
  const { sends, minVerifiedRatio, ms } = limits.breaker;
  const [cap, reservedFrom, accountStatus] = dayArguments(code, limits.perDay);
  return [
    code.mac,
    code.verificationId,
    code.purpose,
    limits.lifetimeMs,
    limits.attempts,
    code.isMuted ? 1 : 0,
    limits.prefixPerHour,
    cap,
    sends,
    minVerifiedRatio,
    ms,
    maxGuesses(code.bucket, limits),
    limits.perDay.perAddress,
    reservedFrom,
    accountStatus,
    ...limits.sends.flat(),
  ];
}

function sendDecision([outcome, number]: [string, number]): SendDecision {
  if (outcome === 'sent' || outcome === 'muted' || outcome === 'kept')
    return { outcome, sends: number };
  if (outcome === 'closed' || outcome === 'reserve') return { outcome };
  return {
    outcome: z.enum(['locked', 'limited', 'budget', 'share']).parse(outcome),
    retryAfterMs: number,
  };
}

function checkDecision([outcome, ms]: [string, number]): CheckDecision {
  if (outcome === 'locked') return { outcome, retryAfterMs: ms };
  if (outcome === 'right' || outcome === 'other' || outcome === 'closed') return { outcome };
  return outcome === 'wrong'
    ? { outcome }
    : { outcome: 'wrong', triggered: outcome === 'closing' ? 'closure' : 'lock' };
}

/** One-time codes in Redis: their HMACs, attempts and sends. */
export function createCodeStore(redis: Redis, limits: OtpLimits) {
  const script = (name: keyof typeof codeScripts) =>
    defineScript(redis, { name, lua: codeScripts[name], reply: scriptReply });
  const runSend = script('otpSend');
  const runCheck = script('otpCheck');
  const runReopen = script('otpReopen');
  return {
    /** Stores the bucket's new code in place of the previous one, unless a limit forbids it. */
    put: async (code: NewCode): Promise<SendDecision> =>
      sendDecision(await runSend(sendKeys(code), ...sendArguments(code, limits))),

    /** The verification id of the bucket's code, live or used, until it expires. */
    verificationOf: async (identifier: string, bucket: Bucket): Promise<string | undefined> =>
      (await redis.hget(keyOf(identifier, bucket, 'code'), 'id')) ?? undefined,

    /** Whether the bucket has an unused code that has not expired. */
    hasLiveCode: async (identifier: string, bucket: Bucket): Promise<boolean> =>
      (await redis.hexists(keyOf(identifier, bucket, 'code'), 'mac')) === 1,

    /**
     * Counts an attempt at the bucket's code, compares, and removes a right code, in one step. With
     * `verificationId` the attempt counts as one by the client that requested the code: `other`
     * when another code is live. Without it, attempts count separately, so that they can't use up
     * those of that client.
     */
    async check(attempt: CodeAttempt): Promise<CheckDecision> {
      const { identifier, bucket, country, purpose, mac, verificationId = '' } = attempt;
      const part = (name: string) => keyOf(identifier, bucket, name);
      const reply = await runCheck(
        [part('lock'), part('code'), part('failures'), countryKey(country), part('guesses')],
        mac,
        purpose,
        verificationId,
        ...lockArguments(limits.lock),
        maxGuesses(bucket, limits),
        limits.guesses.ttlMs,
      );
      return checkDecision(reply);
    },

    /**
     * Reopens codes that wrong guesses have closed, and ends the lock. Returns false when they
     * were not closed.
     */
    async reopen(identifier: string): Promise<boolean> {
      const part = (name: string) => keyOf(identifier, 'unknown', name);
      // Nearly always open: a read costs the store a fraction of a script.
      const guesses = Number((await redis.get(part('guesses'))) ?? '0');
      if (guesses < limits.guesses.max) return false;
      const keys = ['guesses', 'lock', 'failures'].map(part);
      const [outcome] = await runReopen(keys, limits.guesses.max);
      return outcome === 'reopened';
    },

    /** The share of the channel's daily codes that is left, from 1 to 0. */
    async shareLeft(channel: Channel): Promise<number> {
      const sent = Number((await redis.get(dayKey(channel))) ?? '0');
      return Math.max(0, 1 - sent / limits.perDay.all);
    },
  };
}

export type CodeStore = ReturnType<typeof createCodeStore>;
