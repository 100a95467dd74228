import { randomInt, randomUUID } from 'node:crypto';
import { truncateAddress } from '../../../lib/net/ip.ts';
import { sha256Hex } from '../../../lib/secrets/secrets.ts';
import type { Session } from '../../auth/sessions.ts';
import { type DeviceSecrets, writeDeviceCookie } from '../recognition/device-secrets.ts';
import { deviceTimes } from './policy.ts';
import type { DeviceSignals } from '../recognition/signals.ts';
import type { ClearanceRequest } from './request-store.ts';
import type { Device } from '../store.ts';

/** What a client tells when it asks for clearance. */
export interface ClearanceInput {
  /** HMAC of the client's fingerprint. */
  fingerprintHash: string;
  /** What the client believes to be; it proves nothing. */
  deviceId: string | undefined;
  name: string | undefined;
  reason: string | undefined;
}

export interface Enrolment {
  session: Session;
  application: ClearanceInput;
  presented: DeviceSignals;
  /** Thumbprint of the key that it has proved. */
  jkt: string | null;
  /** Unix ms. */
  now: number;
  secrets: DeviceSecrets;
}

/** A request for clearance of a device, with a number for its approver. */
export function newRequest(
  device: Device,
  reason: string | undefined,
  presented: DeviceSignals,
  now: number,
): ClearanceRequest {
  return {
    id: randomUUID(),
    device_id: device.id,
    user_id: device.user_id,
    state: 'open',
    number: String(randomInt(100)).padStart(2, '0'),
    wrong_numbers: 0,
    reason: reason ?? null,
    address: truncateAddress(presented.address) ?? null,
    country: presented.country ?? null,
    created_at: new Date(now),
    expires_at: new Date(now + deviceTimes.request),
    decided_at: null,
    decided_by: null,
    note: null,
  };
}

/** A device that is pending, and the cookie that it is known by: browsers get one. */
export function newDevice({ session, application, presented, jkt, now, secrets }: Enrolment): {
  device: Device;
  cookie: string | undefined;
} {
  const id = randomUUID();
  const secret = session.via === 'cookie' ? secrets.fresh(id) : undefined;
  const { platform, os, browser, browserMajor } = presented.traits();
  const { country = null } = presented;
  const at = new Date(now);
  return {
    cookie: secret === undefined ? undefined : writeDeviceCookie({ deviceId: id, secret }),
    device: {
      id,
      user_id: session.userId,
      state: 'pending',
      state_at: at,
      reasons: [],
      name: application.name ?? presented.client,
      secret_hash: secret === undefined ? null : sha256Hex(secret),
      previous_secret_hash: null,
      generation: 0,
      rotation: null,
      rotated_at: secret === undefined ? null : at,
      rotated_from: null,
      confirmed_at: null,
      jkt,
      passkey_id: null,
      fingerprint_hash: application.fingerprintHash,
      platform,
      os,
      browser,
      browser_major: browserMajor,
      countries: country === null ? [] : [country],
      country,
      country_at: country === null ? null : at,
      suspect: null,
      address: truncateAddress(presented.address) ?? null,
      enrolled_in: session.id,
      first_seen: at,
      last_seen: at,
      cleared_at: null,
      expires_at: new Date(now + deviceTimes.request),
      sessions_ended_at: null,
    },
  };
}
