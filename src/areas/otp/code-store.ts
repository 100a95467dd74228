import type { Redis } from 'ioredis';
import { z } from 'zod';
import { lockArguments, type LockRule } from '../../platform/redis/doubling-lock.ts';
import type { Channel } from '../../lib/identifiers.ts';
import { codeScripts } from './code-scripts.ts';

/** Numbers of research: OWASP ASVS 5.0 §6.6, NIST SP 800-63B-4 §3.1.3. Times in ms. */
export interface OtpLimits {
  lifetimeMs: number;
  attempts: number;
  /**
   * Failures in a row, over all codes, that lock the identifier, for strangers or for one device.
   */
  lock: LockRule;
  /**
   * Guesses at live codes in a row, over all codes and locks, and how long they are remembered.
   * `most` by strangers close the identifier's codes (NIST §3.2.2); after `ofDevice` a known device
   * counts as a stranger.
   */
  guesses: { most: number; ofDevice: number; keptMs: number };
  /** Codes to one identifier: how many in how long, for strangers, and again for known devices. */
  sends: readonly (readonly [most: number, ms: number])[];
  /** Codes an hour to numbers that differ in the last four digits only. */
  prefixPerHour: number;
  /** Codes a day by one channel: each share is a limit, and the rest is kept for the next one. */
  perDay: { all: number; strangers: number; firstTime: number; ofAddress: number };
  /** Stops sending to a country whose codes are hardly ever entered: a sign of pumped traffic. */
  breaker: { sends: number; leastVerified: number; ms: number };
}

/** `kept`: the rest of the day's codes is for accounts that there are already. */
type NotSent = 'muted' | 'kept';
export type SendDecision =
  | { outcome: 'sent' | NotSent; sends: number }
  | { outcome: 'locked' | 'limited' | 'budget' | 'share'; retryAfterMs: number }
  /** Only known accounts get codes now, and `hasAccount` was not looked up. Nothing was counted. */
  | { outcome: 'reserve' }
  | { outcome: 'closed' };
/** `began`: this try was one too many, and has locked or closed the identifier's codes. */
export type CheckDecision =
  | { outcome: 'right' | 'other' | 'closed' }
  | { outcome: 'wrong'; began?: 'lock' | 'closure' }
  | { outcome: 'locked'; retryAfterMs: number };

/** Whose codes, tries and locks: of a known device by its id, or of all strangers together. */
export type Party = { device: string } | 'strangers';

export interface NewCode {
  /** HMAC of the identifier: the store never learns it. */
  identifier: string;
  party: Party;
  /** Whether somebody signs in with the identifier already; undefined while nobody has looked. */
  hasAccount: boolean | undefined;
  /** HMAC of the address that asks; '' where addresses are not counted. */
  address: string;
  /** HMAC of the prefix; '' where there is none. */
  prefix: string;
  /** Whose sends and verifications are weighed against each other; '' for none. */
  country: string;
  channel: Channel;
  purpose: string;
  verificationId: string;
  /** HMAC of the code with everything it is bound to. */
  mac: string;
  /** Nothing is sent to these: they are counted, and get an answer like all others. */
  isMuted: boolean;
}

export interface TriedCode extends Pick<
  NewCode,
  'identifier' | 'party' | 'country' | 'purpose' | 'mac'
> {
  verificationId?: string | undefined;
}

type Command = (...args: (string | number)[]) => Promise<unknown>;

const answer = z.tuple([z.string(), z.number()]);
const keyOf = (identifier: string, party: Party, part: string): string =>
  party === 'strangers'
    ? `otp:${identifier}:${part}`
    : `otp:${identifier}:device:${party.device}:${part}`;
// All known devices together: else whoever gets codes could sign in again and again for ever more
// of them.
const sendsKey = (identifier: string, party: Party): string =>
  party === 'strangers' ? `otp:${identifier}:sends` : `otp:${identifier}:known:sends`;
const countryKey = (country: string): string => (country === '' ? '' : `otp:country:${country}`);
const dayKey = (channel: Channel): string => `otp:day:${channel}`;

/**
 * The day's codes for this party: their cap, where the reserve for accounts begins, its standing.
 */
function dayArguments(
  { party, hasAccount }: NewCode,
  { all, strangers, firstTime }: OtpLimits['perDay'],
): [cap: number, keptFrom: number, standing: string] {
  if (party !== 'strangers') return [all, all, 'account'];
  return [strangers, firstTime, hasAccount === undefined ? '' : hasAccount ? 'account' : 'first'];
}

const mostGuesses = (party: Party, { guesses }: OtpLimits): number =>
  party === 'strangers' ? guesses.most : guesses.ofDevice;

const sendKeys = ({ identifier, party, address, prefix, country, channel }: NewCode): string[] => [
  keyOf(identifier, party, 'lock'),
  sendsKey(identifier, party),
  keyOf(identifier, party, 'code'),
  prefix === '' ? '' : `otp:prefix:${prefix}`,
  dayKey(channel),
  countryKey(country),
  keyOf(identifier, party, 'guesses'),
  address === '' ? '' : `${dayKey(channel)}:from:${address}`,
];

function sendArguments(code: NewCode, limits: OtpLimits): (string | number)[] {
  const { sends, leastVerified, ms } = limits.breaker;
  const [cap, keptFrom, standing] = dayArguments(code, limits.perDay);
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
    leastVerified,
    ms,
    mostGuesses(code.party, limits),
    limits.perDay.ofAddress,
    keptFrom,
    standing,
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
    : { outcome: 'wrong', began: outcome === 'closing' ? 'closure' : 'lock' };
}

/** Defines the scripts as commands, and gives the function that runs one. */
function createScripts(redis: Redis) {
  redis.defineCommand('otpSend', { numberOfKeys: 8, lua: codeScripts.otpSend });
  redis.defineCommand('otpCheck', { numberOfKeys: 5, lua: codeScripts.otpCheck });
  redis.defineCommand('otpReopen', { numberOfKeys: 3, lua: codeScripts.otpReopen });
  return async (
    name: keyof typeof codeScripts,
    ...args: (string | number)[]
  ): Promise<[string, number]> => {
    const command = Reflect.get(redis, name) as Command;
    return answer.parse(await command.apply(redis, args));
  };
}

/** One-time codes in Redis: their HMACs, tries and sends. */
export function createCodeStore(redis: Redis, limits: OtpLimits) {
  const run = createScripts(redis);
  return {
    /** Stores a new code of the party in place of its last one, unless a limit forbids it. */
    put: async (code: NewCode): Promise<SendDecision> =>
      sendDecision(await run('otpSend', ...sendKeys(code), ...sendArguments(code, limits))),

    /** The verification whose code is alive, or was used and has not expired. */
    verificationOf: async (identifier: string, party: Party): Promise<string | undefined> =>
      (await redis.hget(keyOf(identifier, party, 'code'), 'id')) ?? undefined,

    /** Whether the party has a code that could be right. */
    hasLiveCode: async (identifier: string, party: Party): Promise<boolean> =>
      (await redis.hexists(keyOf(identifier, party, 'code'), 'mac')) === 1,

    /**
     * Counts one try at the party's code, compares, and removes a right code, in one step. With
     * `verificationId` it is a try of whoever asked for the code: `other` when another code is
     * alive. Without, it has tries of its own, so that it can't use up theirs.
     */
    async check(tried: TriedCode): Promise<CheckDecision> {
      const { identifier, party, country, purpose, mac, verificationId = '' } = tried;
      const part = (name: string) => keyOf(identifier, party, name);
      const answered = await run(
        'otpCheck',
        part('lock'),
        part('code'),
        part('failures'),
        countryKey(country),
        part('guesses'),
        mac,
        purpose,
        verificationId,
        ...lockArguments(limits.lock),
        mostGuesses(party, limits),
        limits.guesses.keptMs,
      );
      return checkDecision(answered);
    },

    /** Reopens codes that strangers' guesses have closed, and ends the lock. False: were open. */
    async reopen(identifier: string): Promise<boolean> {
      const keys = ['guesses', 'lock', 'failures'].map((part) =>
        keyOf(identifier, 'strangers', part),
      );
      const [outcome] = await run('otpReopen', ...keys, limits.guesses.most);
      return outcome === 'reopened';
    },

    /** How much of the day's codes by a channel is left, from 1 to 0. */
    async shareLeft(channel: Channel): Promise<number> {
      const sent = Number((await redis.get(dayKey(channel))) ?? '0');
      return Math.max(0, 1 - sent / limits.perDay.all);
    },
  };
}

export type CodeStore = ReturnType<typeof createCodeStore>;
