import { entriesOf } from '../../../lib/text/lists.ts';
import type { Resources } from '../../../platform/resources.ts';
import type { Audit } from '../../audit/service.ts';
import type { KnownDevices } from '../sessions/known-devices.ts';
import type { SignIn } from '../sign-in/service.ts';
import type { Messages } from '../../comms/service.ts';
import type { People } from '../users/compose.ts';
import { createCodeStore } from './store.ts';
import { createCodeSignIn } from './code-sign-in.ts';
import { otpLimits } from './limits.ts';
import { createReopening } from './reopening.ts';
import { createCheckedSending, createSending } from './sending.ts';
import { createOtp, type Otp } from './service.ts';

interface OtpNeeds extends Pick<People, 'users' | 'signUpPolicy' | 'review'> {
  knownDevices: KnownDevices;
  messages: Messages;
  audit: Audit;
}

/** One-time codes by SMS and email. */
export function composeOtp(
  { config, clock, redis, keys, queues, baseUrl }: Resources,
  { knownDevices, users, signUpPolicy, review, messages, audit }: OtpNeeds,
) {
  const limits = otpLimits(config);
  const codes = createCodeStore(redis, limits);
  const hasAccount = async (identifier: Parameters<typeof users.ownerOf>[0]): Promise<boolean> =>
    (await users.ownerOf(identifier)) !== undefined;
  const mayReceive = async (identifier: Parameters<typeof users.ownerOf>[0]): Promise<boolean> =>
    (await hasAccount(identifier)) || signUpPolicy.maySignUp([identifier]);
  const message = {
    messages,
    minutes: Math.round(limits.lifetimeMs / 60_000),
    host: new URL(baseUrl).hostname,
  };
  const otp = createOtp({
    codes,
    knownDevices,
    hasAccount,
    countsAddresses: config.RATE_LIMIT,
    createSending: (note) =>
      signUpPolicy.isOpen
        ? createSending({ ...message, note })
        : createCheckedSending({ ...message, note, queues, keys, mayReceive }),
    review,
    audit,
    clock,
    limits,
    pepper: keys('otp'),
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
export const composeCodeSignIn = (needs: { otp: Otp; signIn: SignIn }) => ({
  codeSignIn: createCodeSignIn(needs),
});
