import { memoizeByObject } from '../../../lib/memoize.ts';
import type { Brand } from '../../../platform/brand/brand.ts';
import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requestErrors } from '../../../platform/errors/errors.ts';
import { type Cacheable, sendCacheable } from '../../../platform/http/etag.ts';
import { configurePageScope } from '../../../platform/ui/page-scope.ts';
import { createPageFiles, assetPath } from './page-files.ts';
import { graphiqlPage, schemaPage } from './pages.tsx';
import { texts } from './texts/en.ts';
import type { RouteContext } from '../route-context.ts';

const oneYear = 31_536_000;
// The hash of the empty string, for style elements that a script inserts empty and then fills.
const emptyStyle = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";
// The one style element that Voyager inserts with its drawing. It changes with its version.
const bundleStyle = "'sha256-OxzwDgmiSCVe660sq98gB1iNwPly1MobxUipJRySOSc='";
// The two style attributes of its drawings: the colour of a mark, and `overflow`.
const bundleAttributes =
  "'unsafe-hashes' 'sha256-J3ad3Jky2rrGxji9avoBKAef+eEPUHUzjixeBso3hQU=' " +
  "'sha256-VFbWIgye9s2Qrp4DxCi8DqkWqAyVjUxaVqxTT4Kvfpw='";
const shared =
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; " +
  "form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
const graphiqlPolicy = `default-src 'none'; script-src 'self'; style-src 'self'; ${shared}`;
const voyagerPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; " +
  `style-src 'self' ${emptyStyle} ${bundleStyle}; style-src-attr ${bundleAttributes}; ${shared}`;

/** Headers that pages need. GraphiQL shares its path with JSON responses, which omit them. */
const documentHeaders = {
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

/** Returns a function that sends GraphiQL. */
export function createGraphiqlPage({ brand, webFolder, assets }: RouteContext) {
  const files = createPageFiles(webFolder, assets);
  return async (reply: FastifyReply): Promise<FastifyReply> => {
    const page = graphiqlPage(brand().name, await files.urlsOf('graphiql'));
    return reply
      .headers({ 'content-security-policy': graphiqlPolicy, ...documentHeaders })
      .type('text/html; charset=utf-8')
      .send(page);
  };
}

/** The schema page, and the files of both pages. */
export const graphqlPageRoutes: FastifyPluginAsyncZod<RouteContext> = async (
  app,
  { brand, graphql, layout, webFolder, assets },
) => {
  const files = createPageFiles(webFolder, assets);
  configurePageScope(app, { layout, back: { href: '/', text: texts.back }, isPublic: true });
  const answerOf = memoizeByObject<Brand, Promise<Cacheable>>(async () => ({
    content: layout(
      schemaPage(await graphql.describe(), await files.urlsOf('voyager'), await files.graphUrls()),
    ),
    type: 'text/html; charset=utf-8',
    cacheControl: 'public, max-age=300',
  }));

  app.get(
    '/api/graphql/voyager',
    {
      schema: {
        operationId: 'graphql.voyager',
        summary: 'GraphQL schema page',
        description: 'The schema as a graph and as tables. The tables work without JavaScript.',
        tags: ['graphql', 'pages'],
        response: {
          200: { content: { 'text/html': { schema: z.string() } } },
          304: z.undefined().describe('Not modified.'),
        },
      },
    },
    async (request, reply) => {
      const answer = await answerOf(brand());
      return sendCacheable(request, reply.header('content-security-policy', voyagerPolicy), answer);
    },
  );

  app.get(
    `${assetPath}:name`,
    {
      schema: {
        operationId: 'graphql.file',
        summary: 'Get a file used by the GraphQL pages',
        tags: ['pages'],
        hide: true,
        params: z.object({ name: z.string().max(64) }),
        querystring: z.object({ v: z.string().max(64).optional() }),
      },
    },
    async (request, reply) => {
      const file = await files.find(request.params.name);
      if (file === undefined) throw requestErrors.not_found();
      // Responses to URLs with another version must not be cached for long.
      const cacheControl =
        request.query.v === file.version
          ? `public, max-age=${oneYear}, immutable`
          : 'public, max-age=300';
      return sendCacheable(request, reply, { content: file.text, type: file.type, cacheControl });
    },
  );
};
