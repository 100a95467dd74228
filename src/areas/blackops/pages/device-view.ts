import { hasAnyRole } from '../../../lib/access.ts';
import { safeRedirect } from '../../../lib/net/safe-redirect.ts';
import type { Session } from '../../auth/sessions/sessions.ts';
import type { DevicePolicy, Requirement } from '../clearance/policy.ts';
import type { ClearanceRequest } from '../clearance/request-store.ts';
import type { RecognisedDevice } from '../recognition/recognition.ts';
import type { DeviceSignals } from '../recognition/signals.ts';
import type { Device } from '../store.ts';
import { type DevicePageRoutesOptions, devicesPath } from './routes.options.ts';
import type { PasskeyFacts } from './page-passkey.ts';

/** What was wrong with a form about a device. */
export interface FormError {
  deviceId: string;
  text: string;
}

export interface DevicesView extends PasskeyFacts {
  /** The one that shows the page; undefined when it never asked. */
  device: Device | undefined;
  /** What it has asked, while that is open. */
  request: ClearanceRequest | undefined;
  /** The person's other devices. */
  others: readonly Device[];
  /** Where the person was going: a path of ours. */
  next: string | undefined;
  /** What is missing before this device could do what needs a cleared one. */
  missing: readonly Requirement[];
  policy: DevicePolicy;
  hasSecondFactor: boolean;
  isAdmin: boolean;
  /** Whether the person's roles open the console. */
  mayEnterConsole: boolean;
  /** What admins are called who could help; undefined for who need not know. */
  admins: readonly string[] | undefined;
  /** Browser and system. */
  client: string;
  error: FormError | undefined;
  /** For the next proof. */
  nonce: string;
  /** Unix ms. */
  now: number;
}

/** A path of ours that is another page than that of devices. */
export function nextPath(wanted: string, baseOrigin: string): string | undefined {
  const next = safeRedirect(wanted === '' ? undefined : wanted, baseOrigin);
  return next === '/' || new URL(next, baseOrigin).pathname.replace(/\/$/, '') === devicesPath
    ? undefined
    : next;
}

/** Binds the session to the device. Throws `blackops.device_revoked`. */
export async function loadDevicesView(
  { devices, secondFactor, passkeys, baseOrigin, clock }: DevicePageRoutesOptions,
  session: Session,
  shown: RecognisedDevice | undefined,
  presented: DeviceSignals,
  { next = '', error }: { next?: string | undefined; error?: FormError | undefined },
): Promise<DevicesView> {
  const device = shown?.device;
  const { userId, user } = session;
  if (device !== undefined && device.state !== 'revoked')
    await devices.bind(session, device, { from: presented.from });
  // Who holds no role has no need to know who the admins are.
  const mayKnow = user.roles.length > 0;
  const [all, request, factor, admins] = await Promise.all([
    devices.management.listByUser(userId),
    device?.state === 'pending' ? devices.findOpenRequest(device.id) : undefined,
    secondFactor.statusOf(userId),
    mayKnow ? devices.management.listAdminNames(userId) : undefined,
  ]);
  return {
    device,
    request,
    others: all.filter(({ id }) => id !== device?.id),
    next: nextPath(next, baseOrigin),
    missing: devices.missingRequirements(session, shown, presented),
    policy: devices.policy,
    error,
    client: presented.client,
    hasSecondFactor: factor.isEnabled,
    hasPasskey: factor.passkeys.length > 0,
    passkeyOrigin: passkeys.origin,
    admins,
    isAdmin: user.roles.includes('admin'),
    mayEnterConsole: hasAnyRole(user.roles),
    nonce: devices.nonces.current(),
    now: clock.now(),
  };
}
