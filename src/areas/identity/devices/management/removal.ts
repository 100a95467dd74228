import { requireFresh } from '../../../../platform/identity/freshness.ts';
import type { AuditAction } from '../../../audit/actions.ts';
import type { AuditActor } from '../../../audit/service.ts';
import type { Database } from '../../../../platform/database/database.ts';
import { deviceTimes } from '../approval/policy.ts';
import type { DeviceParts } from '../context.ts';
import { type Device, type DevicePatch, deviceStore } from '../store.ts';

/** The reason of a device that is removed for good at `expires_at`, unless that is undone. */
const removal = 'removal';

/** True while the removal of a device can be undone, or is about to become final. */
export const isBeingRemoved = ({ state, reasons }: Pick<Device, 'state' | 'reasons'>): boolean =>
  state === 'suspended' && reasons.includes(removal);

/** The reasons for which it was suspended before it was removed. */
export const reasonsBefore = ({ reasons }: Pick<Device, 'reasons'>): string[] =>
  reasons.filter((reason) => reason !== removal);

/** True while the removal can still be undone. */
export const canComeBack = (device: Device, now: number): boolean =>
  isBeingRemoved(device) && device.expires_at !== null && device.expires_at.getTime() > now;

/** Removals by an admin that can be undone for ten minutes: until then, the device is suspended. */
export function createRemoval(
  { db, clock, audit, notices, transitions }: DeviceParts,
  revoke: (id: string, by: AuditActor) => Promise<unknown>,
) {
  return { remove, keepSuspended };

  /**
   * Ends the sessions of a device, suspends it and removes it for good ten minutes later.
   * `restoreOther` undoes that. A device that was not approved is removed at once. Throws
   * `auth.step_up_required`, `blackops.device_not_found`.
   */
  async function remove(id: string, by: AuditActor): Promise<void> {
    requireFresh(by, clock.now());
    const removed = await db.transaction().execute(async (transaction) => {
      const before = await deviceStore.lock(transaction, id);
      return before === undefined || isBeingRemoved(before)
        ? before
        : suspend(transaction, before, by);
    });
    if (removed === undefined) {
      await revoke(id, by);
      return;
    }
    await transitions.propagate(removed);
    await transitions.endSessions(removed);
    await notices.revoked(removed);
  }

  /** Undoes the removal of a device that had been suspended before: it is suspended again. */
  async function keepSuspended(id: string, by: AuditActor): Promise<Device | undefined> {
    const kept = await db.transaction().execute(async (transaction) => {
      const before = await deviceStore.lock(transaction, id);
      if (before === undefined || !canComeBack(before, clock.now())) return undefined;
      const set = { reasons: reasonsBefore(before), expires_at: null };
      return patch(transaction, before, set, { by, action: 'device.changed' });
    });
    if (kept !== undefined) await transitions.propagate(kept);
    return kept;
  }

  /** Undefined for a device that is neither approved nor suspended. */
  async function suspend(
    transaction: Database,
    before: Device,
    by: AuditActor,
  ): Promise<Device | undefined> {
    const set = { expires_at: new Date(clock.now() + deviceTimes.removal) };
    if (before.state === 'cleared')
      return transitions.write(transaction, before, {
        name: 'suspend',
        by,
        reasons: [removal],
        set,
      });
    const reasons = [...before.reasons, removal];
    return patch(transaction, before, { ...set, reasons }, { by, action: 'device.suspended' });
  }

  /** Changes a suspended device, and records it. Undefined for a device in another state. */
  async function patch(
    transaction: Database,
    { id, user_id: owner }: Device,
    set: DevicePatch,
    { by, action }: { by: AuditActor; action: AuditAction },
  ): Promise<Device | undefined> {
    const device = await deviceStore.update(transaction, id, ['suspended'], set);
    if (device !== undefined)
      await audit.recordIn(transaction, [
        {
          ...by,
          action,
          reason: removal,
          target: { kind: 'device', id },
          details: { changed: removal, owner },
        },
      ]);
    return device;
  }
}
