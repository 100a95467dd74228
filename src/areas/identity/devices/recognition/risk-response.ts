import { hourMs, minuteMs } from '../../../../lib/durations.ts';
import { systemActor, userActor } from '../../../../platform/http/requests/request-actor.ts';
import type { Session } from '../../sessions/service.ts';
import type { DeviceParts } from '../context.ts';
import { type Device, deviceStore } from '../store.ts';
import { type Fault, proofError } from './proof-faults.ts';
import { findRisks, recordOnlyRules, type RiskRule } from './risk.ts';
import { type DeviceSignals, suspectOf } from './signals.ts';

const flagIntervalMs = hourMs;
const maxFaults = 5;
const faultWindowMs = 10 * minuteMs;

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

/** What happens to a device that breaks a risk rule. */
export function createRiskResponse({
  db,
  redis,
  transitions,
  audit,
  nonces,
  notices,
}: DeviceParts) {
  return { flag, refuseProof, applyRules };

  /** Records a rule that does not suspend, at most once an hour for each user and device. */
  async function flag(
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

  /**
   * Throws `blackops.invalid_dpop_proof`, `.use_dpop_nonce`. A forged proof suspends the device
   * that it came with, and so does the fifth fault of another kind in ten minutes.
   */
  async function refuseProof(
    device: Device | undefined,
    fault: Fault,
    signals: DeviceSignals,
  ): Promise<never> {
    if (device !== undefined && fault !== 'nonce') {
      const isForged = fault === 'signature' || fault === 'other_key';
      if (isForged || (await hasTooManyFaults(device.id)))
        await suspend(device, ['proof_failed'], signals);
    }
    throw proofError(fault, nonces.current());
  }

  /**
   * Expires a device that is due, or suspends an approved one that breaks a rule. `found` are the
   * rules that the caller found broken. Returns the device in its new state.
   */
  async function applyRules(
    device: Device,
    found: readonly RiskRule[],
    signals: DeviceSignals,
    now: number,
  ): Promise<Device> {
    const current = await expireIfDue(device, now);
    const rules = [...found, ...risksOf(current, signals, now)];
    return current.state === 'cleared' && rules.length > 0
      ? suspend(current, rules, signals)
      : current;
  }

  async function suspend(
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
    await notices.suspended(suspended);
    return suspended;
  }

  /** Tolerates a few faults, because a wrong clock or a lost response can cause them. */
  async function hasTooManyFaults(deviceId: string): Promise<boolean> {
    const key = `devices:faults:${deviceId}`;
    const counted = await redis.multi().incr(key).pexpire(key, faultWindowMs).exec();
    const [[, count] = []] = counted ?? [];
    return Number(count) >= maxFaults;
  }

  /** Expires the device if its time is over, and returns it. */
  async function expireIfDue(device: Device, now: number): Promise<Device> {
    const isDue = ({ expires_at: end }: Device) => end !== null && end.getTime() <= now;
    if (!isDue(device) || (device.state !== 'cleared' && device.state !== 'pending')) return device;
    const name = device.state === 'cleared' ? 'expire' : 'time_out';
    return (
      (await transitions.run(device.id, { name, by: systemActor, onlyIf: isDue })) ??
      (await deviceStore.find(db, device.id)) ??
      device
    );
  }
}
