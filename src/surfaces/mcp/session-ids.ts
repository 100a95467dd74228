import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

/**
 * Names sessions so that each replica of the service, and this one after a restart, knows an id for one of ours, and for whom
 * it was made: behind a random part stands an HMAC of it and its owner. `key` has 32 bytes.
 */
export function createSessionIds(key: Buffer) {
  const seal = (random: string, owner: string): Buffer =>
    createHmac('sha256', key).update(`${random} ${owner}`).digest().subarray(0, 16);

  return {
    create(owner: string): string {
      const random = randomUUID();
      return `${random}.${seal(random, owner).toString('base64url')}`;
    },

    isOurs(id: string, owner: string): boolean {
      const [, random, given] = /^([0-9a-f-]{36})\.([\w-]{22})$/.exec(id) ?? [];
      return (
        random !== undefined &&
        given !== undefined &&
        timingSafeEqual(Buffer.from(given, 'base64url'), seal(random, owner))
      );
    },
  };
}
