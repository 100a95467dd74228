import { limit } from './rate-limit.ts';

/** Limits on requesting and on verifying one-time codes, each counted across all paths. */
export const codeLimits = {
  send: { rateLimit: limit({ max: 30, seconds: 600, group: 'otp-send' }) },
  verify: { rateLimit: limit({ max: 60, seconds: 300, group: 'otp-verify' }) },
};
