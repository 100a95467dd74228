import type { RequestSource } from '../../../../platform/http/requests/request-origin.ts';
import type {
  AssertionCredential,
  PasskeyRequestOptions,
} from '../../factors/passkeys/webauthn-schemas.ts';
import type { Session } from '../../sessions/service.ts';
import type { Passkeys } from '../../factors/passkeys/service.ts';
import { blackopsErrors } from '../errors.ts';
import type { Management } from './service.ts';
import type { Device } from '../store.ts';

export interface DevicePasskeysDeps {
  passkeys: Pick<Passkeys, 'requestOptions' | 'check'>;
  management: Pick<Management, 'addPasskey'>;
}

const challengeOf = (sessionId: string): string => `device:${sessionId}`;

/** Device-bound passkeys: the strongest binding, in addition to a key. */
export function createDevicePasskeys({ passkeys, management }: DevicePasskeysDeps) {
  return {
    /**
     * Returns the challenge for the browser. Throws `second_factor.passkey_not_found`,
     * `.passkeys_unavailable`.
     */
    options: ({ userId, id }: Session): Promise<PasskeyRequestOptions> =>
      passkeys.requestOptions(userId, challengeOf(id), 'required'),

    /**
     * Binds the device to the passkey of the assertion, or checks that it is already bound to it.
     * The passkey must be device-bound (not synced) and must have verified the user. Throws
     * `blackops.passkey_refused`, `.transition_not_allowed`.
     */
    async use(
      session: Session,
      device: Device,
      credential: AssertionCredential,
      requestSource: RequestSource,
    ): Promise<Device> {
      const used = await passkeys.check(session.userId, challengeOf(session.id), credential);
      const isAccepted =
        used.isRight && used.isDeviceBound === true && used.isUserVerified === true;
      if (!isAccepted || used.passkeyId === undefined || device.jkt === null)
        throw blackopsErrors.passkey_refused();
      if (device.passkey_id === null)
        return management.addPasskey(device, used.passkeyId, requestSource);
      if (device.passkey_id !== used.passkeyId) throw blackopsErrors.passkey_refused();
      return device;
    },
  };
}

export type DevicePasskeys = ReturnType<typeof createDevicePasskeys>;
