import { entriesOf } from '../../lib/text/lists.ts';
import type { Resources } from '../../platform/resources.ts';
import type { Audit } from '../audit/service.ts';
import type { KnownDevices } from '../auth/known-devices.ts';
import type { SignIn } from '../auth/sign-in.ts';
import type { Messages } from '../comms/service.ts';
import type { Users } from '../users/service.ts';
import { createCodeStore } from './code-store.ts';
import { createOtpFlow } from './flow.ts';
import { otpLimits } from './limits.ts';
import { createReopening } from './reopening.ts';
import { createOtp, type Otp } from './service.ts';

interface OtpNeeds {
  knownDevices: KnownDevices;
  users: Pick<Users, 'ownerOf'>;
  messages: Messages;
  audit: Audit;
}

/** One-time codes by SMS and email. */
export function composeOtp(
  { config, clock, redis, keys, baseUrl }: Resources,
  { knownDevices, users, messages, audit }: OtpNeeds,
) {
  const limits = otpLimits(config);
  const codes = createCodeStore(redis, limits);
  const otp = createOtp({
    codes,
    knownDevices,
    hasAccount: async (identifier) => (await users.ownerOf(identifier)) !== undefined,
    countsAddresses: config.RATE_LIMIT,
    messages,
    audit,
    clock,
    limits,
    pepper: keys('otp'),
    host: new URL(baseUrl).hostname,
    countries: new Set(entriesOf(config.OTP_COUNTRIES)),
  });
  return {
    otp,
    codeLifetimeMs: limits.lifetimeMs,
    /** Tells how many of the day's codes are left. */
    codeBudget: codes,
    reopenCodes: createReopening(otp),
  };
}

/** Signing in with a one-time code. */
export const composeOtpFlow = (needs: { otp: Otp; signIn: SignIn }) => ({
  otpFlow: createOtpFlow(needs),
});
