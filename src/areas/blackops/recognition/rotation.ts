import type { Clock } from '../../../lib/clock.ts';
import { randomSecret, sha256Hex } from '../../../lib/secrets/secrets.ts';
import type { Database } from '../../../platform/database/database.ts';
import { type DeviceSecrets, writeDeviceCookie } from './device-secrets.ts';
import { deviceTimes } from '../clearance/policy.ts';
import { type Device, deviceStore } from '../store.ts';

/**
 * How the secret of a cookie stands to those that are kept: `old` means that two hold one, `newer`
 * that the database was put back.
 */
export type SecretStatus = 'current' | 'previous' | 'old' | 'newer';

/**
 * Replaces the secrets of device cookies as they are used, so that of two in different places who
 * hold one both can't go on.
 */
export function createRotation({
  db,
  secrets,
  clock,
}: {
  db: Database;
  secrets: DeviceSecrets;
  clock: Clock;
}) {
  /**
   * The secret after `secret`, when that is the one before the present one and its successor is not
   * used yet.
   */
  function successor(device: Device | undefined, secret: string): string | undefined {
    if (device?.rotation == null || device.confirmed_at !== null) return undefined;
    const next = secrets.next(device.id, secret, device.rotation);
    return sha256Hex(next) === device.secret_hash ? next : undefined;
  }

  /** The secret that was issued in place of a lost one, while nobody has used it. */
  function reissuedSecret(device: Device | undefined): string | undefined {
    if (device?.rotation == null || device.confirmed_at !== null) return undefined;
    const secret = secrets.inPlaceOfLost(device.id, device.rotation, device.generation);
    return sha256Hex(secret) === device.secret_hash ? secret : undefined;
  }

  async function replaceLost(device: Device, before: string): Promise<string | undefined> {
    const rotation = randomSecret();
    const secret = secrets.inPlaceOfLost(device.id, rotation, device.generation + 1);
    const isReplaced = await deviceStore.rotate(db, device.id, before, {
      secret_hash: sha256Hex(secret),
      generation: device.generation + 1,
      rotation,
      from: null,
      at: new Date(clock.now()),
    });
    return isReplaced ? secret : undefined;
  }

  async function rotate(
    device: Device,
    secret: string,
    now: number,
    from: string,
  ): Promise<string | undefined> {
    const rotation = randomSecret();
    const next = secrets.next(device.id, secret, rotation);
    const isRotated = await deviceStore.rotate(db, device.id, sha256Hex(secret), {
      secret_hash: sha256Hex(next),
      generation: secrets.generationOf(next),
      rotation,
      from,
      at: new Date(now),
    });
    return isRotated ? next : successor(await deviceStore.find(db, device.id), secret);
  }

  async function nextSecret(
    device: Device,
    secret: string,
    standing: SecretStatus,
    from: string,
  ): Promise<string | undefined> {
    if (standing === 'previous') return successor(device, secret);
    if (standing !== 'current') return undefined;
    const now = clock.now();
    if (device.confirmed_at === null)
      await deviceStore.confirm(db, device.id, sha256Hex(secret), new Date(now));
    const isDue =
      device.rotated_at === null ||
      Math.abs(now - device.rotated_at.getTime()) >= deviceTimes.rotation;
    return isDue ? rotate(device, secret, now, from) : undefined;
  }

  return {
    /** `secret` is one that we have made for this device; `from` tells where it comes from now. */
    statusOf(device: Device, secret: string, from: string): SecretStatus {
      const hash = sha256Hex(secret);
      if (hash === device.secret_hash) return 'current';
      if (hash !== device.previous_secret_hash)
        return secrets.generationOf(secret) > device.generation ? 'newer' : 'old';
      // The answer that carried the next one may not have arrived, but only where it was sent:
      // elsewhere somebody else holds a copy.
      if (device.confirmed_at === null)
        return device.rotated_from === null || device.rotated_from === from ? 'previous' : 'old';
      // Requests that were under way may come after those that carry the next one.
      return Math.abs(clock.now() - device.confirmed_at.getTime()) <= deviceTimes.grace
        ? 'previous'
        : 'old';
    },

    /**
     * Takes a secret for the present one that is newer than any in the database, as after a backup
     * was restored: what we have made and not replaced is good.
     */
    async adopt(device: Device, secret: string): Promise<Device> {
      await deviceStore.rotate(db, device.id, device.secret_hash ?? '', {
        secret_hash: sha256Hex(secret),
        generation: secrets.generationOf(secret),
        rotation: randomSecret(),
        from: null,
        at: new Date(clock.now()),
      });
      return (await deviceStore.find(db, device.id)) ?? device;
    },

    /** The device cookie's next value, when it is time for one. */
    async nextCookie(
      device: Device,
      secret: string,
      standing: SecretStatus,
      from: string,
    ): Promise<string | undefined> {
      const next = await nextSecret(device, secret, standing, from);
      return next === undefined
        ? undefined
        : writeDeviceCookie({ deviceId: device.id, secret: next });
    },

    /**
     * A device cookie for a browser that has lost its own and has proved its key: the same for all
     * its requests until it is used. Undefined when it never had one.
     */
    async reissue(device: Device): Promise<string | undefined> {
      if (device.secret_hash === null) return undefined;
      const secret =
        reissuedSecret(device) ??
        (await replaceLost(device, device.secret_hash)) ??
        reissuedSecret(await deviceStore.find(db, device.id));
      return secret === undefined ? undefined : writeDeviceCookie({ deviceId: device.id, secret });
    },
  };
}

export type Rotation = ReturnType<typeof createRotation>;
