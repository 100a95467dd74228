import { createHmac, randomBytes } from 'node:crypto';
import { equalSecrets } from '../../../lib/secrets/secrets.ts';

const [generationBytes, randomBytesLength] = [4, 32];
const contentBytes = generationBytes + randomBytesLength;
const secretForm = /^[\w-]{70}$/;
const cookieForm = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{70})$/;

/** The content of a device cookie; none of it is verified yet. */
export interface DeviceCookie {
  deviceId: string;
  secret: string;
}

/** Undefined for a value of another form. */
export function readDeviceCookie(value: string | undefined): DeviceCookie | undefined {
  const [, deviceId, secret] = cookieForm.exec(value ?? '') ?? [];
  return deviceId === undefined || secret === undefined ? undefined : { deviceId, secret };
}

export const writeDeviceCookie = ({ deviceId, secret }: DeviceCookie): string =>
  `${deviceId}.${secret}`;

/**
 * Secrets of device cookies, as 70 characters of base64url: 4 bytes that count how often the
 * device's secret was replaced, 32 random bytes, and 16 bytes of an HMAC that only we can make. So
 * an old one is told from a made-up one without storing any. `key` has 32 bytes.
 */
export function createDeviceSecrets(key: Buffer) {
  const mac = (...parts: (string | number)[]): Buffer =>
    createHmac('sha256', key).update(parts.join(' ')).digest();

  function signed(deviceId: string, generation: number, random: Buffer): string {
    const content = Buffer.alloc(contentBytes);
    content.writeUInt32BE(generation);
    random.copy(content, generationBytes);
    return Buffer.concat([
      content,
      mac('ours', deviceId, content.toString('base64url')).subarray(0, 16),
    ]).toString('base64url');
  }

  const generationOf = (secret: string): number => Buffer.from(secret, 'base64url').readUInt32BE(0);

  return {
    /** How often the device's secret had been replaced when this one was made. */
    generationOf,

    fresh: (deviceId: string, generation = 0): string =>
      signed(deviceId, generation, randomBytes(randomBytesLength)),

    /** True when we made it for this device, however long ago. */
    isOurs: (deviceId: string, secret: string): boolean =>
      secretForm.test(secret) &&
      equalSecrets(
        secret,
        signed(
          deviceId,
          generationOf(secret),
          Buffer.from(secret, 'base64url').subarray(generationBytes, contentBytes),
        ),
      ),

    /** For a device that lost its cookie and proved its key: always the same for one `rotation`. */
    inPlaceOfLost: (deviceId: string, rotation: string, generation: number): string =>
      signed(deviceId, generation, mac('lost', deviceId, rotation)),

    /** The one after `secret`: always the same for one `rotation`, which alone reveals nothing. */
    next: (deviceId: string, secret: string, rotation: string): string =>
      signed(deviceId, generationOf(secret) + 1, mac('next', deviceId, secret, rotation)),
  };
}

export type DeviceSecrets = ReturnType<typeof createDeviceSecrets>;
