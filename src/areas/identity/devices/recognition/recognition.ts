import { truncateAddress } from '../../../../lib/net/ip.ts';
import { sha256Hex } from '../../../../lib/secrets/secrets.ts';
import type { Session } from '../../sessions/service.ts';
import { deviceTimes } from '../approval/policy.ts';
import type { DeviceParts } from '../context.ts';
import { blackopsErrors } from '../errors.ts';
import { type Device, deviceStore } from '../store.ts';
import { readDeviceCookie } from './device-secrets.ts';
import { faultOf } from './proof-faults.ts';
import type { ProofCheck } from './proofs.ts';
import { createRiskResponse } from './risk-response.ts';
import type { RiskRule } from './risk.ts';
import { createRotation } from './rotation.ts';
import type { DeviceSignals } from './signals.ts';

/** A user's device, recognised from a request. */
export interface RecognisedDevice {
  device: Device;
  /** The next value of the device cookie, when a rotation is due. */
  nextCookie: string | undefined;
  /** The request proved the device's key. */
  hasProved: boolean;
}

interface CookieDevice {
  device: Device;
  secret: string;
}

/** What the request has proved, and where it came from. */
interface BindOptions {
  hasProved?: boolean;
  hasUsedPasskey?: boolean;
  from: string;
}

/** Requests that were in flight when the device got a new secret are late, not an attack. */
const isJustRestored = ({ state, state_at: at }: Device, now: number): boolean =>
  state === 'cleared' && Math.abs(now - at.getTime()) <= deviceTimes.grace;

/** Recognises the user's device that a request comes from, and detects stolen secrets. */
export function createRecognition(parts: DeviceParts) {
  const { db, sessions, secrets, clock } = parts;
  const rotation = createRotation(parts);
  const risks = createRiskResponse(parts);
  return { recognise, requireProof, bind, bindAtSignIn };

  /**
   * Returns the device of the request's cookie or proof, after the risk rules. `expectsProof`: the
   * client always proves its key if it has one, so that a missing proof is a risk. Throws
   * `blackops.invalid_dpop_proof`, `.use_dpop_nonce`.
   */
  async function recognise(
    session: Session,
    signals: DeviceSignals,
    { expectsProof = false } = {},
  ): Promise<RecognisedDevice | undefined> {
    const [cookie, proof] = await Promise.all([findByCookie(session, signals), signals.proof()]);
    const found = await findDevice(session, cookie, proof, signals);
    if (found === undefined) return undefined;
    if (found.state === 'revoked')
      return { device: found, nextCookie: undefined, hasProved: false };
    const now = clock.now();
    const secretStatus = cookie && rotation.statusOf(found, cookie.secret, signals.from);
    const isNewer = cookie !== undefined && secretStatus === 'newer';
    const known = isNewer ? await rotation.adopt(found, cookie.secret) : found;
    const status = secretStatus === 'newer' ? 'current' : secretStatus;
    if (status === 'old' && isJustRestored(known, now)) return undefined;
    const hasProved = proof?.isValid === true && proof.jkt === known.jkt;
    const faults: RiskRule[] = [
      ...(status === 'old' ? ['secret_reused' as const] : []),
      ...(expectsProof && known.jkt !== null && !hasProved ? ['key_missing' as const] : []),
    ];
    const device = await risks.applyRules(known, faults, signals, now);
    // A sign-in of another user in the same browser replaces the cookie and leaves the key. Without
    // a new cookie, page loads would never recognise the device again.
    const isCookieLost = cookie === undefined && hasProved && session.via === 'cookie';
    const reissued = isCookieLost ? await rotation.reissue(device) : undefined;
    // Do not update a suspended device: the request may come from the attacker.
    const isSuspended = device.state === 'suspended';
    if (!isSuspended) await recordSighting(device, signals, now);
    const isRotated =
      !isSuspended && reissued === undefined && cookie !== undefined && status !== undefined;
    const nextCookie = isRotated
      ? await rotation.nextCookie(device, cookie.secret, status, signals.from)
      : reissued;
    return { device, nextCookie, hasProved };
  }

  /**
   * Resolves when the request proves the key that the session's tokens are bound to (RFC 9449 §7).
   * Throws `blackops.invalid_dpop_proof`, `.use_dpop_nonce`; a proof by another key suspends the
   * device.
   */
  async function requireProof(
    session: Session,
    check: ProofCheck | undefined,
    signals: DeviceSignals,
  ): Promise<void> {
    if (check?.isValid === true && check.jkt === session.device?.jkt) return;
    const fault = faultOf(check);
    const isForged = fault === 'other_key' || fault === 'signature';
    const device =
      isForged && session.device !== undefined
        ? await deviceStore.find(db, session.device.id)
        : undefined;
    await risks.refuseProof(device, fault, signals);
  }

  /**
   * Binds the session to the device, with what the request has proved. Throws
   * `blackops.device_revoked` when the device was revoked concurrently.
   */
  async function bind(
    session: Session,
    device: Device,
    { hasProved = false, hasUsedPasskey = false, from }: BindOptions,
  ): Promise<void> {
    const before = session.device?.id === device.id ? session.device : undefined;
    const now = clock.now();
    if (before?.state === device.state && !hasProved && !hasUsedPasskey) return;
    await sessions.setDevice(session.userId, session.id, {
      id: device.id,
      state: device.state,
      jkt: session.via === 'bearer' ? device.jkt : null,
      proved_at: hasProved ? now : (before?.proved_at ?? 0),
      proved_from: hasProved ? from : (before?.proved_from ?? ''),
      passkey_at: hasUsedPasskey ? now : (before?.passkey_at ?? 0),
    });
    const after = await deviceStore.find(db, device.id);
    if (after !== undefined && after.state !== 'revoked') return;
    await sessions.end(session.userId, session.id);
    throw blackopsErrors.device_revoked();
  }

  /** Binds a new session to the device of the cookie that came with the sign-in. */
  async function bindAtSignIn(
    userId: string,
    sessionId: string,
    cookieValue: string | undefined,
  ): Promise<void> {
    const cookie = readDeviceCookie(cookieValue);
    if (cookie === undefined || !secrets.isOurs(cookie.deviceId, cookie.secret)) return;
    const device = await deviceStore.find(db, cookie.deviceId);
    if (device?.user_id !== userId || device.state === 'revoked') return;
    const hash = sha256Hex(cookie.secret);
    if (hash !== device.secret_hash && hash !== device.previous_secret_hash) return;
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
  }

  async function findByCookie(
    session: Session,
    signals: DeviceSignals,
  ): Promise<CookieDevice | undefined> {
    const cookie = readDeviceCookie(signals.cookie);
    // A forged secret proves nothing, and must not get a device flagged or suspended.
    if (cookie === undefined || !secrets.isOurs(cookie.deviceId, cookie.secret)) return undefined;
    const device = await deviceStore.find(db, cookie.deviceId);
    if (device === undefined) return undefined;
    if (device.user_id === session.userId) return { device, secret: cookie.secret };
    await risks.flag(device, session, signals, 'foreign_cookie');
    return undefined;
  }

  /** Returns the device of the cookie, else of the proved key. Throws when the proof is wrong. */
  async function findDevice(
    session: Session,
    cookie: CookieDevice | undefined,
    proof: ProofCheck | undefined,
    signals: DeviceSignals,
  ): Promise<Device | undefined> {
    if (proof?.isValid === false) return risks.refuseProof(cookie?.device, proof.fault, signals);
    if (cookie === undefined) return proof && deviceStore.findByKey(db, session.userId, proof.jkt);
    const { device } = cookie;
    if (proof !== undefined && device.jkt !== null && device.jkt !== proof.jkt)
      return risks.refuseProof(device, 'other_key', signals);
    return device;
  }

  /** Stores where a device was seen: on every change, and otherwise at most once a minute. */
  async function recordSighting(
    device: Device,
    signals: DeviceSignals,
    now: number,
  ): Promise<void> {
    const address = truncateAddress(signals.address) ?? null;
    const hasMoved =
      address !== device.address || (signals.country ?? device.country) !== device.country;
    if (!hasMoved && Math.abs(now - device.last_seen.getTime()) < deviceTimes.sighting) return;
    const { browser, browserMajor } = signals.traits();
    // A device that is not cleared may appear as another browser, with an unrelated version.
    const major = browser === device.browser ? browserMajor : null;
    await deviceStore.recordSighting(
      db,
      device.id,
      { at: new Date(now), address, country: signals.country ?? null, browser_major: major },
      deviceTimes.unused,
      deviceTimes.absolute,
    );
  }
}

export type Recognition = ReturnType<typeof createRecognition>;
