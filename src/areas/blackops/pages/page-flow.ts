import { userActor } from '../../../platform/http/request-actor.ts';
import type { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import { safeRedirect } from '../../../lib/net/safe-redirect.ts';
import { hasAnyRole } from '../../../lib/access.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import type { Session } from '../../auth/sessions.ts';
import type { Passkeys } from '../../second-factor/passkeys.ts';
import type { SecondFactor } from '../../second-factor/service.ts';
import type { ClearanceResult } from '../clearance/clearance.ts';
import type { Approver } from '../clearance/decisions.ts';
import { blackopsErrors } from '../errors.ts';
import type { DevicesView, FormError } from './device-pages.ts';
import type { ApproveForm, AskForm, RenameForm } from './page-schemas.ts';
import type { DeviceSignals } from '../recognition/signals.ts';
import type { RecognisedDevice } from '../recognition/recognition.ts';
import type { DecisionError } from './request-pages.ts';
import type { Devices } from '../service.ts';
import { toRequestView } from '../views.ts';

export interface DevicePageActionsDeps {
  devices: Pick<
    Devices,
    | 'requestClearance'
    | 'bind'
    | 'decisions'
    | 'fingerprintHash'
    | 'management'
    | 'missingRequirements'
    | 'nonces'
    | 'policy'
    | 'findOpenRequest'
  >;
  secondFactor: Pick<SecondFactor, 'statusOf'>;
  /** The public origin of the service. */
  baseOrigin: string;
  passkeys: Pick<Passkeys, 'origin'>;
  clock: Clock;
}

const home = '/account/devices';
const isRefusal = (error: unknown, code: string): boolean =>
  error instanceof AppError && error.code === code;

/** What the pages of devices show, and what their forms do. */
export function createDevicePageActions({
  devices,
  secondFactor,
  passkeys,
  baseOrigin,
  clock,
}: DevicePageActionsDeps) {
  /** A path of ours that is another page than this one. */
  function nextOf(wanted: string): string | undefined {
    const next = safeRedirect(wanted === '' ? undefined : wanted, baseOrigin);
    return next === '/' || new URL(next, baseOrigin).pathname.replace(/\/$/, '') === home
      ? undefined
      : next;
  }

  return {
    nextOf,

    /**
     * Puts the session on the device, and gives what its page shows. Throws
     * `blackops.device_revoked`.
     */
    async view(
      session: Session,
      shown: RecognisedDevice | undefined,
      presented: DeviceSignals,
      { next = '', trouble }: { next?: string; trouble?: FormError } = {},
    ): Promise<DevicesView> {
      const device = shown?.device;
      if (device !== undefined && device.state !== 'revoked')
        await devices.bind(session, device, { from: presented.from });
      // Who holds no role has no need to know who the admins are.
      const mayKnow = session.user.roles.length > 0;
      const [all, request, factor, admins] = await Promise.all([
        devices.management.listByUser(session.userId),
        device?.state === 'pending' ? devices.findOpenRequest(device.id) : undefined,
        secondFactor.statusOf(session.userId),
        mayKnow ? devices.management.listAdminNames(session.userId) : undefined,
      ]);
      return {
        device,
        request,
        others: all.filter(({ id }) => id !== device?.id),
        next: nextOf(next),
        missing: devices.missingRequirements(session, shown, presented),
        policy: devices.policy,
        trouble,
        client: presented.client,
        hasSecondFactor: factor.isEnabled,
        hasPasskey: factor.passkeys.length > 0,
        passkeyOrigin: passkeys.origin,
        admins,
        isAdmin: session.user.roles.includes('admin'),
        mayEnterConsole: hasAnyRole(session.user.roles),
        nonce: devices.nonces.current(),
        now: clock.now(),
      };
    },

    /**
     * Asks for clearance, with the key that our script has proved, or without. A device that was
     * removed asks as a new one. Throws as `apply` does, and `blackops.aal2_required` when the
     * second factor was to clear it and was not seen just now.
     */
    async ask(
      session: Session,
      { name, reason, second_factor: isOwn, fingerprint }: z.output<typeof AskForm>,
      presented: DeviceSignals,
    ): Promise<ClearanceResult> {
      const application = {
        fingerprintHash: devices.fingerprintHash(
          fingerprint === '' ? `page ${presented.client}` : fingerprint,
        ),
        deviceId: undefined,
        name: name === '' ? undefined : name,
        reason: reason === '' ? undefined : reason,
      };
      const applied = await devices
        .requestClearance(session, application, presented)
        .catch((error: unknown) => {
          if (!isRefusal(error, 'blackops.device_revoked')) throw error;
          return devices.requestClearance(session, application, {
            ...presented,
            cookie: undefined,
          });
        });
      if (isOwn !== '' && applied.device.state === 'pending') throw blackopsErrors.aal2_required();
      return applied;
    },

    /** Gives what was wrong with the name, or nothing. Throws `blackops.device_not_found`. */
    async rename(
      session: Session,
      { id, name }: z.output<typeof RenameForm>,
      presented: DeviceSignals,
    ): Promise<FormError | undefined> {
      if (name === '') {
        await devices.management.get(id, { userId: session.userId });
        return { deviceId: id, text: 'Enter a name.' };
      }
      await devices.management.rename(id, session.userId, name, presented);
      return undefined;
    },

    /** Removes the person's device. Throws `blackops.device_not_found`. */
    remove: (
      session: Session,
      id: string,
      presented: DeviceSignals,
      isCurrent: boolean,
    ): Promise<unknown> =>
      devices.management.revoke(
        id,
        { userId: session.userId },
        userActor(session.userId, presented),
        'owner',
        isCurrent,
      ),

    /** Removes all of the person's devices but this one. */
    removeOthers: (
      session: Session,
      currentId: string | undefined,
      presented: DeviceSignals,
    ): Promise<unknown> =>
      devices.management.revokeAll(
        session.userId,
        userActor(session.userId, presented),
        'owner',
        currentId,
      ),

    /** Throws `blackops.device_not_found`, `.transition_not_allowed`. */
    suspend: (session: Session, id: string, presented: DeviceSignals): Promise<unknown> =>
      devices.management.suspend(
        id,
        { userId: session.userId },
        userActor(session.userId, presented),
        'owner',
      ),

    /** Requests as an approver may see them: without their numbers. */
    async requests(viewerId: string | undefined, signal?: AbortSignal) {
      const [open, decided] = await Promise.all([
        devices.decisions.list('open', signal),
        devices.decisions.list('decided', signal),
      ]);
      const toView = (each: (typeof open)[number]) => toRequestView(each, viewerId);
      return { open: open.map(toView), decided: decided.slice(0, 20).map(toView) };
    },

    /**
     * Approves a request, or gives what was wrong with the number. Throws as `decide` does
     * otherwise.
     */
    async approve(
      requestId: string,
      { number: given, note }: z.output<typeof ApproveForm>,
      approver: Approver,
    ): Promise<DecisionError | undefined> {
      const number = given.replace(/\s/g, '');
      if (!/^\d{2}$/.test(number))
        return { requestId, text: 'Enter the two digits that the device shows.' };
      try {
        await devices.decisions.decide(
          requestId,
          { isApproved: true, number, note: note === '' ? undefined : note },
          approver,
        );
        return undefined;
      } catch (error) {
        if (!isRefusal(error, 'blackops.wrong_number')) throw error;
        return {
          requestId,
          text: 'The device shows another number. Ask its owner again: the third wrong number denies the request.',
        };
      }
    },

    /** Throws as `decide` does. */
    deny: (requestId: string, note: string, approver: Approver): Promise<unknown> =>
      devices.decisions.decide(
        requestId,
        { isApproved: false, number: undefined, note: note === '' ? undefined : note },
        approver,
      ),
  };
}
