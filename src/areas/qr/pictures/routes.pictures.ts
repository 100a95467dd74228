import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { LRUCache } from 'lru-cache';
import { attachment } from '../../../lib/net/header-text.ts';
import { type Cacheable, sendCacheable } from '../../../platform/http/etag.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import type { BoundResource } from '../../../platform/resource/resource.ts';
import { CodeParams } from '../codes/schemas.targets.ts';
import { QrStyle } from '../drawing/style.ts';
import { QrCodeView } from '../schemas.ts';
import type { PictureFormat, Pictures } from './pictures.ts';
import { isStranger } from './strangers.ts';
import { AnyPictureQuery, PictureQuery } from './schemas.pictures.ts';

export interface PictureRoutesOptions {
  pictures: Pictures;
  qrCodes: BoundResource;
}

const tags = ['qr-pictures'];

const types = { svg: 'image/svg+xml', png: 'image/png', pdf: 'application/pdf' } as const;
const binary = z.any().meta({ type: 'string', format: 'binary', examples: ['…'] });
const contentOf = (formats: readonly PictureFormat[]) =>
  Object.fromEntries(
    formats.map((format) => [
      types[format],
      { schema: format === 'svg' ? z.string().meta({ examples: ['<svg …></svg>'] }) : binary },
    ]),
  );
const pictureErrors = ['qr.too_long', 'qr.unreadable', 'qr.busy'] as const;

type Look = Pick<PictureQuery, 'level' | 'fgColor' | 'bgColor' | 'margin' | 'hideLogo'>;

const hex = (color: string): string => (color.startsWith('#') ? color : `#${color}`);

/** A style with what a query changes. */
function styleOf(style: QrStyle, { level, fgColor, bgColor, margin, hideLogo }: Look): QrStyle {
  return {
    ...style,
    ...(level === undefined ? {} : { level }),
    ...(fgColor === undefined ? {} : { foreground: hex(fgColor) }),
    ...(bgColor === undefined ? {} : { background: hex(bgColor) }),
    ...(margin === undefined ? {} : { margin }),
    ...(hideLogo === true ? { logo: null } : {}),
  };
}

// A file that is opened by itself must not run anything.
const sandbox = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox";

const sendPicture = (reply: FastifyReply, format: PictureFormat, bytes: Buffer): FastifyReply =>
  reply
    .header('content-type', types[format])
    .header('content-security-policy', sandbox)
    .send(bytes);

function pictureRoute(
  app: ZodApp,
  { pictures, qrCodes: { service } }: PictureRoutesOptions,
  { path, format }: { path: string; format: PictureFormat },
): void {
  app.get(
    path,
    {
      config: { rateLimit: limit({ max: 300, seconds: 60, failOpen: true }) },
      schema: {
        operationId: `qrCodes.get_${format}`,
        summary: `Get a picture (${format.toUpperCase()})`,
        description:
          'In the style of the code, or with what the query changes. Two decoders have to read ' +
          'a styled picture before it is sent.',
        tags,
        params: CodeParams,
        querystring: PictureQuery,
        errors: ['qr.not_found', ...pictureErrors],
        response: { 200: { description: 'The picture.', content: contentOf([format]) } },
      },
    },
    async (request, reply) => {
      const { query, params } = request;
      const { name, code, text, style } = QrCodeView.parse(await service.get(params.id));
      const picture = await pictures.draw(
        { text, style: styleOf(style, query) },
        { format, size: query.size, title: name },
      );
      void reply.header('cache-control', 'private, no-cache');
      if (query.download === true)
        void reply.header('content-disposition', attachment(`${code}.${format}`));
      return sendPicture(reply, format, picture);
    },
  );
}

/** Pictures of stored codes, for admins. */
export const pictureRoutes: FastifyPluginAsyncZod<PictureRoutesOptions> = async (app, options) => {
  pictureRoute(app, options, { path: '/api/v1/qr-codes/:id/image.svg', format: 'svg' });
  pictureRoute(app, options, { path: '/api/v1/qr-codes/:id/image.png', format: 'png' });
  pictureRoute(app, options, { path: '/api/v1/qr-codes/:id/image.pdf', format: 'pdf' });
};

const plain = QrStyle.parse({});

/** Of pictures of any text that are kept, so that the same ones cost nothing. */
const maxDrawnBytes = 8 * 1024 * 1024;

/** Pictures of any text, for everybody. */
export const anyPictureRoutes: FastifyPluginAsyncZod<PictureRoutesOptions> = async (
  app,
  { pictures },
) => {
  const drawn = new LRUCache<string, Cacheable>({
    maxSize: maxDrawnBytes,
    sizeCalculation: ({ content }, key) => content.length + key.length,
  });
  app.get(
    '/api/v1/qr',
    {
      config: { rateLimit: limit({ max: 60, seconds: 60 }) },
      schema: {
        operationId: 'qr.draw',
        summary: 'Draw a QR code',
        description:
          'A picture of a URL or any other text, which is stored nowhere and not counted. ' +
          'At most 60 a minute from one address, and 2,048 pixels. With an API key, or the ' +
          'token of somebody with a role, it doesn’t wait for the pictures of others.',
        tags,
        querystring: AnyPictureQuery,
        errors: [...pictureErrors],
        response: {
          200: { description: 'The picture.', content: contentOf(['svg', 'png', 'pdf']) },
        },
      },
    },
    async (request, reply) => {
      const { url, text, format, size } = request.query;
      const pictured = { text: url ?? text ?? '', style: styleOf(plain, request.query) };
      const draw = isStranger(request.principal) ? pictures.drawForStranger : pictures.draw;
      const key = JSON.stringify([pictured, format, size]);
      const answer = drawn.get(key) ?? {
        content: await draw(pictured, { format, size }),
        type: types[format],
        cacheControl: 'public, max-age=86400',
      };
      drawn.set(key, answer);
      void reply.header('content-security-policy', sandbox);
      return sendCacheable(request, reply, answer);
    },
  );
};
