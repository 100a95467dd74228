import type { Config } from '../../../config.ts';
import type { OtpLimits } from './store.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/**
 * Divides the day's codes. The last fifth is reserved for existing accounts, half of that for known
 * devices only; one client address gets a twentieth.
 */
const dailyShares = (all: number): OtpLimits['perDay'] => ({
  all,
  unknown: Math.ceil(all * 0.9),
  firstTime: Math.ceil(all * 0.8),
  perAddress: Math.max(10, Math.ceil(all * 0.05)),
});

const attemptLimits = {
  lifetimeMs: 5 * minuteMs,
  attempts: 5,
  lock: { failures: 10, lockMs: 15 * minuteMs, longestLockMs: dayMs },
  guesses: { max: 100, maxPerDevice: 30, ttlMs: 90 * dayMs },
};

const unlimited = Number.MAX_SAFE_INTEGER;

/** The limits on one-time codes. With OTP_LIMITS=off only attempts are limited. */
export function otpLimits(config: Config): OtpLimits {
  if (!config.OTP_LIMITS)
    return {
      ...attemptLimits,
      sends: [],
      prefixPerHour: unlimited,
      perDay: dailyShares(unlimited),
      breaker: { sends: unlimited, minVerifiedRatio: 0, ms: dayMs },
    };
  return {
    ...attemptLimits,
    sends: [
      [3, minuteMs],
      [5, 10 * minuteMs],
      [10, dayMs],
    ],
    prefixPerHour: 20,
    perDay: dailyShares(config.OTP_DAILY_LIMIT),
    breaker: { sends: 40, minVerifiedRatio: 0.25, ms: dayMs },
  };
}
