import { userActor, systemActor } from '../../../platform/identity/actors.ts';
import { sql } from 'kysely';
import { sha256Hex } from '../../../lib/secrets/secrets.ts';
import type { Clock } from '../../../lib/clock.ts';
import { pageById } from '../../../lib/keyset-page.ts';
import { cancellable, type Database } from '../../../platform/database/database.ts';
import type { Asker } from '../../../platform/http/request-origin.ts';
import type { Audit, AuditActor } from '../../audit/service.ts';
import type { Session } from '../../auth/sessions.ts';
import { type DeviceSecrets, writeDeviceCookie } from '../recognition/device-secrets.ts';
import { blackopsErrors } from '../errors.ts';
import type { Notices } from '../clearance/notices.ts';
import { isFresh } from '../clearance/policy.ts';
import { type DeviceSignals, suspectOf } from '../recognition/signals.ts';
import type { Recognition } from '../recognition/recognition.ts';
import {
  type Device,
  type DevicePatch,
  type DeviceFilter,
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

/** Whose devices somebody may act on: a person's own, or everybody's. */
export type DeviceScope = { userId: string } | 'all';

/** What an admin has suspended is not for the owner to restore. */
const isOwnersToRestore = ({ reasons }: Device): boolean => !reasons.includes('admin');

/** What people do with devices that there are. */
export function createManagement({
  db,
  transitions,
  recognition,
  secrets,
  notices,
  audit,
  clock,
}: ManagementDeps) {
  /** Throws `blackops.device_not_found`: for devices of others as for such that never were. */
  async function get(id: string, whose: DeviceScope): Promise<Device> {
    const device = await deviceStore.find(db, id);
    if (device === undefined || (whose !== 'all' && device.user_id !== whose.userId))
      throw blackopsErrors.device_not_found();
    return device;
  }

  async function revoke(
    id: string,
    by: AuditActor,
    reason: string,
  ): Promise<{ device: Device; sessionsEnded: number } | undefined> {
    const device = await db.transaction().execute(async (transaction) => {
      const before = await deviceStore.lock(transaction, id);
      if (before === undefined || before.state === 'revoked') return before;
      return transitions.write(transaction, before, { name: 'revoke', by, reasons: [reason] });
    });
    // One that was removed before as well: whoever repeats it may do so because the answer never
    // came.
    return device === undefined
      ? undefined
      : { device, sessionsEnded: await transitions.endSessions(device) };
  }

  function newCookie({ id: deviceId, generation: before }: Device): {
    cookie: string;
    set: DevicePatch;
  } {
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

  /** What whoever restores a device takes for right from now on. */
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
   * A restored device, unless its time was over meanwhile. Throws
   * `blackops.transition_not_allowed`.
   */
  async function expireIfOver(restored: Device | undefined): Promise<Device> {
    if (restored === undefined) throw blackopsErrors.transition_not_allowed();
    const isOver = restored.expires_at !== null && restored.expires_at.getTime() <= clock.now();
    const expired = isOver
      ? await transitions.run(restored.id, { name: 'expire', by: systemActor })
      : undefined;
    if (expired === undefined) await notices.restored(restored);
    return expired ?? restored;
  }

  return {
    get,

    /** Whether a device, removed or not, is this person's. */
    isOwn: async (id: string, userId: string): Promise<boolean> =>
      (await deviceStore.find(db, id))?.user_id === userId,

    /**
     * What up to five admins with a cleared device are called, other than this person: whom one may
     * ask.
     */
    async listAdminNames(exceptUserId: string): Promise<string[]> {
      const { rows } = await sql<{ name: string | null }>`
        select coalesce(users.name, (select value from identities where user_id = users.id and kind = 'email' and verified_at is not null order by created_at limit 1)) as name
        from users where 'admin' = any(roles) and disabled_at is null and id <> ${exceptUserId}
        and exists (select from devices where user_id = users.id and state = 'cleared') order by last_seen_at desc nulls last limit 5`.execute(
        db,
      );
      return rows.flatMap(({ name }) => name ?? []);
    },

    /** The person's devices that are not removed, those used last first. */
    listByUser: (userId: string): Promise<Device[]> => deviceStore.listByUser(db, userId),

    /**
     * A page of all people's devices, the ones first seen last first. `cursor` is the `next_cursor`
     * of the page before.
     */
    async list(
      {
        limit,
        cursor,
        ...filter
      }: Omit<DeviceFilter, 'after'> & { limit: number; cursor?: string | undefined },
      signal?: AbortSignal,
    ): Promise<{ data: Device[]; next_cursor: string | null }> {
      const found = await deviceStore.list(cancellable(db, signal), limit + 1, {
        ...filter,
        after: cursor,
      });
      return pageById(found, limit);
    },

    /**
     * Removes a device for good, and ends its sessions. The owner hears of it, unless it is the
     * device that asks. Throws `blackops.device_not_found`.
     */
    async revoke(
      id: string,
      whose: DeviceScope,
      by: AuditActor,
      reason: string,
      isCurrent = false,
    ): Promise<{ device: Device; sessionsEnded: number }> {
      await get(id, whose);
      const revoked = await revoke(id, by, reason);
      if (revoked === undefined) throw blackopsErrors.device_not_found();
      if (by.actor.id !== revoked.device.user_id || !isCurrent)
        await notices.revoked(revoked.device);
      return revoked;
    },

    /** Removes all devices of a person, except one. Gives how many sessions ended. */
    async revokeAll(
      userId: string,
      by: AuditActor,
      reason: string,
      except?: string,
    ): Promise<{ devices: number; sessionsEnded: number }> {
      const all = (await deviceStore.listByUser(db, userId)).filter(({ id }) => id !== except);
      const revoked = await Promise.all(all.map(({ id }) => revoke(id, by, reason)));
      if (all.length > 0) await notices.allRevoked(userId, all.length);
      return {
        devices: all.length,
        sessionsEnded: revoked.reduce((sum, each) => sum + (each?.sessionsEnded ?? 0), 0),
      };
    },

    /**
     * Takes clearance away until somebody restores it. Throws `blackops.device_not_found`,
     * `.transition_not_allowed`.
     */
    async suspend(
      id: string,
      whose: DeviceScope,
      by: AuditActor,
      reason: 'owner' | 'admin',
    ): Promise<Device> {
      await get(id, whose);
      const suspended = await transitions.run(id, { name: 'suspend', by, reasons: [reason] });
      if (suspended === undefined) throw blackopsErrors.transition_not_allowed();
      await notices.suspended(suspended);
      return suspended;
    },

    /**
     * The owner restores the device that the request comes from, right after signing in with the
     * second factor. Gives the device cookie's new value: whoever else has one has it in vain.
     * Throws `blackops.device_not_found`, `.aal2_required`, `.not_this_device`,
     * `.transition_not_allowed`.
     */
    async restoreOwn(
      id: string,
      session: Session,
      presented: DeviceSignals,
    ): Promise<{ device: Device; cookie: string | undefined }> {
      const before = await get(id, { userId: session.userId });
      if (session.acr !== 'aal2' || !isFresh(session, clock.now()))
        throw blackopsErrors.aal2_required();
      const shown = await recognition.recognise(session, presented);
      if (
        shown?.device.id !== id ||
        (before.jkt !== null && !shown.hasProved) ||
        !isOwnersToRestore(before)
      )
        throw blackopsErrors.not_this_device();
      const fresh = before.secret_hash === null ? undefined : newCookie(before);
      const restored = await transitions.run(id, {
        name: 'restore',
        by: userActor(session.userId, presented),
        onlyIf: isOwnersToRestore,
        set: { ...acceptSuspect(before, suspectOf(presented)), ...fresh?.set },
      });
      return { device: await expireIfOver(restored), cookie: fresh?.cookie };
    },

    /**
     * An admin restores somebody else's device. Throws `blackops.device_not_found`, `.own_request`,
     * `.transition_not_allowed`.
     */
    async restoreOther(id: string, adminId: string | undefined, by: AuditActor): Promise<Device> {
      const before = await get(id, 'all');
      if (before.user_id === adminId) throw blackopsErrors.own_request();
      const suspect = suspectSchema.safeParse(before.suspect).data;
      const restored = await transitions.run(id, {
        name: 'restore',
        by,
        set: suspect === undefined ? {} : acceptSuspect(before, suspect),
      });
      return expireIfOver(restored);
    },

    /** Throws `blackops.device_not_found`. */
    async rename(id: string, userId: string, name: string, asker: Asker): Promise<Device> {
      await get(id, { userId });
      const renamed = await deviceStore.update(
        db,
        id,
        ['pending', 'cleared', 'expired', 'suspended', 'denied'],
        { name },
      );
      if (renamed === undefined) throw blackopsErrors.device_not_found();
      await audit.record({
        ...userActor(userId, asker),
        action: 'device.changed',
        target: { kind: 'device', id },
        details: { changed: 'name' },
      });
      return renamed;
    },

    /** Notes that a passkey lives in the device. */
    async addPasskey(device: Device, passkeyId: string, asker: Asker): Promise<Device> {
      const changed = await deviceStore.update(db, device.id, ['pending', 'cleared'], {
        passkey_id: passkeyId,
      });
      if (changed === undefined) throw blackopsErrors.transition_not_allowed();
      await audit.record({
        ...userActor(device.user_id, asker),
        action: 'device.changed',
        target: { kind: 'device', id: device.id },
        details: { changed: 'passkey' },
      });
      return changed;
    },
  };
}

export type Management = ReturnType<typeof createManagement>;
