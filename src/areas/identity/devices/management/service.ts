import type { Clock } from '../../../../lib/clock.ts';
import { type KeysetPage, pageById } from '../../../../lib/keyset-page.ts';
import { sha256Hex } from '../../../../lib/secrets/secrets.ts';
import { cancellable, type Database } from '../../../../platform/database/database.ts';
import type { RequestSource } from '../../../../platform/http/requests/request-origin.ts';
import { systemActor, userActor } from '../../../../platform/http/requests/request-actor.ts';
import { requireFresh } from '../../../../platform/identity/freshness.ts';
import type { Audit, AuditActor } from '../../../audit/service.ts';
import type { Session } from '../../sessions/service.ts';
import type { Notices } from '../approval/notices.ts';
import { isFresh } from '../approval/policy.ts';
import { blackopsErrors } from '../errors.ts';
import { type DeviceSecrets, writeDeviceCookie } from '../recognition/device-secrets.ts';
import type { Recognition } from '../recognition/recognition.ts';
import { type DeviceSignals, suspectOf } from '../recognition/signals.ts';
import {
  type Device,
  type DeviceFilter,
  type DevicePatch,
  deviceStore,
  type Suspect,
  suspectSchema,
} from '../store.ts';
import type { Transitions } from '../transitions.ts';

export interface ManagementDeps {
  db: Database;
  transitions: Transitions;
  recognition: Recognition;
  secrets: DeviceSecrets;
  notices: Notices;
  audit: Pick<Audit, 'record'>;
  clock: Clock;
}

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

/** Throws `blackops.device_not_found`, also for devices outside the scope. */
async function getDevice({ db }: ManagementDeps, id: string, scope: DeviceScope): Promise<Device> {
  const device = await deviceStore.find(db, id);
  if (device === undefined || (scope !== 'all' && device.user_id !== scope.userId))
    throw blackopsErrors.device_not_found();
  return device;
}

async function revokeDevice(
  { db, transitions }: ManagementDeps,
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

function newCookie(
  { secrets, clock }: ManagementDeps,
  { id: deviceId, generation: before }: Device,
): { cookie: string; set: DevicePatch } {
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
    },
  };
}

/** Restoring a device accepts the traits that the risk rule objected to. */
function acceptSuspect(
  { clock }: ManagementDeps,
  { countries }: Device,
  { country, ...traits }: Suspect,
): DevicePatch {
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

/** The owner can't restore a device that an admin has suspended. */
const canOwnerRestore = ({ reasons }: Device): boolean => !reasons.includes('admin');

/**
 * Expires a restored device that is overdue, else notifies the owner. Throws
 * `blackops.transition_not_allowed` for undefined.
 */
async function finishRestore(
  { transitions, notices, clock }: ManagementDeps,
  restored: Device | undefined,
): Promise<Device> {
  if (restored === undefined) throw blackopsErrors.transition_not_allowed();
  const isOver = restored.expires_at !== null && restored.expires_at.getTime() <= clock.now();
  const expired = isOver
    ? await transitions.run(restored.id, { name: 'expire', by: systemActor })
    : undefined;
  if (expired === undefined) await notices.restored(restored);
  return expired ?? restored;
}

async function restoreOwn(
  deps: ManagementDeps,
  id: string,
  session: Session,
  signals: DeviceSignals,
): Promise<{ device: Device; cookie: string | undefined }> {
  const { transitions, recognition, clock } = deps;
  const before = await getDevice(deps, id, { userId: session.userId });
  if (session.acr !== 'aal2' || !isFresh(session, clock.now()))
    throw blackopsErrors.aal2_required();
  const recognised = await recognition.recognise(session, signals);
  const hasProved = before.jkt === null || recognised?.hasProved === true;
  if (recognised?.device.id !== id || !hasProved || !canOwnerRestore(before))
    throw blackopsErrors.not_this_device();
  const fresh = before.secret_hash === null ? undefined : newCookie(deps, before);
  const restored = await transitions.run(id, {
    name: 'restore',
    by: userActor(session.userId, signals),
    onlyIf: canOwnerRestore,
    set: { ...acceptSuspect(deps, before, suspectOf(signals)), ...fresh?.set },
  });
  return { device: await finishRestore(deps, restored), cookie: fresh?.cookie };
}

/** An admin needs a fresh sign-in for other people's devices. Throws `auth.step_up_required`. */
function requireFreshAdmin({ clock }: ManagementDeps, by: AuditActor, reason = 'admin'): void {
  if (reason === 'admin') requireFresh(by, clock.now());
}

async function restoreOther(
  deps: ManagementDeps,
  id: string,
  adminId: string | undefined,
  by: AuditActor,
): Promise<Device> {
  requireFreshAdmin(deps, by);
  const before = await getDevice(deps, id, 'all');
  if (before.user_id === adminId) throw blackopsErrors.own_request();
  const suspect = suspectSchema.safeParse(before.suspect).data;
  const restored = await deps.transitions.run(id, {
    name: 'restore',
    by,
    set: suspect === undefined ? {} : acceptSuspect(deps, before, suspect),
  });
  return finishRestore(deps, restored);
}

/** Changes columns other than the state. Undefined when the device is in none of `states`. */
async function patchDevice(
  { db, audit }: ManagementDeps,
  { id, states, set }: { id: string; states: readonly Device['state'][]; set: DevicePatch },
  userId: string,
  requestSource: RequestSource,
  changed: 'name' | 'passkey',
): Promise<Device | undefined> {
  const device = await deviceStore.update(db, id, states, set);
  if (device !== undefined)
    await audit.record({
      ...userActor(userId, requestSource),
      action: 'device.changed',
      target: { kind: 'device', id },
      details: { changed },
    });
  return device;
}

function createDeviceReads(deps: ManagementDeps) {
  const { db } = deps;
  return {
    /** Throws `blackops.device_not_found`, also for devices outside the scope. */
    get: (id: string, scope: DeviceScope): Promise<Device> => getDevice(deps, id, scope),

    /** True when the device, revoked or not, belongs to this user. */
    isOwn: async (id: string, userId: string): Promise<boolean> =>
      (await deviceStore.find(db, id))?.user_id === userId,

    /** Names of up to five admins with an approved device, without this user. */
    listAdminNames: (exceptUserId: string): Promise<string[]> =>
      deviceStore.listAdminNames(db, exceptUserId),

    /** The user's devices that are not revoked, last used first. */
    listByUser: (userId: string): Promise<Device[]> => deviceStore.listByUser(db, userId),

    /** A page of the devices of all users, newest first. */
    async list(
      { limit, cursor, ...filter }: DevicePageQuery,
      signal?: AbortSignal,
    ): Promise<KeysetPage<Device>> {
      const reads = cancellable(db, signal);
      return pageById(
        await deviceStore.list(reads, limit + 1, { ...filter, after: cursor }),
        limit,
      );
    },
  };
}

function createDeviceRemoval(deps: ManagementDeps) {
  const { db, transitions, notices } = deps;
  return {
    /**
     * Revokes a device and ends its sessions. Notifies the owner, unless the owner revokes the
     * device in use (`isCurrent`). Throws `blackops.device_not_found`.
     */
    async revoke(
      id: string,
      scope: DeviceScope,
      by: AuditActor,
      reason: string,
      isCurrent = false,
    ): Promise<Revocation> {
      requireFreshAdmin(deps, by, reason);
      await getDevice(deps, id, scope);
      const revoked = await revokeDevice(deps, id, by, reason);
      if (revoked === undefined) throw blackopsErrors.device_not_found();
      if (by.actor.id !== revoked.device.user_id || !isCurrent)
        await notices.revoked(revoked.device);
      return revoked;
    },

    /** Revokes all devices of a user except the one with the id `except`. */
    async revokeAll(
      userId: string,
      by: AuditActor,
      reason: string,
      except?: string,
    ): Promise<{ devices: number; sessionsEnded: number }> {
      requireFreshAdmin(deps, by, reason);
      const all = (await deviceStore.listByUser(db, userId)).filter(({ id }) => id !== except);
      const revoked = await Promise.all(all.map(({ id }) => revokeDevice(deps, id, by, reason)));
      if (all.length > 0) await notices.allRevoked(userId, all.length);
      const sessionsEnded = revoked.reduce((sum, each) => sum + (each?.sessionsEnded ?? 0), 0);
      return { devices: all.length, sessionsEnded };
    },

    /** Throws `blackops.device_not_found`, `.transition_not_allowed`. */
    async suspend(
      id: string,
      scope: DeviceScope,
      by: AuditActor,
      reason: 'owner' | 'admin',
    ): Promise<Device> {
      requireFreshAdmin(deps, by, reason);
      await getDevice(deps, id, scope);
      const suspended = await transitions.run(id, { name: 'suspend', by, reasons: [reason] });
      if (suspended === undefined) throw blackopsErrors.transition_not_allowed();
      await notices.suspended(suspended);
      return suspended;
    },
  };
}

/** Reads, renames, suspends, restores and revokes enrolled devices. */
export const createManagement = (deps: ManagementDeps) => ({
  ...createDeviceReads(deps),
  ...createDeviceRemoval(deps),

  /**
   * The owner restores the device that the request comes from, right after a sign-in with the
   * second factor. `cookie` is the new device cookie, which makes copies of the old one useless.
   * Throws `blackops.device_not_found`, `.aal2_required`, `.not_this_device`,
   * `.transition_not_allowed`.
   */
  restoreOwn: (
    id: string,
    session: Session,
    signals: DeviceSignals,
  ): Promise<{ device: Device; cookie: string | undefined }> =>
    restoreOwn(deps, id, session, signals),

  /**
   * An admin restores another user's device. Throws `blackops.device_not_found`, `.own_request`,
   * `.transition_not_allowed`.
   */
  restoreOther: (id: string, adminId: string | undefined, by: AuditActor): Promise<Device> =>
    restoreOther(deps, id, adminId, by),

  /** Throws `blackops.device_not_found`. */
  async rename(
    id: string,
    userId: string,
    name: string,
    requestSource: RequestSource,
  ): Promise<Device> {
    await getDevice(deps, id, { userId });
    const states = ['pending', 'cleared', 'expired', 'suspended', 'denied'] as const;
    const renamed = await patchDevice(
      deps,
      { id, states, set: { name } },
      userId,
      requestSource,
      'name',
    );
    if (renamed === undefined) throw blackopsErrors.device_not_found();
    return renamed;
  },

  /** Binds a passkey to the device. Throws `blackops.transition_not_allowed`. */
  async addPasskey(
    { id, user_id: userId }: Device,
    passkeyId: string,
    requestSource: RequestSource,
  ): Promise<Device> {
    const patch = {
      id,
      states: ['pending', 'cleared'] as const,
      set: { passkey_id: passkeyId },
    };
    const changed = await patchDevice(deps, patch, userId, requestSource, 'passkey');
    if (changed === undefined) throw blackopsErrors.transition_not_allowed();
    return changed;
  },
});

export type Management = ReturnType<typeof createManagement>;
