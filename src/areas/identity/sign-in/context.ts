import type { Resources } from '../../../platform/resources.ts';
import type { Audit } from '../../audit/service.ts';
import type { Messages } from '../../comms/service.ts';
import type { Otp } from '../codes/service.ts';
import type { SecondFactor } from '../factors/service.ts';
import type { KnownDevices } from '../sessions/known-devices.ts';
import type { Sessions } from '../sessions/service.ts';
import type { Users } from '../users/service.ts';
import type { MfaTokens } from './mfa-tokens.ts';

/** What signing in needs of other folders. */
export interface SignInNeeds {
  audit: Audit;
  messages: Messages;
  users: Users;
  sessions: Sessions;
  secondFactor: SecondFactor;
  otp: Otp;
  knownDevices: KnownDevices;
  /** Binds a session to the device whose cookie came with the request. */
  bindDevice: (
    userId: string,
    sessionId: string,
    cookieHeader: string | undefined,
  ) => Promise<void>;
}

/** What the services of signing in are made from. */
export type SignInParts = Resources & SignInNeeds & { mfaTokens: MfaTokens };
