import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Session } from '../../auth/sessions/sessions.ts';
import type { User } from '../../users/store.ts';
import { type DevicePolicy, deviceTimes } from './policy.ts';
import { deviceStore } from '../store.ts';

export interface FirstDevicesDeps {
  findUser: (id: string) => Promise<User | undefined>;
  policy: Pick<DevicePolicy, 'first'>;
  /** The sign-in for development is open. */
  isDevelopment: boolean;
  clock: Clock;
}

/** Devices that nobody has to approve, since there is nobody who could. */
export function createFirstDevices({ findUser, policy, isDevelopment, clock }: FirstDevicesDeps) {
  /** With the first-admin link, or as an admin by configuration whose account is new. */
  async function isSettingUp({ userId, user, amr, auth_time: at }: Session): Promise<boolean> {
    const now = clock.now();
    if (!user.roles.includes('admin') || now - at > deviceTimes.setup) return false;
    if (amr.includes('setup')) return true;
    const person = await findUser(userId);
    return person !== undefined && now - person.createdAt.getTime() <= deviceTimes.setup;
  }

  return {
    /** Why a new device is cleared at once, or undefined. Takes the first admin's place. */
    async reasonFor(
      transaction: Database,
      deviceId: string,
      session: Session,
      isFirstAdmin: boolean,
    ): Promise<'development' | 'tofu' | 'first_admin' | undefined> {
      if (isDevelopment && session.amr.includes('dev')) return 'development';
      if (
        policy.first === 'tofu' &&
        !(await deviceStore.hasClearedOne(transaction, session.userId))
      )
        return 'tofu';
      return isFirstAdmin &&
        (await deviceStore.claimFirst(transaction, deviceId, new Date(clock.now())))
        ? 'first_admin'
        : undefined;
    },

    /** Whether a session may clear the very first device. Ask before the transaction. */
    isFirstAdmin: async (session: Session): Promise<boolean> =>
      policy.first === 'first_admin' && (await isSettingUp(session)),
  };
}

export type FirstDevices = ReturnType<typeof createFirstDevices>;
