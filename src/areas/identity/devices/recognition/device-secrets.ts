import { createHmac, randomBytes } from 'node:crypto';
import { equalSecrets } from '../../../../lib/secrets/secrets.ts';

const [generationBytes, randomBytesLength] = [4, 32];
const contentBytes = generationBytes + randomBytesLength;
const secretPattern = /^[\w-]{70}$/;
const cookiePattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{70})$/;

/** The parsed content of a device cookie, unverified. */
export interface DeviceCookie {
  deviceId: string;
  secret: string;
}

/** Parses a device cookie; undefined when it is malformed. */
export function readDeviceCookie(value: string | undefined): DeviceCookie | undefined {
  const [, deviceId, secret] = cookiePattern.exec(value ?? '') ?? [];
  return deviceId === undefined || secret === undefined ? undefined : { deviceId, secret };
}

export const writeDeviceCookie = ({ deviceId, secret }: DeviceCookie): string =>
  `${deviceId}.${secret}`;

/**
 * Secrets of device cookies, 70 characters of base64url: a 4-byte generation counter, 32 random
 * bytes, and 16 bytes of an HMAC. The HMAC distinguishes old secrets from forged ones without
 * storing them. `key` has 32 bytes.
 */
export function createDeviceSecrets(key: Buffer) {
  const mac = (...parts: (string | number)[]): Buffer =>
    createHmac('sha256', key).update(parts.join(' ')).digest();

  function sign(deviceId: string, generation: number, random: Buffer): string {
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
    /** Returns the generation of a secret: how often the device's secret was replaced before. */
    generationOf,

    fresh: (deviceId: string, generation = 0): string =>
      sign(deviceId, generation, randomBytes(randomBytesLength)),

    /** True when this service issued the secret for this device, however long ago. */
    isOurs: (deviceId: string, secret: string): boolean =>
      secretPattern.test(secret) &&
      equalSecrets(
        secret,
        sign(
          deviceId,
          generationOf(secret),
          Buffer.from(secret, 'base64url').subarray(generationBytes, contentBytes),
        ),
      ),

    /** The secret for a device that lost its cookie. Deterministic for one `rotation`. */
    inPlaceOfLost: (deviceId: string, rotation: string, generation: number): string =>
      sign(deviceId, generation, mac('lost', deviceId, rotation)),

    /** The secret after `secret`. Deterministic for one `rotation`, which alone reveals nothing. */
    next: (deviceId: string, secret: string, rotation: string): string =>
      sign(deviceId, generationOf(secret) + 1, mac('next', deviceId, secret, rotation)),
  };
}
