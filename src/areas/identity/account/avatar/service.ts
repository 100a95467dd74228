import { createHash } from 'node:crypto';
import { hourMs } from '../../../../lib/durations.ts';
import type { RequestOrigin } from '../../../../platform/http/requests/request-origin.ts';
import { userActor } from '../../../../platform/http/requests/request-actor.ts';
import type { AccountParts } from '../context.ts';
import { accountErrors } from '../errors.ts';
import { createAvatarEncoder } from './encoder.ts';

const uploads = { name: 'avatar', max: 20, ms: hourMs };
const fileName = /^([0-9a-f]{32})\.webp$/;

/** The path of a user's picture. It changes with the picture, so that caches may keep it. */
const avatarPath = (userId: string, hash: string): string =>
  `/api/v1/users/${userId}/avatar/${hash}.webp`;

/** Pictures that users upload. */
export function createAvatars({
  avatars,
  users,
  audit,
  countChange,
  clock,
  baseUrl,
}: AccountParts) {
  const encode = createAvatarEncoder();

  return {
    /**
     * Stores a picture and returns its address. Throws `account.avatar_type`,
     * `.avatar_unreadable`, `.avatar_busy`, `.too_many_changes`.
     */
    async put(userId: string, bytes: Buffer, from: RequestOrigin): Promise<string> {
      await countChange(userId, uploads);
      const image = await encode(bytes);
      const hash = createHash('sha256').update(image).digest('hex').slice(0, 32);
      const url = baseUrl + avatarPath(userId, hash);
      await avatars.put(userId, { hash, image, url, at: new Date(clock.now()) });
      await changed(userId, from);
      return url;
    },

    async remove(userId: string, from: RequestOrigin): Promise<void> {
      await avatars.remove(userId);
      await changed(userId, from);
    },

    /** The picture behind `{hash}.webp`. Throws `account.avatar_not_found`. */
    async find(userId: string, file: string): Promise<Buffer> {
      const hash = fileName.exec(file)?.[1];
      const image = hash === undefined ? undefined : await avatars.find(userId, hash);
      if (image === undefined) throw accountErrors.avatar_not_found();
      return image;
    },

    /** The path of the uploaded picture, if there is one. */
    async pathOf(userId: string): Promise<string | undefined> {
      const hash = await avatars.hashOf(userId);
      return hash === undefined ? undefined : avatarPath(userId, hash);
    },
  };

  async function changed(userId: string, from: RequestOrigin): Promise<void> {
    await users.refresh(userId);
    await audit.record({
      action: 'user.profile_changed',
      ...userActor(userId, from),
      target: { kind: 'user', id: userId },
      details: { fields: ['picture'] },
    });
  }
}
