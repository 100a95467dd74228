import type { Clock } from '../../../../lib/clock.ts';
import { dayMs, minuteMs } from '../../../../lib/durations.ts';
import type { Database } from '../../../../platform/database/database.ts';
import { userActor } from '../../../../platform/http/requests/request-actor.ts';
import type { Session } from '../../sessions/service.ts';
import { blackopsErrors } from '../errors.ts';
import type { DeviceSecrets } from '../recognition/device-secrets.ts';
import type { RecognisedDevice, Recognition } from '../recognition/recognition.ts';
import { type DeviceSignals, suspectOf } from '../recognition/signals.ts';
import { isAllowed } from '../states.ts';
import { type Device, type DevicePatch, deviceStore } from '../store.ts';
import type { Transitions } from '../transitions.ts';
import { type ApprovalInput, newDevice, newRequest } from './enrolment.ts';
import type { FirstDevices } from './first-devices.ts';
import type { Notices } from './notices.ts';
import { deviceTimes } from './policy.ts';
import { type ApprovalRequest, requestStore } from './store.ts';

export interface ApprovalResult {
  device: Device;
  /** Undefined when the device is cleared already, or has no open request. */
  request: ApprovalRequest | undefined;
  /** New value of the device cookie; undefined when it does not change. */
  cookie: string | undefined;
  /** The request proved that it comes from the device. Only then may the answer show the number. */
  isShown: boolean;
}

export interface ApprovalDeps {
  db: Database;
  transitions: Transitions;
  recognition: Recognition;
  firstDevices: FirstDevices;
  secrets: DeviceSecrets;
  notices: Notices;
  clock: Clock;
}

/** The session that asks for approval, with its input and its device signals. */
interface Applicant {
  session: Session;
  input: ApprovalInput;
  signals: DeviceSignals;
  /** RFC 7638 thumbprint of the key that the request has proved. */
  jkt: string | null;
}

const limits = { open: 3, aDay: 10 };
const raceWindowMs = minuteMs;

/** Approvers must see the device as it is at the time of the request. */
function currentTraits(signals: DeviceSignals): DevicePatch {
  const { country, ...traits } = suspectOf(signals);
  return { ...traits, ...(country === null ? {} : { country, countries: [country] }) };
}

/**
 * Throws `blackops.too_many_requests` above the limits of open and daily requests. Lock the owner
 * first, so that concurrent requests are counted one after the other.
 */
async function refuseTooMany(transaction: Database, userId: string, now: number): Promise<void> {
  const { open, recent } = await requestStore.count(transaction, userId, {
    now: new Date(now),
    since: new Date(now - dayMs),
  });
  if (open < limits.open && recent < limits.aDay) return;
  throw blackopsErrors.too_many_requests({
    headers: { 'retry-after': '3600' },
    extra: { retry_after: 3600 },
  });
}

/** Inserts a device that needs no approval. Returns undefined when the session has one already. */
async function insertCleared(
  { transitions }: ApprovalDeps,
  transaction: Database,
  device: Device,
  { session, signals }: Applicant,
  reason: string,
): Promise<Device | undefined> {
  const cleared: Device = {
    ...device,
    state: 'cleared',
    cleared_at: device.first_seen,
    expires_at: new Date(device.first_seen.getTime() + deviceTimes.unused),
  };
  const isNew = await transitions.enrol(transaction, cleared, {
    name: 'bootstrap',
    by: { ...userActor(session.userId, signals), actor: { kind: 'system' } },
    reasons: [reason],
  });
  if (isNew) return cleared;
  await deviceStore.releaseFirst(transaction, device.id);
  return undefined;
}

/** Inserts a device with its request. Returns false when the session has a device already. */
async function insertPending(
  { transitions, clock }: ApprovalDeps,
  transaction: Database,
  device: Device,
  request: ApprovalRequest,
  { session, signals }: Applicant,
): Promise<boolean> {
  const isNew = await transitions.enrol(transaction, device, {
    name: 'request',
    by: userActor(session.userId, signals),
    details: { request_id: request.id },
  });
  if (!isNew) return false;
  await refuseTooMany(transaction, session.userId, clock.now());
  await requestStore.insert(transaction, request);
  return true;
}

/**
 * Inserts a new device: with a request, or cleared at once without one. Returns undefined when the
 * session has a device already.
 */
async function enrol(
  deps: ApprovalDeps,
  device: Device,
  request: ApprovalRequest,
  applicant: Applicant,
): Promise<{ device: Device; request: ApprovalRequest | undefined } | undefined> {
  const { db, firstDevices } = deps;
  const { session } = applicant;
  const isFirstAdmin = await firstDevices.isFirstAdmin(session);
  return db.transaction().execute(async (transaction) => {
    await requestStore.lockOwner(transaction, session.userId);
    const reason = await firstDevices.reasonFor(transaction, device.id, session, isFirstAdmin);
    if (reason !== undefined) {
      const cleared = await insertCleared(deps, transaction, device, applicant, reason);
      return cleared && { device: cleared, request: undefined };
    }
    const isInserted = await insertPending(deps, transaction, device, request, applicant);
    return isInserted ? { device, request } : undefined;
  });
}

/** Finds the device that a concurrent request of the same session has enrolled. */
async function findRacing(
  { db }: ApprovalDeps,
  { session, jkt }: Applicant,
  now: number,
): Promise<ApprovalResult | undefined> {
  const device =
    (await deviceStore.findByEnrolment(db, session.id)) ??
    (jkt === null ? undefined : await deviceStore.findByKey(db, session.userId, jkt));
  if (device === undefined) return undefined;
  if (
    device.enrolled_in === session.id &&
    Math.abs(now - device.first_seen.getTime()) > raceWindowMs
  ) {
    await deviceStore.releaseEnrolment(db, session.id);
    return undefined;
  }
  const request = await requestStore.findOpen(db, device.id);
  return { device, request, cookie: undefined, isShown: false };
}

async function requestAsNew(deps: ApprovalDeps, applicant: Applicant): Promise<ApprovalResult> {
  const { transitions, notices, secrets, clock } = deps;
  const { session, input, signals, jkt } = applicant;
  const now = clock.now();
  if (session.via === 'bearer' && jkt === null) throw blackopsErrors.binding_required();
  const { device, cookie } = newDevice({ session, input, signals, jkt, now, secrets });
  const request = newRequest(device, input.reason, signals, now);
  const enrolled = await enrol(deps, device, request, applicant);
  if (enrolled !== undefined) {
    transitions.publish(enrolled.device);
    await notices.enrolled(enrolled.device);
    return { ...enrolled, cookie, isShown: true };
  }
  return (await findRacing(deps, applicant, now)) ?? requestAsNew(deps, applicant);
}

/**
 * Returns the result for a device whose state allows no new request. Throws
 * `blackops.device_denied`, `.device_suspended`, `.device_revoked`.
 */
async function resultFor(
  { db }: ApprovalDeps,
  device: Device | undefined,
): Promise<ApprovalResult> {
  if (device?.state === 'denied') throw blackopsErrors.device_denied();
  if (device?.state === 'suspended') throw blackopsErrors.device_suspended();
  if (device === undefined || device.state === 'revoked') throw blackopsErrors.device_revoked();
  const request =
    device.state === 'pending' ? await requestStore.findOpen(db, device.id) : undefined;
  return { device, request, cookie: undefined, isShown: true };
}

/** Makes a known device pending, with a new request. Undefined when its state has changed. */
async function insertRequest(
  { transitions, clock }: ApprovalDeps,
  transaction: Database,
  device: Device,
  request: ApprovalRequest,
  { session, signals, jkt }: Applicant,
): Promise<Device | undefined> {
  await requestStore.lockOwner(transaction, session.userId);
  await refuseTooMany(transaction, session.userId, clock.now());
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
  if (pending !== undefined) await requestStore.insert(transaction, request);
  return pending;
}

async function requestForKnown(
  deps: ApprovalDeps,
  device: Device,
  applicant: Applicant,
): Promise<ApprovalResult> {
  const { db, transitions, notices, clock } = deps;
  if (!isAllowed('request', device.state)) return resultFor(deps, device);
  const request = newRequest(device, applicant.input.reason, applicant.signals, clock.now());
  const pending = await db
    .transaction()
    .execute((transaction) => insertRequest(deps, transaction, device, request, applicant));
  // A concurrent request of the same device won the race.
  if (pending === undefined) return resultFor(deps, await deviceStore.find(db, device.id));
  await transitions.propagate(pending);
  await notices.enrolled(pending);
  return { device: pending, request, cookie: undefined, isShown: true };
}

/** Throws `blackops.device_revoked` when the client claims a revoked device of its own user. */
async function refuseRevoked(
  { db }: ApprovalDeps,
  session: Session,
  { deviceId }: ApprovalInput,
  found: RecognisedDevice | undefined,
): Promise<void> {
  const device =
    found?.device ?? (deviceId === undefined ? undefined : await deviceStore.find(db, deviceId));
  if (device?.state === 'revoked' && device.user_id === session.userId)
    throw blackopsErrors.device_revoked();
}

export const createApprovals = (deps: ApprovalDeps) => ({
  /**
   * Requests approval. Idempotent for each device: a repeat returns the open request. Throws
   * `blackops.device_revoked`, `.device_denied`, `.device_suspended`, `.binding_required`,
   * `.too_many_requests`, `.invalid_dpop_proof`, `.use_dpop_nonce`.
   */
  async requestApproval(
    session: Session,
    input: ApprovalInput,
    signals: DeviceSignals,
  ): Promise<ApprovalResult> {
    const found = await deps.recognition.recognise(session, signals);
    await refuseRevoked(deps, session, input, found);
    const proof = await signals.proof();
    const jkt = proof?.isValid === true ? proof.jkt : null;
    const applicant = { session, input, signals, jkt };
    const result =
      found === undefined
        ? await requestAsNew(deps, applicant)
        : await requestForKnown(deps, found.device, applicant);
    await deps.recognition.bind(session, result.device, {
      hasProved: jkt !== null && jkt === result.device.jkt,
      from: signals.from,
    });
    return { ...result, cookie: result.cookie ?? found?.nextCookie };
  },
});
