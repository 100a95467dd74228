import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

/**
 * Session ids that each replica can verify, even after a restart: a random part, and an HMAC of
 * that part and the owner. `key` has 32 bytes.
 */
export function createSessionIds(key: Buffer) {
  const sign = (random: string, owner: string): Buffer =>
    createHmac('sha256', key).update(`${random} ${owner}`).digest().subarray(0, 16);

  return {
    create(owner: string): string {
      const random = randomUUID();
      return `${random}.${sign(random, owner).toString('base64url')}`;
    },

    isIssuedTo(owner: string, id: string): boolean {
      const [, random, signature] = /^([0-9a-f-]{36})\.([\w-]{22})$/.exec(id) ?? [];
      return (
        random !== undefined &&
        signature !== undefined &&
        timingSafeEqual(Buffer.from(signature, 'base64url'), sign(random, owner))
      );
    },
  };
}
