import type { Session } from '../../sessions/service.ts';
import { type Binding, isAtLeast } from '../states.ts';
import type { Device } from '../store.ts';
import { dayMs, hourMs } from '../../../../lib/durations.ts';
import { freshMs } from '../../../../platform/identity/freshness.ts';

/** Durations in ms. */
export const deviceTimes = {
  /** An approval ends after this time without use, and after `absolute` at the latest. */
  unused: 30 * dayMs,
  absolute: 90 * dayMs,
  /** Lifetime of an undecided request. */
  request: 72 * hourMs,
  /** How long an admin's removal can be undone. */
  removal: 10 * 60_000,
  /** Age at which a cookie's secret is rotated, and how long the previous one is still valid. */
  rotation: 5 * 60_000,
  grace: 30_000,
  /** How long a key proof counts for page loads, which can't carry one; and a passkey proof. */
  keyProof: 5 * 60_000,
  passkeyProof: 12 * hourMs,
  /** Maximum age of a sign-in that counts as fresh. */
  fresh: freshMs,
  /** How long after set-up the first device may enrol. */
  setup: 10 * 60_000,
  /** Minimum time between two recorded sightings of a device. */
  sighting: 60_000,
};

export interface DevicePolicy {
  /** The weakest accepted binding of an approved device. `none`: devices are not checked at all. */
  binding: 'none' | Exclude<Binding, 'fingerprint'>;
  /** Which device needs no approval. */
  first: 'first_admin' | 'nobody';
}

/** What a device still lacks for operations that need an approved one. */
export type Requirement =
  'sign_in' | 'clearance' | 'stronger_binding' | 'key_proof' | 'passkey_proof';

/** Returns the strongest binding that the device has. */
export function bindingOf({
  secret_hash: secret,
  jkt,
  passkey_id: passkey,
}: Pick<Device, 'secret_hash' | 'jkt' | 'passkey_id'>): Binding {
  if (jkt !== null) return passkey === null ? 'key' : 'webauthn';
  return secret === null ? 'fingerprint' : 'cookie';
}

/** The device that a request presented. */
export interface PresentedDevice {
  device: Device | undefined;
  /** The request carries a proof of the device's key. */
  hasProved: boolean;
  /** The request method is safe (RFC 9110 §9.2.1). */
  isSafe: boolean;
  /** Hash of the client's network and User-Agent. */
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

/** Returns what the device lacks; an empty list when it passes. */
export function requirementsOf(
  policy: DevicePolicy,
  session: Session,
  presented: PresentedDevice,
  now: number,
): Requirement[] {
  const { device } = presented;
  if (policy.binding === 'none') return [];
  if (device?.state !== 'cleared') return ['clearance'];
  const missing: Requirement[] = [];
  if (!isAtLeast(bindingOf(device), policy.binding)) missing.push('stronger_binding');
  if (device.jkt !== null && !hasFreshKey(presented, session, now)) missing.push('key_proof');
  const isPasskeyFresh =
    session.device?.id === device.id &&
    Math.abs(now - session.device.passkey_at) <= deviceTimes.passkeyProof;
  if (policy.binding === 'webauthn' && device.passkey_id !== null && !isPasskeyFresh)
    missing.push('passkey_proof');
  return missing;
}

const scores = { fingerprint: 0, cookie: 60, key: 80, webauthn: 100 } as const;

/** A score from 0 to 100 for sorting. No decision depends on it. */
export function trustScore(device: Device | undefined, isSameFingerprint: boolean): number {
  if (device === undefined) return 0;
  const score =
    device.state === 'cleared' ? scores[bindingOf(device)] : device.state === 'pending' ? 20 : 0;
  return Math.max(0, isSameFingerprint ? score : score - 20);
}

export const isFresh = ({ auth_time: at }: Pick<Session, 'auth_time'>, now: number): boolean =>
  now - at <= deviceTimes.fresh;
