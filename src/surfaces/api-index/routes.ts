import type { BrandReader } from '../../platform/brand/brand.ts';
import type { FastifyInstance } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { registerAnyMethod } from '../../platform/http/any-method.ts';
import { type Cacheable, sendCacheable } from '../../platform/http/etag.ts';
import { routeTable } from '../../platform/http/scopes.ts';
import { areasBelow, cmykEndpoints } from './index-views.ts';
import { ApiIndexView, CmykView } from './schemas.ts';

export interface IndexRoutesOptions {
  brand: BrandReader;
  version: string;
  /** Public URL of this server, without a trailing slash. */
  baseUrl: string;
}

const tags = ['reference'];
const response = { 200: ApiIndexView, 304: z.undefined().describe('Not modified.') };

/** Returns a function that makes the index of a prefix once, when all routes are registered. */
function indexOf(
  app: FastifyInstance,
  prefix: string,
  { brand, version, baseUrl }: IndexRoutesOptions,
): () => Cacheable {
  let cached: Cacheable | undefined;
  const make = (): Cacheable => {
    const index: ApiIndexView = {
      service: brand().name,
      version,
      prefix,
      areas: areasBelow(prefix, { routes: routeTable(app), tags: app.describedTags(), baseUrl }),
      docs: {
        reference: `${baseUrl}/developer/reference`,
        guides: `${baseUrl}/developer/guides`,
        openapi: `${baseUrl}/api/openapi.json`,
        errors: `${baseUrl}/developer/errors`,
      },
    };
    return {
      content: JSON.stringify(ApiIndexView.parse(index)),
      type: 'application/json; charset=utf-8',
      cacheControl: 'public, max-age=600',
    };
  };
  return () => (cached ??= make());
}

/** The indexes of the API, of its first version and of cmyk, made from the route table. */
export const indexRoutes: FastifyPluginAsyncZod<IndexRoutesOptions> = async (app, options) => {
  const whole = indexOf(app, '/api/', options);
  app.get(
    '/api',
    {
      schema: {
        operationId: 'reference.index',
        summary: 'List the areas of the API',
        description: 'Each area of the API with a first operation to try and its reference.',
        tags,
        response,
      },
    },
    async (request, reply) => sendCacheable(request, reply, whole()),
  );

  const first = indexOf(app, '/api/v1/', options);
  app.get(
    '/api/v1',
    {
      schema: {
        operationId: 'reference.index_first_version',
        summary: 'List the areas of version 1',
        description: 'Like `/api/`, with the areas that have paths below `/api/v1/`.',
        tags,
        response,
      },
    },
    async (request, reply) => sendCacheable(request, reply, first()),
  );

  let endpoints: CmykView['endpoints'] | undefined;
  registerAnyMethod(app, {
    path: '/cmyk/api',
    operation: 'cmyk.index',
    summary: 'List the cmyk endpoints',
    description:
      'The endpoints that sign people in to mobile apps. All methods return the same response.',
    tags,
    returns: 'The endpoints of cmyk.',
    response: CmykView,
    answer: ({ method }): CmykView => ({
      service: 'cmyk',
      version: options.version,
      method,
      endpoints: (endpoints ??= cmykEndpoints(routeTable(app))),
      docs: '/cmyk/docs/',
    }),
  });
};
