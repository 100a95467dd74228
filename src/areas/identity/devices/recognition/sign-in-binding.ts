import { sha256Hex } from '../../../../lib/secrets/secrets.ts';
import type { Database } from '../../../../platform/database/database.ts';
import type { Sessions } from '../../sessions/service.ts';
import { type DeviceSecrets, readDeviceCookie } from './device-secrets.ts';
import { deviceStore } from '../store.ts';

interface SignInBindingDeps {
  db: Database;
  sessions: Pick<Sessions, 'setDevice' | 'end'>;
  secrets: DeviceSecrets;
}

/** Binds a new session to the device of the cookie that came with the sign-in. */
export function createSignInBinding({ db, sessions, secrets }: SignInBindingDeps) {
  return async (
    userId: string,
    sessionId: string,
    cookieValue: string | undefined,
  ): Promise<void> => {
    const cookie = readDeviceCookie(cookieValue);
    if (cookie === undefined || !secrets.isOurs(cookie.deviceId, cookie.secret)) return;
    const device = await deviceStore.find(db, cookie.deviceId);
    const hash = sha256Hex(cookie.secret);
    if (
      device?.user_id !== userId ||
      device.state === 'revoked' ||
      (hash !== device.secret_hash && hash !== device.previous_secret_hash)
    )
      return;
    await sessions.setDevice(userId, sessionId, {
      id: device.id,
      state: device.state,
      jkt: null,
      proved_at: 0,
      proved_from: '',
      passkey_at: 0,
    });
    // The device may have been revoked concurrently, before the session was bound to it.
    if ((await deviceStore.find(db, device.id))?.state === 'revoked')
      await sessions.end(userId, sessionId);
  };
}
