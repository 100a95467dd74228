import { randomSecret, sha256Hex } from '../../../../lib/secrets/secrets.ts';
import { deviceTimes } from '../approval/policy.ts';
import type { DeviceParts } from '../context.ts';
import { type Device, deviceStore } from '../store.ts';
import { writeDeviceCookie } from './device-secrets.ts';

/**
 * How the secret of a cookie relates to the stored ones. `old`: two clients hold a copy of the
 * cookie. `newer`: the database was restored from a backup.
 */
export type SecretStatus = 'current' | 'previous' | 'old' | 'newer';

/**
 * Rotates the secrets of device cookies as they are used, so that two clients in different places
 * can't both keep using copies of one cookie.
 */
export function createRotation({
  db,
  secrets,
  clock,
}: Pick<DeviceParts, 'db' | 'secrets' | 'clock'>) {
  return { statusOf, adopt, nextCookie, reissue };

  /** `secret` was issued for this device; `from` is the hash of the client's origin. */
  function statusOf(device: Device, secret: string, from: string): SecretStatus {
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
  }

  /**
   * Makes `secret` the current one when it is newer than the stored one, as after a restore from a
   * backup: a secret that was issued and not replaced is valid.
   */
  async function adopt(device: Device, secret: string): Promise<Device> {
    await replace(device, device.secret_hash ?? '', secret, randomSecret());
    return (await deviceStore.find(db, device.id)) ?? device;
  }

  /** Returns the next value of the device cookie, or undefined when no rotation is due. */
  async function nextCookie(
    device: Device,
    secret: string,
    status: SecretStatus,
    from: string,
  ): Promise<string | undefined> {
    const next =
      status === 'previous'
        ? successorOf(device, secret)
        : status === 'current'
          ? await rotateIfDue(device, secret, from)
          : undefined;
    return next && writeDeviceCookie({ deviceId: device.id, secret: next });
  }

  /**
   * Issues a device cookie to a browser that lost its own and proved its key. Concurrent requests
   * get the same value until it is used. Undefined for a device that never had one.
   */
  async function reissue(device: Device): Promise<string | undefined> {
    if (device.secret_hash === null) return undefined;
    const secret =
      reissuedSecret(device) ??
      (await replaceLost(device, device.secret_hash)) ??
      reissuedSecret(await deviceStore.find(db, device.id));
    return secret && writeDeviceCookie({ deviceId: device.id, secret });
  }

  async function rotateIfDue(
    device: Device,
    secret: string,
    from: string,
  ): Promise<string | undefined> {
    const now = clock.now();
    const hash = sha256Hex(secret);
    if (device.confirmed_at === null) await deviceStore.confirm(db, device.id, hash, new Date(now));
    const { rotated_at: before } = device;
    if (before !== null && Math.abs(now - before.getTime()) < deviceTimes.rotation)
      return undefined;
    const rotation = randomSecret();
    const next = secrets.next(device.id, secret, rotation);
    return (await replace(device, hash, next, rotation, from))
      ? next
      : successorOf(await deviceStore.find(db, device.id), secret);
  }

  /** Replaces the lost secret with the hash `before`. Undefined when another request did. */
  async function replaceLost(device: Device, before: string): Promise<string | undefined> {
    const rotation = randomSecret();
    const secret = secrets.inPlaceOfLost(device.id, rotation, device.generation + 1);
    return (await replace(device, before, secret, rotation)) ? secret : undefined;
  }

  /** Stores `secret` in place of the one with the hash `before`. False when another request did. */
  function replace(
    { id }: Device,
    before: string,
    secret: string,
    rotation: string,
    from: string | null = null,
  ): Promise<boolean> {
    return deviceStore.rotate(db, id, before, {
      secret_hash: sha256Hex(secret),
      generation: secrets.generationOf(secret),
      rotation,
      from,
      at: new Date(clock.now()),
    });
  }

  /** Returns the successor of `secret`, if that is the previous secret and the successor unused. */
  function successorOf(device: Device | undefined, secret: string): string | undefined {
    if (device?.rotation == null || device.confirmed_at !== null) return undefined;
    const next = secrets.next(device.id, secret, device.rotation);
    return sha256Hex(next) === device.secret_hash ? next : undefined;
  }

  /** Returns the secret that was issued in place of a lost one, while it is unused. */
  function reissuedSecret(device: Device | undefined): string | undefined {
    if (device?.rotation == null || device.confirmed_at !== null) return undefined;
    const secret = secrets.inPlaceOfLost(device.id, device.rotation, device.generation);
    return sha256Hex(secret) === device.secret_hash ? secret : undefined;
  }
}
