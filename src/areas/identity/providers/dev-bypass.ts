import { AppError } from '../../../platform/errors/errors.ts';
import type { UserClaims } from '../claims-schemas.ts';
import type { RequestOrigin } from '../../../platform/http/requests/request-origin.ts';
import type { Audit } from '../../audit/service.ts';
import type { BrowserOutcome, BrowserSignIn } from '../sign-in/browser-sign-in.ts';
import type { Session } from '../sessions/service.ts';
import type { ApprovalResult } from '../devices/approval/service.ts';
import type { DeviceSignals } from '../devices/recognition/signals.ts';
import type { Devices } from '../devices/service.ts';
import type { Users } from '../users/service.ts';
import type { User, VerifiedIdentity } from '../users/model.ts';

export interface DevBypassDeps {
  /**
   * True when no admin is configured: then everybody who signs in through the bypass becomes one.
   */
  isEverybodyAdmin: boolean;
  users: Pick<Users, 'setRoles' | 'isReviewAccount'>;
  browserSignIn: BrowserSignIn;
  audit: Pick<Audit, 'record'>;
  userClaims: (user: User) => UserClaims;
  devices: Pick<Devices, 'requestApproval' | 'fingerprintHash'>;
  /** The session that Set-Cookie headers have just opened. */
  sessionOf: (setCookies: readonly string[]) => Promise<Session | undefined>;
}

function requestApproval(
  { devices }: DevBypassDeps,
  session: Session,
  presented: DeviceSignals,
): Promise<ApprovalResult> {
  const application = {
    fingerprintHash: devices.fingerprintHash(`page ${presented.client}`),
    deviceId: undefined,
    name: undefined,
    reason: undefined,
  };
  return devices.requestApproval(session, application, presented);
}

/** The browser's device if it is cleared; undefined if it is removed, refused or expired. */
async function clearedDevice(
  deps: DevBypassDeps,
  session: Session,
  presented: DeviceSignals,
): Promise<ApprovalResult | undefined> {
  try {
    const result = await requestApproval(deps, session, presented);
    return result.device.state === 'cleared' ? result : undefined;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Sign-in without a proof, for development on the local machine. */
export function createDevBypass(deps: DevBypassDeps) {
  const { isEverybodyAdmin, users, browserSignIn, audit, userClaims, sessionOf } = deps;

  async function grantAdmin(user: User): Promise<User> {
    if (!isEverybodyAdmin || user.roles.includes('admin')) return user;
    if (await users.isReviewAccount(user.id)) return user;
    return users.setRoles(user.id, [...user.roles, 'admin']);
  }

  return {
    /**
     * Clears the device of the browser that has just signed in. Returns the next value of the
     * device cookie, if any.
     */
    async clearDevice(
      setCookies: readonly string[],
      presented: DeviceSignals,
    ): Promise<string | undefined> {
      const session = await sessionOf(setCookies);
      if (session === undefined) return undefined;
      const known = await clearedDevice(deps, session, presented);
      const device =
        known ?? (await requestApproval(deps, session, { ...presented, cookie: undefined }));
      return device.cookie;
    },

    /** Signs in as the owner of an address, and creates that user if needed. */
    async signIn(
      identity: VerifiedIdentity,
      cookieHeader: string | undefined,
      from: RequestOrigin,
    ): Promise<{ outcome: BrowserOutcome; user: UserClaims | null }> {
      const outcome = await browserSignIn({ identity, amr: ['dev'], ...from }, cookieHeader);
      if (outcome.mfa !== undefined) return { outcome, user: null };
      const user = await grantAdmin(outcome.user);
      await audit.record({
        action: 'dev_bypass.used',
        actor: { kind: 'user', id: user.id },
        target: { kind: 'user', id: user.id },
        address: from.address,
        requestId: from.requestId,
      });
      return { outcome, user: userClaims(user) };
    },
  };
}

export type DevBypass = ReturnType<typeof createDevBypass>;
