import { randomInt, randomUUID } from 'node:crypto';
import { truncateAddress } from '../../../../lib/net/ip.ts';
import { sha256Hex } from '../../../../lib/secrets/secrets.ts';
import type { Session } from '../../sessions/service.ts';
import type { DeviceParts } from '../context.ts';
import { writeDeviceCookie } from '../recognition/device-secrets.ts';
import { deviceTimes } from './policy.ts';
import type { DeviceSignals } from '../recognition/signals.ts';
import type { ApprovalRequest } from './store.ts';
import type { Device } from '../store.ts';

/** Client input of a request for approval. */
export interface ApprovalInput {
  /** HMAC of the client's fingerprint. */
  fingerprintHash: string;
  /** The id that the client claims, unverified. */
  deviceId: string | undefined;
  name: string | undefined;
  reason: string | undefined;
}

/** The session that asks for approval, with its input and its device signals. */
export interface Applicant {
  session: Session;
  input: ApprovalInput;
  signals: DeviceSignals;
  /** RFC 7638 thumbprint of the key that the request has proved. */
  jkt: string | null;
}

/** Creates an open request for approval with a random two-digit number. */
export function newRequest(
  device: Device,
  reason: string | undefined,
  signals: DeviceSignals,
  now: number,
): ApprovalRequest {
  return {
    id: randomUUID(),
    device_id: device.id,
    user_id: device.user_id,
    state: 'open',
    number: String(randomInt(100)).padStart(2, '0'),
    wrong_numbers: 0,
    reason: reason ?? null,
    address: truncateAddress(signals.address) ?? null,
    country: signals.country ?? null,
    created_at: new Date(now),
    expires_at: new Date(now + deviceTimes.request),
    decided_at: null,
    decided_by: null,
    note: null,
  };
}

/** Creates a pending device. Sessions with cookies also get the value of a device cookie. */
export function newDevice(
  { session, input, signals, jkt }: Applicant,
  secrets: DeviceParts['secrets'],
  now: number,
): { device: Device; cookie: string | undefined } {
  const id = randomUUID();
  const secret = session.via === 'cookie' ? secrets.fresh(id) : undefined;
  const { platform, os, browser, browserMajor } = signals.traits();
  const { country = null } = signals;
  const at = new Date(now);
  return {
    cookie: secret === undefined ? undefined : writeDeviceCookie({ deviceId: id, secret }),
    device: {
      id,
      user_id: session.userId,
      state: 'pending',
      state_at: at,
      reasons: [],
      name: input.name ?? signals.client,
      secret_hash: secret === undefined ? null : sha256Hex(secret),
      previous_secret_hash: null,
      generation: 0,
      rotation: null,
      rotated_at: secret === undefined ? null : at,
      rotated_from: null,
      confirmed_at: null,
      jkt,
      passkey_id: null,
      fingerprint_hash: input.fingerprintHash,
      platform,
      os,
      browser,
      browser_major: browserMajor,
      countries: country === null ? [] : [country],
      country,
      country_at: country === null ? null : at,
      suspect: null,
      address: truncateAddress(signals.address) ?? null,
      enrolled_in: session.id,
      first_seen: at,
      last_seen: at,
      cleared_at: null,
      expires_at: new Date(now + deviceTimes.request),
      sessions_ended_at: null,
    },
  };
}
