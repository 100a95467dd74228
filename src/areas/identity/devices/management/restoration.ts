import { sha256Hex } from '../../../../lib/secrets/secrets.ts';
import { systemActor, userActor } from '../../../../platform/http/requests/request-actor.ts';
import { requireFresh } from '../../../../platform/identity/freshness.ts';
import type { AuditActor } from '../../../audit/service.ts';
import type { Session } from '../../sessions/service.ts';
import { isFresh } from '../approval/policy.ts';
import type { DeviceParts } from '../context.ts';
import { blackopsErrors } from '../errors.ts';
import { writeDeviceCookie } from '../recognition/device-secrets.ts';
import type { Recognition } from '../recognition/recognition.ts';
import { type DeviceSignals, suspectOf } from '../recognition/signals.ts';
import { type Device, type DevicePatch, type Suspect, suspectSchema } from '../store.ts';
import { canComeBack, isBeingRemoved, reasonsBefore } from './removal.ts';
import type { DeviceScope } from './service.ts';

/** The owner can't restore a device that an admin has suspended or removed. */
export const canOwnerRestore = (device: Device): boolean =>
  !device.reasons.includes('admin') && !isBeingRemoved(device);

/** Restores suspended devices. `get` throws for devices outside the scope. */
export function createRestoration(
  { clock, secrets, notices, transitions, recognition }: DeviceParts & { recognition: Recognition },
  get: (id: string, scope: DeviceScope) => Promise<Device>,
  keepSuspended: (id: string, by: AuditActor) => Promise<Device | undefined>,
) {
  return { restoreOwn, restoreOther };

  /**
   * The owner restores the device that the request comes from, right after a sign-in with the
   * second factor. `cookie` is the new device cookie, which makes copies of the old one useless.
   * Throws `blackops.device_not_found`, `.aal2_required`, `.not_this_device`,
   * `.transition_not_allowed`.
   */
  async function restoreOwn(
    id: string,
    session: Session,
    signals: DeviceSignals,
  ): Promise<{ device: Device; cookie: string | undefined }> {
    const before = await get(id, { userId: session.userId });
    if (session.acr !== 'aal2' || !isFresh(session, clock.now()))
      throw blackopsErrors.aal2_required();
    const recognised = await recognition.recognise(session, signals);
    const hasProved = before.jkt === null || recognised?.hasProved === true;
    if (recognised?.device.id !== id || !hasProved || !canOwnerRestore(before))
      throw blackopsErrors.not_this_device();
    const fresh = before.secret_hash === null ? undefined : newCookie(before);
    const restored = await transitions.run(id, {
      name: 'restore',
      by: userActor(session.userId, signals),
      onlyIf: canOwnerRestore,
      set: { ...acceptSuspect(before, suspectOf(signals)), ...fresh?.set },
    });
    return { device: await finishRestore(restored), cookie: fresh?.cookie };
  }

  /**
   * An admin restores another user's device, or undoes its removal: then it has the state that it
   * was removed in. Throws `blackops.device_not_found`, `.own_request`, `.transition_not_allowed`.
   */
  async function restoreOther(
    id: string,
    adminId: string | undefined,
    by: AuditActor,
  ): Promise<Device> {
    requireFresh(by, clock.now());
    const before = await get(id, 'all');
    if (before.user_id === adminId) throw blackopsErrors.own_request();
    if (isBeingRemoved(before) && reasonsBefore(before).length > 0) {
      const kept = await keepSuspended(id, by);
      if (kept === undefined) throw blackopsErrors.transition_not_allowed();
      return kept;
    }
    const suspect = suspectSchema.safeParse(before.suspect).data;
    const set = suspect === undefined ? {} : acceptSuspect(before, suspect);
    const onlyIf = (device: Device) => !isBeingRemoved(device) || canComeBack(device, clock.now());
    return finishRestore(await transitions.run(id, { name: 'restore', by, onlyIf, set }));
  }

  function newCookie({ id: deviceId, generation: before }: Device) {
    const generation = before + 1;
    const secret = secrets.fresh(deviceId, generation);
    return {
      cookie: writeDeviceCookie({ deviceId, secret }),
      set: {
        secret_hash: sha256Hex(secret),
        generation,
        previous_secret_hash: null,
        rotation: null,
        rotated_at: new Date(clock.now()),
        rotated_from: null,
        confirmed_at: null,
      } satisfies DevicePatch,
    };
  }

  /** Restoring a device accepts the traits that the risk rule objected to. */
  function acceptSuspect({ countries }: Device, { country, ...traits }: Suspect): DevicePatch {
    const place =
      country === null
        ? {}
        : {
            country,
            country_at: new Date(clock.now()),
            countries: countries.includes(country) ? countries : [...countries, country],
          };
    return { ...traits, ...place, suspect: null };
  }

  /**
   * Expires a restored device that is overdue, else notifies the owner. Throws
   * `blackops.transition_not_allowed` for undefined.
   */
  async function finishRestore(restored: Device | undefined): Promise<Device> {
    if (restored === undefined) throw blackopsErrors.transition_not_allowed();
    const isOver = restored.expires_at !== null && restored.expires_at.getTime() <= clock.now();
    const expired = isOver
      ? await transitions.run(restored.id, { name: 'expire', by: systemActor })
      : undefined;
    if (expired === undefined) await notices.restored(restored);
    return expired ?? restored;
  }
}
