import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { acceptBytes } from '../../../platform/http/body-parsers.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import { resourceLimits } from '../../../platform/resource/resource-limits.ts';
import { qrErrors } from '../errors.ts';
import type { Logos } from './logos.ts';
import { LogoParams, LogosView, LogoView, maxLogoBytes } from './schemas.pictures.ts';

export interface LogoRoutesOptions {
  qrLogos: Logos;
}

const tags = ['qr-pictures'];
const image = z.any().meta({ type: 'string', format: 'binary', examples: ['…PNG…'] });

function addRoute(app: ZodApp, { qrLogos }: LogoRoutesOptions): void {
  app.post(
    '/api/v1/qr-logos',
    {
      bodyLimit: maxLogoBytes,
      config: { rateLimit: limit({ max: 30, seconds: 300 }) },
      schema: {
        operationId: 'qrCodes.add_logo',
        summary: 'Upload a logo',
        description:
          'A PNG, JPEG or WebP picture of at most 5 MB and 40 million pixels. It is reduced to ' +
          '512 pixels, and its metadata is removed. At most 200 logos.',
        tags,
        consumes: ['image/png', 'image/jpeg', 'image/webp'],
        rawBody: image,
        errors: ['qr.logo_type', 'qr.logo_unreadable', 'qr.too_many_logos', 'qr.busy'],
        response: { 200: LogoView },
      },
    },
    (request) => {
      const { body } = request;
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      return qrLogos.add(bytes, requestActor(request));
    },
  );
}

function readRoutes(app: ZodApp, { qrLogos }: LogoRoutesOptions): void {
  app.get(
    '/api/v1/qr-logos',
    {
      config: resourceLimits.read,
      schema: {
        operationId: 'qrCodes.list_logos',
        summary: 'List logos',
        description: 'All uploaded logos, newest first; at most 200.',
        tags,
        response: { 200: LogosView },
      },
    },
    async () => ({ data: await qrLogos.list() }),
  );

  app.get(
    '/api/v1/qr-logos/:id',
    {
      config: resourceLimits.read,
      schema: {
        operationId: 'qrCodes.get_logo',
        summary: 'Get a logo',
        description: 'The picture, as PNG without metadata.',
        tags,
        params: LogoParams,
        errors: ['qr.logo_not_found'],
        response: {
          200: { description: 'The logo.', content: { 'image/png': { schema: image } } },
        },
      },
    },
    async (request, reply) => {
      const logo = await qrLogos.find(request.params.id);
      if (logo === undefined) throw qrErrors.logo_not_found();
      return reply
        .header('content-type', 'image/png')
        .header('cache-control', 'private, max-age=86400, immutable')
        .send(Buffer.from(logo.png));
    },
  );
}

function deleteRoute(app: ZodApp, { qrLogos }: LogoRoutesOptions): void {
  app.delete(
    '/api/v1/qr-logos/:id',
    {
      config: resourceLimits.write,
      schema: {
        operationId: 'qrCodes.delete_logo',
        summary: 'Delete a logo',
        description: 'Only a logo that no code has.',
        tags,
        params: LogoParams,
        errors: ['qr.logo_not_found', 'qr.logo_used'],
        response: { 204: z.undefined().describe('Deleted.') },
      },
    },
    async (request, reply) => {
      await qrLogos.delete(request.params.id, requestActor(request));
      return reply.code(204).send();
    },
  );
}

/** Logos, for admins. In its own plugin, because only these routes accept bytes. */
export const logoRoutes: FastifyPluginAsyncZod<LogoRoutesOptions> = async (app, options) => {
  acceptBytes(app);
  addRoute(app, options);
  readRoutes(app, options);
  deleteRoute(app, options);
};
