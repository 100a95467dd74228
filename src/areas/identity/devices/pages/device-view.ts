import { hasAnyRole } from '../../../../lib/access.ts';
import { safeRedirect } from '../../../../lib/net/safe-redirect.ts';
import type { FramedPerson } from '../../account/frame.tsx';
import type { Session } from '../../sessions/service.ts';
import type { DevicePolicy, Requirement } from '../approval/policy.ts';
import type { ApprovalRequest } from '../approval/store.ts';
import type { RecognisedDevice } from '../recognition/recognition.ts';
import type { DeviceSignals } from '../recognition/signals.ts';
import type { Device } from '../store.ts';
import type { DevicesContext } from '../compose.ts';
import { devicesPath } from './routes.options.ts';
import type { PasskeyFacts } from './page-passkey.tsx';

/** A validation error of a form about one device. */
export interface FormError {
  deviceId: string;
  text: string;
}

export interface DevicesView extends PasskeyFacts {
  person: FramedPerson;
  /** The device in use; undefined when it never requested approval. */
  device: Device | undefined;
  /** Its open request. */
  request: ApprovalRequest | undefined;
  /** The user's other devices. */
  others: readonly Device[];
  /** Path of this service that the user came for. */
  next: string | undefined;
  /** What this device lacks for pages that need an approved one. */
  missing: readonly Requirement[];
  policy: DevicePolicy;
  hasSecondFactor: boolean;
  isAdmin: boolean;
  /** True when the user's roles open the console. */
  mayEnterConsole: boolean;
  /** Names of admins who could help; undefined when the user may not see them. */
  admins: readonly string[] | undefined;
  /** Browser and system. */
  client: string;
  error: FormError | undefined;
  /** Nonce for the next DPoP proof. */
  nonce: string;
  /** Unix ms. */
  now: number;
}

/** Returns a path of this service other than the device page itself, or undefined. */
export function nextPath(wanted: string, baseOrigin: string): string | undefined {
  const next = safeRedirect(wanted === '' ? undefined : wanted, baseOrigin);
  return next === '/' || new URL(next, baseOrigin).pathname.replace(/\/$/, '') === devicesPath
    ? undefined
    : next;
}

/** Loads the page's data, and binds the session to the device. Throws `blackops.device_revoked`. */
export async function loadDevicesView(
  { devices, secondFactor, passkeys, ownAccount, baseOrigin, clock }: DevicesContext,
  session: Session,
  recognised: RecognisedDevice | undefined,
  presented: DeviceSignals,
  { next = '', error }: { next?: string | undefined; error?: FormError | undefined },
): Promise<DevicesView> {
  const device = recognised?.device;
  const { userId, user } = session;
  if (device !== undefined && device.state !== 'revoked')
    await devices.bind(session, device, { from: presented.from });
  // Users without a role must not learn who the admins are.
  const canSeeAdmins = user.roles.length > 0;
  const [all, request, factor, admins, picture] = await Promise.all([
    devices.management.listByUser(userId),
    device?.state === 'pending' ? devices.findOpenRequest(device.id) : undefined,
    secondFactor.statusOf(userId),
    canSeeAdmins ? devices.management.listAdminNames(userId) : undefined,
    ownAccount.avatars.pathOf(userId),
  ]);
  const missing = devices.missingRequirements(session, recognised, presented);
  const { name, email, phone, roles } = user;
  const nextPage = nextPath(next, baseOrigin);
  const isConsoleNext = missing.length === 0 && nextPage === undefined;
  return {
    // One way on: to the page they came for, or else to the console, which may not open yet.
    person: { name, email, phone, picture, roles: isConsoleNext ? roles : [] },
    device,
    request,
    others: all.filter(({ id }) => id !== device?.id),
    next: nextPage,
    missing,
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
