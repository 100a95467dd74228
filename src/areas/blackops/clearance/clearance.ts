import { userActor } from '../../../platform/identity/actors.ts';
import type { Clock } from '../../../lib/clock.ts';
import { dayMs } from '../../../lib/durations.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Session } from '../../auth/sessions.ts';
import type { DeviceSecrets } from '../recognition/device-secrets.ts';
import { type ClearanceInput, newDevice, newRequest } from './enrolment.ts';
import { blackopsErrors } from '../errors.ts';
import type { FirstDevices } from './first-devices.ts';
import type { Notices } from './notices.ts';
import { type DevicePolicy, deviceTimes, isFresh } from './policy.ts';
import { type DeviceSignals, suspectOf } from '../recognition/signals.ts';
import type { RecognisedDevice, Recognition } from '../recognition/recognition.ts';
import { type ClearanceRequest, requestStore } from './request-store.ts';
import { isAllowed } from '../states.ts';
import { type Device, type DevicePatch, deviceStore } from '../store.ts';
import type { Transitions } from '../transitions.ts';

/** What came of it. */
export interface ClearanceResult {
  device: Device;
  /** Undefined when the device is cleared already, or without a request. */
  request: ClearanceRequest | undefined;
  /** The device cookie's value, when there is a new one. */
  cookie: string | undefined;
  /** The request shows that it comes from the device: only then may it know the number. */
  isShown: boolean;
}

export interface ClearanceDeps {
  db: Database;
  transitions: Transitions;
  recognition: Recognition;
  firstDevices: FirstDevices;
  secrets: DeviceSecrets;
  notices: Notices;
  policy: DevicePolicy;
  clock: Clock;
}

const limits = { open: 3, aDay: 10 };
const raceMs = 60_000;

/** Whoever decides looks at the device as it is now. */
function traitsNow(presented: DeviceSignals): DevicePatch {
  const { country, ...traits } = suspectOf(presented);
  return { ...traits, ...(country === null ? {} : { country, countries: [country] }) };
}

/** Asking for clearance. */
export function createClearance({
  db,
  transitions,
  recognition,
  firstDevices,
  secrets,
  notices,
  policy,
  clock,
}: ClearanceDeps) {
  /**
   * Lock the owner before: of requests in the same moment each waits for the one before, and is
   * counted with it.
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

  /**
   * The device and its request, or the device alone when nobody has to be asked; undefined when
   * there is one already.
   */
  async function enrol(
    device: Device,
    request: ClearanceRequest,
    session: Session,
    presented: DeviceSignals,
  ): Promise<{ device: Device; request: ClearanceRequest | undefined } | undefined> {
    const by = userActor(session.userId, presented);
    const isFirstAdmin = await firstDevices.isFirstAdmin(session);
    return db.transaction().execute(async (transaction) => {
      await requestStore.lockOwner(transaction, session.userId);
      const first = await firstDevices.reasonFor(transaction, device.id, session, isFirstAdmin);
      if (first !== undefined) {
        const cleared: Device = {
          ...device,
          state: 'cleared',
          cleared_at: device.first_seen,
          expires_at: new Date(device.first_seen.getTime() + deviceTimes.unused),
        };
        const isNew = await transitions.enrol(transaction, cleared, {
          name: 'bootstrap',
          by: { ...by, actor: { kind: 'system' } },
          reasons: [first],
        });
        if (isNew) return { device: cleared, request: undefined };
        await deviceStore.releaseFirst(transaction, device.id);
        return undefined;
      }
      if (
        !(await transitions.enrol(transaction, device, {
          name: 'request',
          by,
          details: { request_id: request.id },
        }))
      )
        return undefined;
      await refuseTooMany(transaction, session.userId, clock.now());
      await requestStore.insert(transaction, request);
      return { device, request };
    });
  }

  /** The device that the session has enrolled in this very moment, by another request. */
  async function findRacing(
    session: Session,
    jkt: string | null,
    now: number,
  ): Promise<ClearanceResult | undefined> {
    const device =
      (await deviceStore.findByEnrolment(db, session.id)) ??
      (jkt === null ? undefined : await deviceStore.findByKey(db, session.userId, jkt));
    if (device === undefined) return undefined;
    if (device.enrolled_in === session.id && Math.abs(now - device.first_seen.getTime()) > raceMs) {
      await deviceStore.releaseEnrolment(db, session.id);
      return undefined;
    }
    return {
      device,
      request: await requestStore.findOpen(db, device.id),
      cookie: undefined,
      isShown: false,
    };
  }

  async function requestAsNew(
    session: Session,
    application: ClearanceInput,
    presented: DeviceSignals,
    jkt: string | null,
  ): Promise<ClearanceResult> {
    const now = clock.now();
    if (session.via === 'bearer' && jkt === null) throw blackopsErrors.binding_required();
    const { device, cookie } = newDevice({ session, application, presented, jkt, now, secrets });
    const request = newRequest(device, application.reason, presented, now);
    const enrolled = await enrol(device, request, session, presented);
    if (enrolled !== undefined) transitions.publish(enrolled.device);
    if (enrolled !== undefined) {
      await notices.enrolled(enrolled.device);
      return { ...enrolled, cookie, isShown: true };
    }
    return (
      (await findRacing(session, jkt, now)) ?? requestAsNew(session, application, presented, jkt)
    );
  }

  async function requestAgain(
    device: Device,
    jkt: string | null,
    application: ClearanceInput,
    session: Session,
    presented: DeviceSignals,
  ): Promise<ClearanceResult> {
    const now = clock.now();
    const request = newRequest(device, application.reason, presented, now);
    const after = await db.transaction().execute(async (transaction) => {
      await requestStore.lockOwner(transaction, session.userId);
      await refuseTooMany(transaction, session.userId, now);
      const before = await deviceStore.lock(transaction, device.id);
      const isFree =
        jkt !== null &&
        (await deviceStore.findByKey(transaction, device.user_id, jkt)) === undefined;
      const set = { ...(before?.jkt === null && isFree ? { jkt } : {}), ...traitsNow(presented) };
      const pending =
        before === undefined
          ? undefined
          : await transitions.write(transaction, before, {
              name: 'request',
              by: userActor(session.userId, presented),
              set,
              details: { request_id: request.id },
            });
      if (pending !== undefined) await requestStore.insert(transaction, request);
      return pending;
    });
    // Another request of the device was quicker.
    if (after === undefined) return resultFor(await deviceStore.find(db, device.id));
    await transitions.propagate(after);
    await notices.enrolled(after);
    return { device: after, request, cookie: undefined, isShown: true };
  }

  /**
   * What a device has come to that can't ask (again): its open request, if it has one. Throws when
   * it may not ask at all.
   */
  async function resultFor(device: Device | undefined): Promise<ClearanceResult> {
    if (device?.state === 'denied') throw blackopsErrors.device_denied();
    if (device?.state === 'suspended') throw blackopsErrors.device_suspended();
    if (device === undefined || device.state === 'revoked') throw blackopsErrors.device_revoked();
    return {
      device,
      request: device.state === 'pending' ? await requestStore.findOpen(db, device.id) : undefined,
      cookie: undefined,
      isShown: true,
    };
  }

  async function requestForKnown(
    { device }: RecognisedDevice,
    jkt: string | null,
    application: ClearanceInput,
    session: Session,
    presented: DeviceSignals,
  ): Promise<ClearanceResult> {
    return isAllowed('request', device.state)
      ? requestAgain(device, jkt, application, session, presented)
      : resultFor(device);
  }

  /** The owner's second factor is enough where the policy says so, right after it was used. */
  async function clearBySecondFactor(
    applied: ClearanceResult,
    session: Session,
    presented: DeviceSignals,
  ): Promise<ClearanceResult> {
    const { device, request, isShown } = applied;
    if (
      !isShown ||
      policy.clearance !== 'self_step_up' ||
      request === undefined ||
      device.state !== 'pending' ||
      session.acr !== 'aal2' ||
      !isFresh(session, clock.now())
    )
      return applied;
    const by = session.userId;
    const cleared = await db.transaction().execute(async (transaction) => {
      const before = await deviceStore.lock(transaction, device.id);
      const isOpen = await requestStore.settle(transaction, request.id, {
        state: 'approved',
        at: new Date(clock.now()),
        by,
        note: null,
      });
      return before === undefined || !isOpen
        ? undefined
        : transitions.write(transaction, before, {
            name: 'self_clear',
            by: userActor(by, presented),
            reasons: ['second_factor'],
            details: { request_id: request.id },
          });
    });
    if (cleared === undefined) return applied;
    await transitions.propagate(cleared);
    await notices.decided(cleared);
    return { ...applied, device: cleared };
  }

  /** A client that names a device of its person that was removed must not get it back. */
  async function refuseRevoked(
    session: Session,
    { deviceId }: ClearanceInput,
    found: RecognisedDevice | undefined,
  ): Promise<void> {
    const device =
      found?.device ?? (deviceId === undefined ? undefined : await deviceStore.find(db, deviceId));
    if (device?.state === 'revoked' && device.user_id === session.userId)
      throw blackopsErrors.device_revoked();
  }

  return {
    /**
     * Asks for clearance. Once for each device: a repetition gives the request that is open. Throws
     * `blackops.device_revoked`, `.device_denied`, `.device_suspended`, `.binding_required`,
     * `.too_many_requests`, `.invalid_dpop_proof`, `.use_dpop_nonce`.
     */
    async requestClearance(
      session: Session,
      application: ClearanceInput,
      presented: DeviceSignals,
    ): Promise<ClearanceResult> {
      const found = await recognition.recognise(session, presented);
      await refuseRevoked(session, application, found);
      const proof = await presented.proof();
      const jkt = proof?.isRight === true ? proof.jkt : null;
      const applied =
        found === undefined
          ? await requestAsNew(session, application, presented, jkt)
          : await requestForKnown(found, jkt, application, session, presented);
      const settled = await clearBySecondFactor(applied, session, presented);
      await recognition.bind(session, settled.device, {
        hasProved: jkt !== null && jkt === settled.device.jkt,
        from: presented.from,
      });
      return { ...settled, cookie: settled.cookie ?? found?.nextCookie };
    },
  };
}

export type Clearance = ReturnType<typeof createClearance>;
