import type { Clock } from '../../../../lib/clock.ts';
import type { Database } from '../../../../platform/database/database.ts';
import type { Session } from '../../sessions/service.ts';
import type { User } from '../../users/model.ts';
import { type DevicePolicy, deviceTimes } from './policy.ts';
import { deviceStore } from '../store.ts';

export interface FirstDevicesDeps {
  findUser: (id: string) => Promise<User | undefined>;
  policy: Pick<DevicePolicy, 'first'>;
  /** Development sign-in without a proof is enabled. */
  isDevelopment: boolean;
  clock: Clock;
}

/** Bootstrap: the first devices are cleared without an approver, because none exists yet. */
export function createFirstDevices({ findUser, policy, isDevelopment, clock }: FirstDevicesDeps) {
  /** True for the first-admin link, and for a configured admin whose account is new. */
  async function isSettingUp({ userId, user, amr, auth_time: at }: Session): Promise<boolean> {
    const now = clock.now();
    if (!user.roles.includes('admin') || now - at > deviceTimes.setup) return false;
    if (amr.includes('setup')) return true;
    const person = await findUser(userId);
    return person !== undefined && now - person.createdAt.getTime() <= deviceTimes.setup;
  }

  return {
    /**
     * Returns why a new device is cleared at once, or undefined when it needs an approval.
     * `first_admin` claims the only slot for it.
     */
    async reasonFor(
      transaction: Database,
      deviceId: string,
      session: Session,
      isFirstAdmin: boolean,
    ): Promise<'development' | 'first_admin' | undefined> {
      if (isDevelopment && session.amr.includes('dev')) return 'development';
      return isFirstAdmin &&
        (await deviceStore.claimFirst(transaction, deviceId, new Date(clock.now())))
        ? 'first_admin'
        : undefined;
    },

    /** True when the session may clear the very first device. Call it before the transaction. */
    isFirstAdmin: async (session: Session): Promise<boolean> =>
      policy.first === 'first_admin' && (await isSettingUp(session)),
  };
}

export type FirstDevices = ReturnType<typeof createFirstDevices>;
