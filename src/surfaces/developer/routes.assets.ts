import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requestErrors } from '../../platform/errors/errors.ts';
import { sendCacheable } from '../../platform/http/etag.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import type { GuideLibrary } from './guide-library.ts';

export interface AssetRoutesOptions {
  /** Path of the search index. */
  indexName: string;
  library: GuideLibrary;
}

const immutable = 'public, max-age=31536000, immutable';
// For pictures that are opened directly: inline styles are allowed, scripts are not.
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

function registerSearchIndex(app: ZodApp, { indexName, library }: AssetRoutesOptions): void {
  app.get(
    indexName,
    {
      schema: {
        operationId: 'developer.index_file',
        summary: 'Get the search index of the guides',
        tags: ['pages'],
        hide: true,
        querystring: z.object({ v: z.string().optional() }),
      },
    },
    (request, reply) =>
      sendCacheable(request, reply, {
        content: library.index(),
        type: 'application/json',
        cacheControl: request.query.v === undefined ? 'public, max-age=300' : immutable,
      }),
  );
}

function registerPictures(app: ZodApp, library: GuideLibrary): void {
  app.get(
    '/developer/guides/:name.svg',
    {
      schema: {
        operationId: 'developer.picture',
        summary: 'A picture from a guide',
        tags: ['pages'],
        hide: true,
        params: z.object({ name: z.string() }),
      },
    },
    (request, reply) => {
      const picture = library.image(`${request.params.name}.svg`);
      if (picture === undefined) throw requestErrors.not_found();
      return sendCacheable(request, reply.header('content-security-policy', picturePolicy), {
        content: picture,
        type: 'image/svg+xml',
        cacheControl: 'public, max-age=3600',
      });
    },
  );
}

/** The search index of the developer pages, and the pictures of guides. */
export const assetRoutes: FastifyPluginAsyncZod<AssetRoutesOptions> = async (app, options) => {
  registerSearchIndex(app, options);
  registerPictures(app, options.library);
};
