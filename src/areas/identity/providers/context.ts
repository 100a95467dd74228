import type { Resources } from '../../../platform/resources.ts';
import type { Audit } from '../../audit/service.ts';
import type { Devices } from '../devices/service.ts';
import type { Session } from '../sessions/service.ts';
import type { BrowserSignIn } from '../sign-in/browser-sign-in.ts';
import type { SignIn } from '../sign-in/service.ts';
import type { ReviewAccount } from '../users/policies/review-account.ts';
import type { Users } from '../users/service.ts';

/** What providers, the first-admin link and the bypass need of other folders. */
export interface IdpNeeds {
  audit: Audit;
  users: Users;
  review: ReviewAccount;
  devices: Devices;
  signIn: SignIn;
  browserSignIn: BrowserSignIn;
  /** The session that Set-Cookie headers have just opened. */
  sessionOf: (setCookies: readonly string[]) => Promise<Session | undefined>;
}

/** What their services are made from. */
export type IdpParts = Resources & IdpNeeds;
