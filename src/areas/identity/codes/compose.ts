import { entriesOf } from '../../../lib/text/lists.ts';
import type { Resources } from '../../../platform/resources.ts';
import type { Audit } from '../../audit/service.ts';
import type { Messages } from '../../comms/service.ts';
import type { KnownDevices } from '../sessions/known-devices.ts';
import type { People } from '../users/compose.ts';
import { note } from './context.ts';
import { createCodeHashes } from './hashes.ts';
import { otpLimits } from './limits.ts';
import { checkedCodeSender, type CodeMessage, codeSender } from './message.ts';
import { createOtp } from './service.ts';
import { createCodeStore } from './store.ts';

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
  const hashes = createCodeHashes(keys('otp'));
  const hasAccount = async (identifier: Parameters<typeof users.ownerOf>[0]): Promise<boolean> =>
    (await users.ownerOf(identifier)) !== undefined;
  const mayReceive = async (identifier: Parameters<typeof users.ownerOf>[0]): Promise<boolean> =>
    (await hasAccount(identifier)) || signUpPolicy.maySignUp([identifier]);
  const sender = {
    messages,
    minutes: Math.round(limits.lifetimeMs / 60_000),
    host: new URL(baseUrl).hostname,
    note({ identifier, source }: CodeMessage, withheld: string | undefined) {
      const action = withheld === undefined ? 'otp.sent' : 'otp.refused';
      note({ audit, hashes }, action, identifier, source, withheld);
    },
  };
  const sendNow = codeSender(sender);
  const sendChecked = checkedCodeSender({ ...sender, queues, keys, mayReceive });
  return {
    otp: createOtp({
      codes,
      knownDevices,
      hasAccount,
      hashes,
      deliver: async (message) => (signUpPolicy.isOpen() ? sendNow : sendChecked)(message),
      review,
      audit,
      clock,
      limits,
      countsAddresses: config.RATE_LIMIT,
      countries: new Set(entriesOf(config.OTP_COUNTRIES)),
    }),
    codeLifetimeMs: limits.lifetimeMs,
    /** Tells how many of the day's codes are left. */
    codeBudget: codes,
  };
}
