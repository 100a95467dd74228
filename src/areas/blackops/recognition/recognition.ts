import { userActor, systemActor } from '../../../platform/identity/actors.ts';
import type { Redis } from 'ioredis';
import type { Clock } from '../../../lib/clock.ts';
import { truncateAddress } from '../../../lib/net/ip.ts';
import { hourMs } from '../../../lib/durations.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Audit } from '../../audit/service.ts';
import type { Session, Sessions } from '../../auth/sessions.ts';
import { blackopsErrors } from '../errors.ts';
import { type DeviceSecrets, readDeviceCookie } from './device-secrets.ts';
import type { Nonces } from './nonces.ts';
import { deviceTimes } from '../clearance/policy.ts';
import { type DeviceSignals, suspectOf } from './signals.ts';
import type { ProofCheck, ProofFault } from './proofs.ts';
import { findRisks, recordOnlyRules, type RiskRule } from './risk.ts';
import type { Rotation } from './rotation.ts';
import { type Device, deviceStore } from '../store.ts';
import type { Transitions } from '../transitions.ts';

/** A person's device, as a request has shown it. */
export interface RecognisedDevice {
  device: Device;
  /** The device cookie's next value, when it is time for one. */
  nextCookie: string | undefined;
  hasProved: boolean;
}

export interface RecogniseOptions {
  /** The caller can prove keys: one that does not has none. */
  expectsProof?: boolean;
}

interface RecognitionDeps {
  db: Database;
  redis: Redis;
  transitions: Transitions;
  audit: Pick<Audit, 'record'>;
  sessions: Pick<Sessions, 'setDevice' | 'end'>;
  secrets: DeviceSecrets;
  rotation: Rotation;
  nonces: Nonces;
  clock: Clock;
  /** Told of what a rule has suspended. */
  onSuspended: (device: Device, presented: DeviceSignals) => Promise<void>;
}

const flaggedMs = hourMs;
const maxFaults = 5;
const faultsMs = 10 * 60_000;

const dpopHeaders = (error: string, nonce: string) => ({
  'www-authenticate': `DPoP error="${error}", algs="ES256"`,
  'dpop-nonce': nonce,
});

/** What is wrong with a proof, or that there is none. */
export type Fault = ProofFault | 'other_key' | 'missing';

/** What is wrong with a proof that is not of the key that was asked for. */
export function faultOf(check: ProofCheck | undefined): Fault {
  if (check === undefined) return 'missing';
  return check.isRight ? 'other_key' : check.fault;
}

/** The error that a proof's fault is answered with. */
export function proofError(fault: Fault, nonce: string) {
  return fault === 'nonce'
    ? blackopsErrors.use_dpop_nonce({ headers: dpopHeaders('use_dpop_nonce', nonce) })
    : blackopsErrors.invalid_dpop_proof({
        headers: dpopHeaders('invalid_dpop_proof', nonce),
        extra: { fault },
      });
}

/**
 * Requests that were under way when a device got its new secret are nobody's attack; they only come
 * too late.
 */
const isJustRestored = ({ state, state_at: at }: Device, now: number): boolean =>
  state === 'cleared' && Math.abs(now - at.getTime()) <= deviceTimes.grace;

/**
 * Finds out which of a person's devices a request comes from, and whether anything about it is
 * wrong.
 */
export function createRecognition({
  db,
  redis,
  transitions,
  audit,
  sessions,
  secrets,
  rotation,
  nonces,
  clock,
  onSuspended,
}: RecognitionDeps) {
  /** Once an hour for each person: nobody is to fill the log with it. */
  async function flag(
    device: Device,
    session: Session,
    presented: DeviceSignals,
    rule: RiskRule,
  ): Promise<void> {
    if (
      (await redis.set(
        `devices:flagged:${device.id}:${session.userId}`,
        '1',
        'PX',
        flaggedMs,
        'NX',
      )) === null
    )
      return;
    await audit.record({
      ...userActor(session.userId, presented),
      action: 'device.flagged',
      outcome: 'denied',
      reason: rule,
      target: { kind: 'device', id: device.id },
      details: { owner: device.user_id },
    });
  }

  async function findByCookie(
    session: Session,
    presented: DeviceSignals,
  ): Promise<{ device: Device; secret: string } | undefined> {
    const cookie = readDeviceCookie(presented.cookie);
    // A secret that we have not made proves nothing, and nobody may be harmed by it.
    if (cookie === undefined || !secrets.isOurs(cookie.deviceId, cookie.secret)) return undefined;
    const device = await deviceStore.find(db, cookie.deviceId);
    if (device === undefined) return undefined;
    if (device.user_id === session.userId) return { device, secret: cookie.secret };
    await flag(device, session, presented, 'foreign_cookie');
    return undefined;
  }

  /** Faults that a slow clock or a lost answer explains are forgiven a few times. */
  async function hasTooManyFaults(deviceId: string): Promise<boolean> {
    const key = `devices:faults:${deviceId}`;
    const [[, count] = []] = (await redis.multi().incr(key).pexpire(key, faultsMs).exec()) ?? [];
    return Number(count) >= maxFaults;
  }

  async function suspend(
    device: Device,
    rules: readonly RiskRule[],
    presented: DeviceSignals,
  ): Promise<Device> {
    const suspended = await transitions.run(device.id, {
      name: 'suspend',
      by: { ...systemActor, address: presented.address, requestId: presented.requestId },
      reasons: rules,
      set: { suspect: JSON.stringify(suspectOf(presented)) },
    });
    if (suspended === undefined) return (await deviceStore.find(db, device.id)) ?? device;
    await onSuspended(suspended, presented);
    return suspended;
  }

  async function refuseProof(
    device: Device | undefined,
    fault: Fault,
    presented: DeviceSignals,
  ): Promise<never> {
    if (device !== undefined && fault !== 'nonce') {
      const isForged = fault === 'signature' || fault === 'other_key';
      if (isForged || (await hasTooManyFaults(device.id)))
        await suspend(device, ['proof_failed'], presented);
    }
    throw proofError(fault, nonces.current());
  }

  async function deviceOf(
    session: Session,
    cookie: { device: Device } | undefined,
    proof: ProofCheck | undefined,
    presented: DeviceSignals,
  ): Promise<Device | undefined> {
    if (proof?.isRight === false) return refuseProof(cookie?.device, proof.fault, presented);
    if (cookie === undefined)
      return proof === undefined ? undefined : deviceStore.findByKey(db, session.userId, proof.jkt);
    if (proof !== undefined && cookie.device.jkt !== null && cookie.device.jkt !== proof.jkt)
      return refuseProof(cookie.device, 'other_key', presented);
    return cookie.device;
  }

  function risksOf(device: Device, presented: DeviceSignals, now: number): RiskRule[] {
    return findRisks(
      {
        platform: device.platform,
        os: device.os,
        browser: device.browser,
        browserMajor: device.browser_major,
        countries: device.countries,
        country: device.country,
        seenAt: (device.country_at ?? device.last_seen).getTime(),
      },
      { ...presented.traits(), country: presented.country, at: now },
    ).filter((rule) => !recordOnlyRules.has(rule));
  }

  /** What time alone has changed since anybody looked. */
  async function expireIfDue(device: Device, now: number): Promise<Device> {
    if (device.expires_at === null || device.expires_at.getTime() > now) return device;
    const name =
      device.state === 'cleared' ? 'expire' : device.state === 'pending' ? 'time_out' : undefined;
    if (name === undefined) return device;
    const onlyIf = ({ expires_at: end }: Device) => end !== null && end.getTime() <= now;
    return (
      (await transitions.run(device.id, { name, by: systemActor, onlyIf })) ??
      (await deviceStore.find(db, device.id)) ??
      device
    );
  }

  async function applyRules(
    device: Device,
    found: readonly RiskRule[],
    presented: DeviceSignals,
    now: number,
  ): Promise<Device> {
    const present = await expireIfDue(device, now);
    const rules = [...found, ...risksOf(present, presented, now)];
    return present.state === 'cleared' && rules.length > 0
      ? suspend(present, rules, presented)
      : present;
  }

  async function recordSighting(
    device: Device,
    presented: DeviceSignals,
    now: number,
  ): Promise<void> {
    const address = truncateAddress(presented.address) ?? null;
    const isNews =
      address !== device.address || (presented.country ?? device.country) !== device.country;
    if (!isNews && Math.abs(now - device.last_seen.getTime()) < deviceTimes.sighting) return;
    const { browser, browserMajor } = presented.traits();
    // Before it is cleared a device may come as another browser, whose versions say nothing of its
    // own.
    const major = browser === device.browser ? browserMajor : null;
    await deviceStore.recordSighting(
      db,
      device.id,
      { at: new Date(now), address, country: presented.country ?? null, browser_major: major },
      deviceTimes.unused,
      deviceTimes.absolute,
    );
  }

  return {
    /**
     * The device that the request's cookie or proof stands for, as it is after the rules have
     * looked at it. Throws `blackops.invalid_dpop_proof`, `.use_dpop_nonce`.
     */
    async recognise(
      session: Session,
      presented: DeviceSignals,
      { expectsProof = false }: RecogniseOptions = {},
    ): Promise<RecognisedDevice | undefined> {
      const [cookie, proof] = await Promise.all([
        findByCookie(session, presented),
        presented.proof(),
      ]);
      const found = await deviceOf(session, cookie, proof, presented);
      if (found === undefined) return undefined;
      if (found.state === 'revoked')
        return { device: found, nextCookie: undefined, hasProved: false };
      const now = clock.now();
      const held =
        cookie === undefined ? undefined : rotation.statusOf(found, cookie.secret, presented.from);
      const known =
        cookie !== undefined && held === 'newer'
          ? await rotation.adopt(found, cookie.secret)
          : found;
      const standing = held === 'newer' ? 'current' : held;
      if (standing === 'old' && isJustRestored(known, now)) return undefined;
      const hasProved = proof?.isRight === true && proof.jkt === known.jkt;
      const faults: RiskRule[] = [
        ...(standing === 'old' ? ['secret_reused' as const] : []),
        ...(expectsProof && known.jkt !== null && !hasProved ? ['key_missing' as const] : []),
      ];
      const device = await applyRules(known, faults, presented, now);
      // Another person's sign-in in the same browser replaces the cookie, and leaves the key:
      // without a new one no page would know the device again.
      const reissued =
        cookie === undefined && hasProved && session.via === 'cookie'
          ? await rotation.reissue(device)
          : undefined;
      // Of a device that is suspended nothing may be learnt: whoever asks may be the one it was
      // suspended for.
      if (device.state === 'suspended') return { device, nextCookie: reissued, hasProved };
      await recordSighting(device, presented, now);
      if (reissued !== undefined) return { device, nextCookie: reissued, hasProved };
      return {
        device,
        nextCookie:
          cookie === undefined || standing === undefined
            ? undefined
            : await rotation.nextCookie(device, cookie.secret, standing, presented.from),
        hasProved,
      };
    },

    /**
     * Resolves when the request proves the key that the session's tokens are bound to (RFC 9449
     * §7). Throws `blackops.invalid_dpop_proof`, `.use_dpop_nonce`; a proof by another key suspends
     * the device.
     */
    async requireProof(
      session: Session,
      check: ProofCheck | undefined,
      presented: DeviceSignals,
    ): Promise<void> {
      if (check?.isRight === true && check.jkt === session.device?.jkt) return;
      const fault = faultOf(check);
      const isForged = fault === 'other_key' || fault === 'signature';
      const device =
        isForged && session.device !== undefined
          ? await deviceStore.find(db, session.device.id)
          : undefined;
      await refuseProof(device, fault, presented);
    },

    /**
     * Puts the session on the device, with what it has just proved. Throws
     * `blackops.device_revoked` when the device went in that moment.
     */
    async bind(
      session: Session,
      device: Device,
      {
        hasProved = false,
        hasUsedPasskey = false,
        from,
      }: { hasProved?: boolean; hasUsedPasskey?: boolean; from: string },
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
    },
  };
}

export type Recognition = ReturnType<typeof createRecognition>;
