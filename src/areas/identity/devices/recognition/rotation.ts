import type { Clock } from '../../../../lib/clock.ts';
import { randomSecret, sha256Hex } from '../../../../lib/secrets/secrets.ts';
import type { Database } from '../../../../platform/database/database.ts';
import { deviceTimes } from '../approval/policy.ts';
import { type Device, deviceStore } from '../store.ts';
import { type DeviceSecrets, writeDeviceCookie } from './device-secrets.ts';

/**
 * How the secret of a cookie relates to the stored ones. `old`: two clients hold a copy of the
 * cookie. `newer`: the database was restored from a backup.
 */
export type SecretStatus = 'current' | 'previous' | 'old' | 'newer';

export interface RotationDeps {
  db: Database;
  secrets: DeviceSecrets;
  clock: Clock;
}

/** Returns the successor of `secret`, if `secret` is the previous one and the successor unused. */
function successorOf(
  { secrets }: RotationDeps,
  device: Device | undefined,
  secret: string,
): string | undefined {
  if (device?.rotation == null || device.confirmed_at !== null) return undefined;
  const next = secrets.next(device.id, secret, device.rotation);
  return sha256Hex(next) === device.secret_hash ? next : undefined;
}

/** Returns the secret that was issued in place of a lost one, while it is unused. */
function reissuedSecret({ secrets }: RotationDeps, device: Device | undefined): string | undefined {
  if (device?.rotation == null || device.confirmed_at !== null) return undefined;
  const secret = secrets.inPlaceOfLost(device.id, device.rotation, device.generation);
  return sha256Hex(secret) === device.secret_hash ? secret : undefined;
}

/** Replaces the lost secret with the hash `before`. Undefined when another request did. */
async function replaceLost(
  { db, secrets, clock }: RotationDeps,
  device: Device,
  before: string,
): Promise<string | undefined> {
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
  deps: RotationDeps,
  device: Device,
  secret: string,
  now: number,
  from: string,
): Promise<string | undefined> {
  const { db, secrets } = deps;
  const rotation = randomSecret();
  const next = secrets.next(device.id, secret, rotation);
  const isRotated = await deviceStore.rotate(db, device.id, sha256Hex(secret), {
    secret_hash: sha256Hex(next),
    generation: secrets.generationOf(next),
    rotation,
    from,
    at: new Date(now),
  });
  return isRotated ? next : successorOf(deps, await deviceStore.find(db, device.id), secret);
}

async function nextSecret(
  deps: RotationDeps,
  device: Device,
  secret: string,
  status: SecretStatus,
  from: string,
): Promise<string | undefined> {
  if (status === 'previous') return successorOf(deps, device, secret);
  if (status !== 'current') return undefined;
  const now = deps.clock.now();
  if (device.confirmed_at === null)
    await deviceStore.confirm(deps.db, device.id, sha256Hex(secret), new Date(now));
  const isDue =
    device.rotated_at === null ||
    Math.abs(now - device.rotated_at.getTime()) >= deviceTimes.rotation;
  return isDue ? rotate(deps, device, secret, now, from) : undefined;
}

/**
 * Rotates the secrets of device cookies as they are used, so that two clients in different places
 * can't both keep using copies of one cookie.
 */
export function createRotation(deps: RotationDeps) {
  const { db, secrets, clock } = deps;

  return {
    /** `secret` was issued for this device; `from` is the hash of the client's origin. */
    statusOf(device: Device, secret: string, from: string): SecretStatus {
      const hash = sha256Hex(secret);
      if (hash === device.secret_hash) return 'current';
      if (hash !== device.previous_secret_hash)
        return secrets.generationOf(secret) > device.generation ? 'newer' : 'old';
      // The response with the next secret may have been lost, but only by the client that it was
      // sent to: from anywhere else the secret is a copy.
      if (device.confirmed_at === null)
        return device.rotated_from === null || device.rotated_from === from ? 'previous' : 'old';
      // Requests in flight may arrive after those that carry the next secret.
      return Math.abs(clock.now() - device.confirmed_at.getTime()) <= deviceTimes.grace
        ? 'previous'
        : 'old';
    },

    /**
     * Makes `secret` the current one when it is newer than the stored one, as after a restore from
     * a backup: a secret that was issued and not replaced is valid.
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

    /** Returns the next value of the device cookie, or undefined when no rotation is due. */
    async nextCookie(
      device: Device,
      secret: string,
      status: SecretStatus,
      from: string,
    ): Promise<string | undefined> {
      const next = await nextSecret(deps, device, secret, status, from);
      return next && writeDeviceCookie({ deviceId: device.id, secret: next });
    },

    /**
     * Issues a device cookie to a browser that lost its own and proved its key. Concurrent requests
     * get the same value until it is used. Undefined for a device that never had one.
     */
    async reissue(device: Device): Promise<string | undefined> {
      if (device.secret_hash === null) return undefined;
      const secret =
        reissuedSecret(deps, device) ??
        (await replaceLost(deps, device, device.secret_hash)) ??
        reissuedSecret(deps, await deviceStore.find(db, device.id));
      return secret && writeDeviceCookie({ deviceId: device.id, secret });
    },
  };
}

export type Rotation = ReturnType<typeof createRotation>;
