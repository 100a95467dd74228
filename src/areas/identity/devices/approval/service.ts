import { dayMs, minuteMs } from '../../../../lib/durations.ts';
import type { Database } from '../../../../platform/database/database.ts';
import { userActor } from '../../../../platform/http/requests/request-actor.ts';
import type { Session } from '../../sessions/service.ts';
import type { DeviceParts } from '../context.ts';
import { blackopsErrors } from '../errors.ts';
import type { RecognisedDevice, Recognition } from '../recognition/recognition.ts';
import { type DeviceSignals, suspectOf } from '../recognition/signals.ts';
import { isAllowed } from '../states.ts';
import { type Device, type DevicePatch, deviceStore } from '../store.ts';
import { type Applicant, type ApprovalInput, newDevice, newRequest } from './enrolment.ts';
import { deviceTimes } from './policy.ts';
import { type ApprovalRequest, approvalRequestStore } from './store.ts';

export interface ApprovalResult {
  device: Device;
  /** Undefined when the device is approved already, or has no open request. */
  request: ApprovalRequest | undefined;
  /** New value of the device cookie; undefined when it does not change. */
  cookie: string | undefined;
  /** The request proved that it comes from the device. Only then may the answer show the number. */
  isShown: boolean;
}

type Enrolled = Pick<ApprovalResult, 'device' | 'request'>;

const limits = { open: 3, aDay: 10 };
const raceWindowMs = minuteMs;

/** Approvers must see the device as it is at the time of the request. */
function currentTraits(signals: DeviceSignals): DevicePatch {
  const { country, ...traits } = suspectOf(signals);
  return { ...traits, ...(country === null ? {} : { country, countries: [country] }) };
}

/** Requests for the approval of devices. */
export function createApprovals(parts: DeviceParts & { recognition: Recognition }) {
  const { db, clock, transitions, recognition, notices, secrets, findUser, policy } = parts;
  return { requestApproval };

  /**
   * Requests approval. Idempotent for each device: a repeat returns the open request. Throws
   * `blackops.device_revoked`, `.device_denied`, `.device_suspended`, `.binding_required`,
   * `.too_many_requests`, `.invalid_dpop_proof`, `.use_dpop_nonce`.
   */
  async function requestApproval(
    session: Session,
    input: ApprovalInput,
    signals: DeviceSignals,
  ): Promise<ApprovalResult> {
    const found = await recognition.recognise(session, signals);
    await refuseRevoked(session, input, found);
    const proof = await signals.proof();
    const jkt = proof?.isValid === true ? proof.jkt : null;
    const applicant = { session, input, signals, jkt };
    const result =
      found === undefined
        ? await requestAsNew(applicant)
        : await requestForKnown(found.device, applicant);
    await recognition.bind(session, result.device, {
      hasProved: jkt !== null && jkt === result.device.jkt,
      from: signals.from,
    });
    return { ...result, cookie: result.cookie ?? found?.nextCookie };
  }

  /** Throws `blackops.device_revoked` when the client claims a revoked device of its own user. */
  async function refuseRevoked(
    session: Session,
    { deviceId }: ApprovalInput,
    found: RecognisedDevice | undefined,
  ): Promise<void> {
    const device =
      found?.device ?? (deviceId === undefined ? undefined : await deviceStore.find(db, deviceId));
    if (device?.state === 'revoked' && device.user_id === session.userId)
      throw blackopsErrors.device_revoked();
  }

  async function requestAsNew(applicant: Applicant): Promise<ApprovalResult> {
    const { session, input, signals, jkt } = applicant;
    const now = clock.now();
    if (session.via === 'bearer' && jkt === null) throw blackopsErrors.binding_required();
    const { device, cookie } = newDevice(applicant, secrets, now);
    const request = newRequest(device, input.reason, signals, now);
    const enrolled = await enrol(device, request, applicant);
    if (enrolled !== undefined) {
      transitions.publish(enrolled.device);
      await notices.enrolled(enrolled.device);
      return { ...enrolled, cookie, isShown: true };
    }
    return (await findRacing(applicant, now)) ?? requestAsNew(applicant);
  }

  /**
   * Inserts a new device: with a request, or approved at once without one. Returns undefined when
   * the session has a device already.
   */
  async function enrol(
    device: Device,
    request: ApprovalRequest,
    applicant: Applicant,
  ): Promise<Enrolled | undefined> {
    const { session } = applicant;
    const mayBeFirst = policy.first === 'first_admin' && (await isSettingUp(session));
    return db.transaction().execute(async (transaction) => {
      await approvalRequestStore.lockOwner(transaction, session.userId);
      const reason = await reasonToApprove(transaction, device.id, session, mayBeFirst);
      return reason === undefined
        ? insertPending(transaction, device, request, applicant)
        : insertApproved(transaction, device, applicant, reason);
    });
  }

  /** True for the first-admin link, and for a configured admin whose account is new. */
  async function isSettingUp({ userId, user, amr, auth_time: at }: Session): Promise<boolean> {
    const now = clock.now();
    if (!user.roles.includes('admin') || now - at > deviceTimes.setup) return false;
    if (amr.includes('setup')) return true;
    const person = await findUser(userId);
    return person !== undefined && now - person.createdAt.getTime() <= deviceTimes.setup;
  }

  /**
   * Why a new device is approved at once; undefined when it needs an admin. The first device is,
   * because no approver exists yet: `first_admin` claims the only slot for it.
   */
  async function reasonToApprove(
    transaction: Database,
    deviceId: string,
    session: Session,
    mayBeFirst: boolean,
  ): Promise<'development' | 'first_admin' | undefined> {
    if (parts.isBypassOpen && session.amr.includes('dev')) return 'development';
    const now = new Date(clock.now());
    return mayBeFirst && (await deviceStore.claimFirst(transaction, deviceId, now))
      ? 'first_admin'
      : undefined;
  }

  async function insertApproved(
    transaction: Database,
    device: Device,
    { session, signals }: Applicant,
    reason: string,
  ): Promise<Enrolled | undefined> {
    const approved: Device = {
      ...device,
      state: 'cleared',
      cleared_at: device.first_seen,
      expires_at: new Date(device.first_seen.getTime() + deviceTimes.unused),
    };
    const isNew = await transitions.enrol(transaction, approved, {
      name: 'bootstrap',
      by: { ...userActor(session.userId, signals), actor: { kind: 'system' } },
      reasons: [reason],
    });
    if (isNew) return { device: approved, request: undefined };
    await deviceStore.releaseFirst(transaction, device.id);
    return undefined;
  }

  async function insertPending(
    transaction: Database,
    device: Device,
    request: ApprovalRequest,
    { session, signals }: Applicant,
  ): Promise<Enrolled | undefined> {
    const isNew = await transitions.enrol(transaction, device, {
      name: 'request',
      by: userActor(session.userId, signals),
      details: { request_id: request.id },
    });
    if (!isNew) return undefined;
    await refuseTooMany(transaction, session.userId);
    await approvalRequestStore.insert(transaction, request);
    return { device, request };
  }

  /** Finds the device that a concurrent request of the same session has enrolled. */
  async function findRacing(
    { session, jkt }: Applicant,
    now: number,
  ): Promise<ApprovalResult | undefined> {
    const device =
      (await deviceStore.findByEnrolment(db, session.id)) ??
      (jkt === null ? undefined : await deviceStore.findByKey(db, session.userId, jkt));
    if (device === undefined) return undefined;
    const age = Math.abs(now - device.first_seen.getTime());
    if (device.enrolled_in === session.id && age > raceWindowMs) {
      await deviceStore.releaseEnrolment(db, session.id);
      return undefined;
    }
    const request = await approvalRequestStore.findOpen(db, device.id);
    return { device, request, cookie: undefined, isShown: false };
  }

  async function requestForKnown(device: Device, applicant: Applicant): Promise<ApprovalResult> {
    if (!isAllowed('request', device.state)) return resultFor(device);
    const request = newRequest(device, applicant.input.reason, applicant.signals, clock.now());
    const pending = await db
      .transaction()
      .execute((transaction) => insertRequest(transaction, device, request, applicant));
    // A concurrent request of the same device won the race.
    if (pending === undefined) return resultFor(await deviceStore.find(db, device.id));
    await transitions.propagate(pending);
    await notices.enrolled(pending);
    return { device: pending, request, cookie: undefined, isShown: true };
  }

  /** Makes a known device pending, with a new request. Undefined when its state has changed. */
  async function insertRequest(
    transaction: Database,
    device: Device,
    request: ApprovalRequest,
    { session, signals, jkt }: Applicant,
  ): Promise<Device | undefined> {
    await approvalRequestStore.lockOwner(transaction, session.userId);
    await refuseTooMany(transaction, session.userId);
    const before = await deviceStore.lock(transaction, device.id);
    const isKeyFree =
      jkt !== null && (await deviceStore.findByKey(transaction, device.user_id, jkt)) === undefined;
    if (before === undefined) return undefined;
    const pending = await transitions.write(transaction, before, {
      name: 'request',
      by: userActor(session.userId, signals),
      set: { ...(before.jkt === null && isKeyFree ? { jkt } : {}), ...currentTraits(signals) },
      details: { request_id: request.id },
    });
    if (pending !== undefined) await approvalRequestStore.insert(transaction, request);
    return pending;
  }

  /**
   * Returns the result for a device whose state allows no new request. Throws
   * `blackops.device_denied`, `.device_suspended`, `.device_revoked`.
   */
  async function resultFor(device: Device | undefined): Promise<ApprovalResult> {
    if (device?.state === 'denied') throw blackopsErrors.device_denied();
    if (device?.state === 'suspended') throw blackopsErrors.device_suspended();
    if (device === undefined || device.state === 'revoked') throw blackopsErrors.device_revoked();
    const request =
      device.state === 'pending' ? await approvalRequestStore.findOpen(db, device.id) : undefined;
    return { device, request, cookie: undefined, isShown: true };
  }

  /**
   * Throws `blackops.too_many_requests` above the limits of open and daily requests. Lock the owner
   * first, so that concurrent requests are counted one after the other.
   */
  async function refuseTooMany(transaction: Database, userId: string): Promise<void> {
    const now = clock.now();
    const { open, recent } = await approvalRequestStore.count(transaction, userId, {
      now: new Date(now),
      since: new Date(now - dayMs),
    });
    if (open < limits.open && recent < limits.aDay) return;
    throw blackopsErrors.too_many_requests({
      headers: { 'retry-after': '3600' },
      extra: { retry_after: 3600 },
    });
  }
}
