import { AppError } from '../../../platform/errors/errors.ts';
import type { UserClaims } from '../claims-schemas.ts';
import type { RequestOrigin } from '../../../platform/http/requests/request-origin.ts';
import type { BrowserOutcome } from '../sign-in/browser-sign-in.ts';
import type { Session } from '../sessions/service.ts';
import type { ApprovalResult } from '../devices/approval/service.ts';
import type { DeviceSignals } from '../devices/recognition/signals.ts';
import type { User, VerifiedIdentity } from '../users/model.ts';
import type { IdpParts } from './context.ts';

/**
 * Sign-in without a proof, for development on the local machine. `isEverybodyAdmin`: whether no
 * admin is configured, so that everybody who signs in this way becomes one.
 */
export function createDevBypass(
  { users, signIn, browserSignIn, audit, devices, sessionOf }: IdpParts,
  { isEverybodyAdmin }: { isEverybodyAdmin: boolean },
) {
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
      const known = await clearedDevice(session, presented);
      const device = known ?? (await requestApproval(session, { ...presented, cookie: undefined }));
      return device.cookie;
    },

    /** Signs in as the owner of an address, and creates that user if needed. */
    async signIn(
      identity: VerifiedIdentity,
      cookieHeader: string | undefined,
      from: RequestOrigin,
    ): Promise<{ outcome: BrowserOutcome; user: UserClaims | null }> {
      const outcome = await browserSignIn.begin({ identity, amr: ['dev'], ...from }, cookieHeader);
      if (outcome.mfa !== undefined) return { outcome, user: null };
      const user = await grantAdmin(outcome.user);
      await audit.record({
        action: 'dev_bypass.used',
        actor: { kind: 'user', id: user.id },
        target: { kind: 'user', id: user.id },
        address: from.address,
        requestId: from.requestId,
      });
      return { outcome, user: signIn.claimsOf(user) };
    },
  };

  /** The browser's device if it is cleared; undefined if it is removed, refused or expired. */
  async function clearedDevice(
    session: Session,
    presented: DeviceSignals,
  ): Promise<ApprovalResult | undefined> {
    try {
      const result = await requestApproval(session, presented);
      return result.device.state === 'cleared' ? result : undefined;
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }

  function requestApproval(session: Session, presented: DeviceSignals): Promise<ApprovalResult> {
    const application = {
      fingerprintHash: devices.fingerprintHash(`page ${presented.client}`),
      deviceId: undefined,
      name: undefined,
      reason: undefined,
    };
    return devices.requestApproval(session, application, presented);
  }

  async function grantAdmin(user: User): Promise<User> {
    if (!isEverybodyAdmin || user.roles.includes('admin')) return user;
    if (await users.isReviewAccount(user.id)) return user;
    return users.setRoles(user.id, [...user.roles, 'admin']);
  }
}

export type DevBypass = ReturnType<typeof createDevBypass>;
