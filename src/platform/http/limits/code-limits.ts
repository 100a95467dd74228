import { limit } from './rate-limit.ts';

/** Limits on asking for one-time codes and on trying them, each counted over all paths together. */
export const codeLimits = {
  send: { rateLimit: limit({ max: 30, seconds: 600, group: 'otp-send' }) },
  verify: { rateLimit: limit({ max: 60, seconds: 300, group: 'otp-verify' }) },
};
