import { createHmac } from 'node:crypto';
import { equalSecrets, randomSecret } from '../../lib/secrets.ts';

const secretForm = /^[\w-]{64}$/;
const cookieForm = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{64})$/;

/** What a device cookie says; nothing of it is proved yet. */
export interface DeviceCookie {
  deviceId: string;
  secret: string;
}

/** Undefined when it is no device cookie of this form. */
export function readDeviceCookie(value: string | undefined): DeviceCookie | undefined {
  const [, deviceId, secret] = cookieForm.exec(value ?? '') ?? [];
  return deviceId === undefined || secret === undefined ? undefined : { deviceId, secret };
}

export const writeDeviceCookie = ({ deviceId, secret }: DeviceCookie): string => `${deviceId}.${secret}`;

/**
 * Secrets of device cookies: 32 bytes that nobody can guess and 16 by which we know them for ours, as 64 characters of
 * base64url. An old one is told from a made-up one that way, without keeping any. `key` has 32 bytes.
 */
export function createDeviceSecrets(key: Buffer) {
  const mac = (...parts: string[]): Buffer => createHmac('sha256', key).update(parts.join(' ')).digest();

  function signed(deviceId: string, random: string): string {
    return Buffer.concat([Buffer.from(random, 'base64url'), mac('ours', deviceId, random).subarray(0, 16)]).toString('base64url');
  }

  return {
    fresh: (deviceId: string): string => signed(deviceId, randomSecret()),

    /** True when we have made it for this device, however long ago. */
    isOurs: (deviceId: string, secret: string): boolean =>
      secretForm.test(secret) && equalSecrets(secret, signed(deviceId, Buffer.from(secret, 'base64url').subarray(0, 32).toString('base64url'))),

    /** The one after `secret`: the same again for the same `rotation`, which alone gives nothing away. */
    next: (deviceId: string, secret: string, rotation: string): string => signed(deviceId, mac('next', deviceId, secret, rotation).toString('base64url')),
  };
}

export type DeviceSecrets = ReturnType<typeof createDeviceSecrets>;
