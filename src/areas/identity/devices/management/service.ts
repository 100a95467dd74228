import { type KeysetPage, pageById } from '../../../../lib/keyset-page.ts';
import { cancellable } from '../../../../platform/database/database.ts';
import { userActor } from '../../../../platform/http/requests/request-actor.ts';
import type { RequestSource } from '../../../../platform/http/requests/request-origin.ts';
import { requireFresh } from '../../../../platform/identity/freshness.ts';
import type {
  AssertionCredential,
  PasskeyRequestOptions,
} from '../../factors/passkeys/webauthn-schemas.ts';
import type { AuditActor } from '../../../audit/service.ts';
import type { Session } from '../../sessions/service.ts';
import type { DeviceParts } from '../context.ts';
import { blackopsErrors } from '../errors.ts';
import type { Recognition } from '../recognition/recognition.ts';
import { type Device, type DeviceFilter, type DevicePatch, deviceStore } from '../store.ts';
import { createRemoval } from './removal.ts';
import { createRestoration } from './restoration.ts';

/** The devices that a caller may manage: those of one user, or all. */
export type DeviceScope = { userId: string } | 'all';

interface DevicePageQuery extends Omit<DeviceFilter, 'after'> {
  limit: number;
  /** The `next_cursor` from the previous page. */
  cursor?: string | undefined;
}

interface Revocation {
  device: Device;
  sessionsEnded: number;
}

/** Who changes something other than the state, and what. */
interface Patch {
  states: readonly Device['state'][];
  set: DevicePatch;
  by: RequestSource;
  changed: 'name' | 'passkey';
}

const challengeOf = (sessionId: string): string => `device:${sessionId}`;

/**
 * Reads, renames, suspends, restores and revokes enrolled devices. An admin needs a fresh sign-in
 * for those of other people: else `auth.step_up_required`.
 */
export function createManagement(parts: DeviceParts & { recognition: Recognition }) {
  const { db, clock, audit, notices, transitions, passkeys } = parts;
  const { remove, keepSuspended } = createRemoval(parts, (id, by) =>
    revoke(id, 'all', by, 'admin'),
  );
  return {
    get,
    list,
    rename,
    suspend,
    ...createRestoration(parts, get, keepSuspended),
    remove,
    revoke,
    revokeAll,
    usePasskey,

    /** True when the device, revoked or not, belongs to this user. */
    isOwn: async (id: string, userId: string): Promise<boolean> =>
      (await deviceStore.find(db, id))?.user_id === userId,

    /** Names of up to five admins with an approved device, without this user. */
    listAdminNames: (exceptUserId: string): Promise<string[]> =>
      deviceStore.listAdminNames(db, exceptUserId),

    /** The user's devices that are not revoked, last used first. */
    listByUser: (userId: string): Promise<Device[]> => deviceStore.listByUser(db, userId),

    /**
     * Returns the challenge for the browser. Throws `second_factor.passkey_not_found`,
     * `.passkeys_unavailable`.
     */
    passkeyOptions: ({ userId, id }: Session): Promise<PasskeyRequestOptions> =>
      passkeys.requestOptions(userId, challengeOf(id), 'required'),
  };

  /** Throws `blackops.device_not_found`, also for devices outside the scope. */
  async function get(id: string, scope: DeviceScope): Promise<Device> {
    const device = await deviceStore.find(db, id);
    if (device === undefined || (scope !== 'all' && device.user_id !== scope.userId))
      throw blackopsErrors.device_not_found();
    return device;
  }

  /** A page of the devices of all users, last used first. */
  async function list(
    { limit, cursor, ...filter }: DevicePageQuery,
    signal?: AbortSignal,
  ): Promise<KeysetPage<Device>> {
    const reads = cancellable(db, signal);
    const devices = await deviceStore.list(reads, limit + 1, { ...filter, after: cursor });
    return pageById(devices, limit);
  }

  /** Throws `blackops.device_not_found`. */
  async function rename(
    id: string,
    userId: string,
    name: string,
    by: RequestSource,
  ): Promise<Device> {
    const device = await get(id, { userId });
    const states = ['pending', 'cleared', 'expired', 'suspended', 'denied'] as const;
    const renamed = await patch(device, { states, set: { name }, by, changed: 'name' });
    if (renamed === undefined) throw blackopsErrors.device_not_found();
    return renamed;
  }

  /** Throws `blackops.device_not_found`, `.transition_not_allowed`. */
  async function suspend(
    id: string,
    scope: DeviceScope,
    by: AuditActor,
    reason: 'owner' | 'admin',
  ): Promise<Device> {
    if (reason === 'admin') requireFresh(by, clock.now());
    await get(id, scope);
    const suspended = await transitions.run(id, { name: 'suspend', by, reasons: [reason] });
    if (suspended === undefined) throw blackopsErrors.transition_not_allowed();
    await notices.suspended(suspended);
    return suspended;
  }

  /**
   * Revokes a device and ends its sessions. Notifies the owner, unless the owner revokes the device
   * in use (`isCurrent`). Throws `blackops.device_not_found`.
   */
  async function revoke(
    id: string,
    scope: DeviceScope,
    by: AuditActor,
    reason: string,
    isCurrent = false,
  ): Promise<Revocation> {
    if (reason === 'admin') requireFresh(by, clock.now());
    await get(id, scope);
    const revoked = await revokeOne(id, by, reason);
    if (revoked === undefined) throw blackopsErrors.device_not_found();
    if (by.actor.id !== revoked.device.user_id || !isCurrent) await notices.revoked(revoked.device);
    return revoked;
  }

  /** Revokes all devices of a user except the one with the id `except`. */
  async function revokeAll(
    userId: string,
    by: AuditActor,
    reason: string,
    except?: string,
  ): Promise<{ devices: number; sessionsEnded: number }> {
    if (reason === 'admin') requireFresh(by, clock.now());
    const all = (await deviceStore.listByUser(db, userId)).filter(({ id }) => id !== except);
    const revoked = await Promise.all(all.map(({ id }) => revokeOne(id, by, reason)));
    if (all.length > 0) await notices.allRevoked(userId, all.length);
    const sessionsEnded = revoked.reduce((sum, each) => sum + (each?.sessionsEnded ?? 0), 0);
    return { devices: all.length, sessionsEnded };
  }

  /**
   * Binds the device to the passkey of the assertion, or checks that it is already bound to it. The
   * passkey must be device-bound (not synced) and must have verified the user. Throws
   * `blackops.passkey_refused`, `.transition_not_allowed`.
   */
  async function usePasskey(
    session: Session,
    device: Device,
    credential: AssertionCredential,
    by: RequestSource,
  ): Promise<Device> {
    const used = await passkeys.check(session.userId, challengeOf(session.id), credential);
    const { passkeyId } = used;
    const isAccepted = used.isRight && used.isDeviceBound === true && used.isUserVerified === true;
    if (!isAccepted || passkeyId === undefined || device.jkt === null)
      throw blackopsErrors.passkey_refused();
    if (device.passkey_id === passkeyId) return device;
    if (device.passkey_id !== null) throw blackopsErrors.passkey_refused();
    const states = ['pending', 'cleared'] as const;
    const set = { passkey_id: passkeyId };
    const bound = await patch(device, { states, set, by, changed: 'passkey' });
    if (bound === undefined) throw blackopsErrors.transition_not_allowed();
    return bound;
  }

  /** Changes columns other than the state. Undefined when the device is in none of `states`. */
  async function patch(
    { id, user_id: userId }: Device,
    { states, set, by, changed }: Patch,
  ): Promise<Device | undefined> {
    const device = await deviceStore.update(db, id, states, set);
    if (device !== undefined)
      await audit.record({
        ...userActor(userId, by),
        action: 'device.changed',
        target: { kind: 'device', id },
        details: { changed },
      });
    return device;
  }

  async function revokeOne(
    id: string,
    by: AuditActor,
    reason: string,
  ): Promise<Revocation | undefined> {
    const device = await db.transaction().execute(async (transaction) => {
      const before = await deviceStore.lock(transaction, id);
      if (before === undefined || before.state === 'revoked') return before;
      return transitions.write(transaction, before, { name: 'revoke', by, reasons: [reason] });
    });
    // A device that is revoked already, too: the client may retry because it never got the answer.
    return device && { device, sessionsEnded: await transitions.endSessions(device) };
  }
}

export type Management = ReturnType<typeof createManagement>;
