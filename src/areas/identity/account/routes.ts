import { Readable } from 'node:stream';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { attachment } from '../../../lib/net/header-text.ts';
import { acceptBytes } from '../../../platform/http/body-parsers.ts';
import { allowApps } from '../../../platform/http/cross-origin.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { originOf } from '../../../platform/http/requests/request-origin.ts';
import { changeResponseHeaders, noStore } from '../../../platform/http/security.ts';
import type { AccountContext } from './operations.ts';
import { AvatarParams, AvatarView, maxAvatarBytes } from './schemas.ts';

const tags = ['account'];
const image = z.any().meta({ type: 'string', format: 'binary', examples: ['RIFF…WEBP…'] });
const zip = z.any().meta({ type: 'string', format: 'binary', examples: ['PK…'] });

/** The upload of your own picture. In its own plugin, because only this route accepts bytes. */
export const avatarUploadRoute: FastifyPluginAsyncZod<AccountContext> = async (
  app,
  { ownAccount, guards, clock },
) => {
  acceptBytes(app);
  noStore(app);
  allowApps(app);

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
      const from = originOf(request, clock.now());
      return { picture: await ownAccount.avatars.put(userId, bytes, from) };
    },
  );
};

/** The pictures of all users, for pages of any site. */
export const avatarRoute: FastifyPluginAsyncZod<Pick<AccountContext, 'ownAccount'>> = async (
  app,
  { ownAccount },
) => {
  changeResponseHeaders(app, { 'cross-origin-resource-policy': 'cross-origin' });

  app.get(
    '/api/v1/users/:id/avatar/:file',
    {
      config: { rateLimit: limit({ max: 600, seconds: 60, failOpen: true }) },
      schema: {
        operationId: 'account.get_avatar',
        summary: 'Get a profile picture',
        description:
          'The URL is the `picture` claim of a user. It changes with the picture, so the ' +
          'response can be cached forever.',
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
      const picture = await ownAccount.avatars.find(id, file);
      return reply
        .header('content-type', 'image/webp')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(picture);
    },
  );
};

/** Sends the copy of your own data: only in the `fresh` scope, since it contains everything. */
export const exportFileRoute: FastifyPluginAsyncZod<AccountContext> = async (
  app,
  { ownAccount, guards, clock },
) => {
  noStore(app);
  allowApps(app);

  app.get(
    '/api/v1/users/me/export/file',
    {
      config: { rateLimit: limit({ max: 20, seconds: 300 }) },
      schema: {
        operationId: 'account.get_export_file',
        summary: 'Download the copy of your data',
        description:
          'A zip with JSON and CSV files, for 24 hours after it was ready. Requires a sign-in ' +
          'within the last five minutes.',
        tags,
        errors: ['account.export_not_ready'],
        response: {
          200: {
            description: 'The zip. README.txt lists its files.',
            content: { 'application/zip': { schema: zip } },
          },
        },
      },
    },
    async (request, reply) => {
      const { userId } = guards.sessionOf(request);
      const from = originOf(request, clock.now());
      const { name, size, chunks } = await ownAccount.exports.file(userId, from);
      return reply
        .header('content-type', 'application/zip')
        .header('content-length', size)
        .header('content-disposition', attachment(name))
        .send(Readable.from(chunks));
    },
  );
};
