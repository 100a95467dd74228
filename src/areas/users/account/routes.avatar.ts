import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { acceptBytes } from '../../../platform/http/body-parsers.ts';
import { allowApps } from '../../../platform/http/cross-origin.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { originOf } from '../../../platform/http/requests/request-origin.ts';
import { answerWith, noStore } from '../../../platform/http/security.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import type { Avatars } from './avatar/avatars.ts';
import type { AccountRoutesOptions } from './routes.ts';
import { AvatarParams, AvatarView, maxAvatarBytes } from './schemas.ts';

const tags = ['account'];
const image = z.any().meta({ type: 'string', format: 'binary', examples: ['RIFF…WEBP…'] });

function putAvatar(app: ZodApp, { avatars, guards, clock }: AccountRoutesOptions): void {
  app.put(
    '/api/v1/users/me/avatar',
    {
      bodyLimit: maxAvatarBytes,
      config: { rateLimit: limit({ max: 30, seconds: 300 }) },
      schema: {
        operationId: 'account.put_avatar',
        summary: 'Upload your picture',
        description:
          'A JPEG, PNG or WebP picture of at most 5 MB and 40 million pixels. It is cropped to a ' +
          'square of 256 pixels, and its metadata is removed. At most 20 uploads an hour.',
        tags,
        consumes: ['image/jpeg', 'image/png', 'image/webp'],
        rawBody: image,
        errors: [
          'account.avatar_type',
          'account.avatar_unreadable',
          'account.avatar_busy',
          'account.too_many_changes',
        ],
        response: { 200: AvatarView },
      },
    },
    async (request) => {
      const { body } = request;
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      const { userId } = guards.sessionOf(request);
      return { picture: await avatars.put(userId, bytes, originOf(request, clock.now())) };
    },
  );
}

function removeAvatar(app: ZodApp, { avatars, guards, clock }: AccountRoutesOptions): void {
  app.delete(
    '/api/v1/users/me/avatar',
    {
      config: { rateLimit: limit({ max: 60, seconds: 60 }) },
      schema: {
        operationId: 'account.delete_avatar',
        summary: 'Remove your picture',
        description: 'Browsers and caches may keep the old picture.',
        tags,
        response: { 200: AvatarView },
      },
    },
    async (request) => {
      await avatars.remove(guards.sessionOf(request).userId, originOf(request, clock.now()));
      return { picture: null };
    },
  );
}

/** The own picture. In its own plugin, because only these routes accept bytes. */
export const ownAvatarRoutes: FastifyPluginAsyncZod<AccountRoutesOptions> = async (
  app,
  options,
) => {
  acceptBytes(app);
  noStore(app);
  allowApps(app);
  putAvatar(app, options);
  removeAvatar(app, options);
};

/** The pictures of all users, for pages of any site. */
export const avatarRoutes: FastifyPluginAsyncZod<{ avatars: Pick<Avatars, 'find'> }> = async (
  app,
  { avatars },
) => {
  answerWith(app, { 'cross-origin-resource-policy': 'cross-origin' });

  app.get(
    '/api/v1/users/:id/avatar/:file',
    {
      config: { rateLimit: limit({ max: 600, seconds: 60, failOpen: true }) },
      schema: {
        operationId: 'account.get_avatar',
        summary: 'Show a picture',
        description:
          'The address is the `picture` of a user. It changes with the picture, so caches may ' +
          'keep it forever.',
        tags,
        params: AvatarParams,
        errors: ['account.avatar_not_found'],
        response: {
          200: {
            description: 'The picture: WebP, 256 pixels square.',
            content: { 'image/webp': { schema: image } },
          },
        },
      },
    },
    async (request, reply) => {
      const { id, file } = request.params;
      const picture = await avatars.find(id, file);
      return reply
        .header('content-type', 'image/webp')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(picture);
    },
  );
};
