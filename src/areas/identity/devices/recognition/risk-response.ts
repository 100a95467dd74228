import type { Redis } from 'ioredis';
import { hourMs, minuteMs } from '../../../../lib/durations.ts';
import type { Database } from '../../../../platform/database/database.ts';
import { systemActor, userActor } from '../../../../platform/http/requests/request-actor.ts';
import type { Audit } from '../../../audit/service.ts';
import type { Session } from '../../sessions/service.ts';
import { type Device, deviceStore } from '../store.ts';
import type { Transitions } from '../transitions.ts';
import type { Nonces } from './nonces.ts';
import { type Fault, proofError } from './proof-faults.ts';
import { findRisks, recordOnlyRules, type RiskRule } from './risk.ts';
import { type DeviceSignals, suspectOf } from './signals.ts';

export interface RiskResponseDeps {
  db: Database;
  redis: Redis;
  transitions: Transitions;
  audit: Pick<Audit, 'record'>;
  nonces: Nonces;
  /** Called after a risk rule has suspended a device. */
  onSuspended: (device: Device, signals: DeviceSignals) => Promise<void>;
}

const flagIntervalMs = hourMs;
const maxFaults = 5;
const faultWindowMs = 10 * minuteMs;

/** Records a rule that does not suspend, at most once an hour for each user and device. */
export async function flagDevice(
  { redis, audit }: RiskResponseDeps,
  device: Device,
  session: Session,
  signals: DeviceSignals,
  rule: RiskRule,
): Promise<void> {
  const key = `devices:flagged:${device.id}:${session.userId}`;
  if ((await redis.set(key, '1', 'PX', flagIntervalMs, 'NX')) === null) return;
  await audit.record({
    ...userActor(session.userId, signals),
    action: 'device.flagged',
    outcome: 'denied',
    reason: rule,
    target: { kind: 'device', id: device.id },
    details: { owner: device.user_id },
  });
}

async function suspendDevice(
  { db, transitions, onSuspended }: RiskResponseDeps,
  device: Device,
  rules: readonly RiskRule[],
  signals: DeviceSignals,
): Promise<Device> {
  const suspended = await transitions.run(device.id, {
    name: 'suspend',
    by: { ...systemActor, address: signals.address, requestId: signals.requestId },
    reasons: rules,
    set: { suspect: JSON.stringify(suspectOf(signals)) },
  });
  if (suspended === undefined) return (await deviceStore.find(db, device.id)) ?? device;
  await onSuspended(suspended, signals);
  return suspended;
}

/** Tolerates a few faults, because a wrong clock or a lost response can cause them. */
async function hasTooManyFaults({ redis }: RiskResponseDeps, deviceId: string): Promise<boolean> {
  const key = `devices:faults:${deviceId}`;
  const [[, count] = []] = (await redis.multi().incr(key).pexpire(key, faultWindowMs).exec()) ?? [];
  return Number(count) >= maxFaults;
}

/**
 * Throws `blackops.invalid_dpop_proof`, `.use_dpop_nonce`. A forged proof suspends the device that
 * it came with, and so does the fifth fault of another kind in ten minutes.
 */
export async function refuseProof(
  deps: RiskResponseDeps,
  device: Device | undefined,
  fault: Fault,
  signals: DeviceSignals,
): Promise<never> {
  if (device !== undefined && fault !== 'nonce') {
    const isForged = fault === 'signature' || fault === 'other_key';
    if (isForged || (await hasTooManyFaults(deps, device.id)))
      await suspendDevice(deps, device, ['proof_failed'], signals);
  }
  throw proofError(fault, deps.nonces.current());
}

function risksOf(device: Device, signals: DeviceSignals, now: number): RiskRule[] {
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
    { ...signals.traits(), country: signals.country, at: now },
  ).filter((rule) => !recordOnlyRules.has(rule));
}

/** Expires the device if its time is over, and returns it. */
async function expireIfDue(
  { db, transitions }: RiskResponseDeps,
  device: Device,
  now: number,
): Promise<Device> {
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

/**
 * Expires a device that is due, or suspends an approved one that breaks a rule. `found` are the
 * rules that the caller found broken. Returns the device in its new state.
 */
export async function applyRiskRules(
  deps: RiskResponseDeps,
  device: Device,
  found: readonly RiskRule[],
  signals: DeviceSignals,
  now: number,
): Promise<Device> {
  const current = await expireIfDue(deps, device, now);
  const rules = [...found, ...risksOf(current, signals, now)];
  return current.state === 'cleared' && rules.length > 0
    ? suspendDevice(deps, current, rules, signals)
    : current;
}
