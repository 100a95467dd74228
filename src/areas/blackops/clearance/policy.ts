import type { Session } from '../../auth/sessions/sessions.ts';
import { type Binding, isAtLeast } from '../states.ts';
import type { Device } from '../store.ts';
import { dayMs, hourMs } from '../../../lib/durations.ts';

/** Times in ms. */
export const deviceTimes = {
  /** Clearance ends when a device is not used for this long, and in any case after `absolute`. */
  unused: 30 * dayMs,
  absolute: 90 * dayMs,
  /** A request that nobody has decided on. */
  request: 72 * hourMs,
  /** Age at which a cookie's secret is replaced, and how long the old one still works. */
  rotation: 5 * 60_000,
  grace: 30_000,
  /** For how long a proved key counts for pages, which can't carry a proof, and a passkey. */
  keyProof: 5 * 60_000,
  passkeyProof: 12 * hourMs,
  /** How long ago a sign-in may be for what needs a fresh one. */
  fresh: 5 * 60_000,
  /** How long after set-up the first device may come. */
  setup: 10 * 60_000,
  /** How old what is known of a device's last use may get. */
  sighting: 60_000,
};

export interface DevicePolicy {
  /** What is needed, beside clearance. `none`: any device will do. */
  binding: 'none' | Exclude<Binding, 'fingerprint'>;
  clearance: 'four_eyes' | 'self_step_up';
  first: 'first_admin' | 'tofu' | 'nobody';
}

/** What is missing before a device may do what needs a cleared one. */
export type Requirement =
  'sign_in' | 'clearance' | 'stronger_binding' | 'key_proof' | 'passkey_proof';

/** How strongly a device is bound. */
export function bindingOf({
  secret_hash: secret,
  jkt,
  passkey_id: passkey,
}: Pick<Device, 'secret_hash' | 'jkt' | 'passkey_id'>): Binding {
  if (jkt !== null) return passkey === null ? 'key' : 'webauthn';
  return secret === null ? 'fingerprint' : 'cookie';
}

/** What a request has shown of its device. */
export interface PresentedDevice {
  device: Device | undefined;
  /** It carries a proof of the device's key. */
  hasProved: boolean;
  /** It only reads. */
  isSafe: boolean;
  /** Where it comes from, as a hash. */
  from: string;
}

function hasFreshKey(
  { device, hasProved, isSafe, from }: PresentedDevice,
  session: Session,
  now: number,
): boolean {
  if (hasProved) return true;
  const before = session.device;
  return (
    isSafe &&
    before !== undefined &&
    before.id === device?.id &&
    before.proved_from === from &&
    Math.abs(now - before.proved_at) <= deviceTimes.keyProof
  );
}

/** What is missing; nothing when the device may pass. */
export function requirementsOf(
  policy: DevicePolicy,
  session: Session,
  shown: PresentedDevice,
  now: number,
): Requirement[] {
  const { device } = shown;
  if (policy.binding === 'none') return [];
  if (device?.state !== 'cleared') return ['clearance'];
  const missing: Requirement[] = [];
  if (!isAtLeast(bindingOf(device), policy.binding)) missing.push('stronger_binding');
  if (device.jkt !== null && !hasFreshKey(shown, session, now)) missing.push('key_proof');
  const isPasskeyFresh =
    session.device?.id === device.id &&
    Math.abs(now - session.device.passkey_at) <= deviceTimes.passkeyProof;
  if (policy.binding === 'webauthn' && device.passkey_id !== null && !isPasskeyFresh)
    missing.push('passkey_proof');
  return missing;
}

const scores = { fingerprint: 0, cookie: 60, key: 80, webauthn: 100 } as const;

/** From 0 to 100, to sort by; nothing is decided by it. */
export function trustScore(device: Device | undefined, isSameFingerprint: boolean): number {
  if (device === undefined) return 0;
  const score =
    device.state === 'cleared' ? scores[bindingOf(device)] : device.state === 'pending' ? 20 : 0;
  return Math.max(0, isSameFingerprint ? score : score - 20);
}

export const isFresh = ({ auth_time: at }: Pick<Session, 'auth_time'>, now: number): boolean =>
  now - at <= deviceTimes.fresh;
