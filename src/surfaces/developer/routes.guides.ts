import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { memoizeByObject } from '../../lib/memoize.ts';
import { requestErrors } from '../../platform/errors/errors.ts';
import { sendCacheable } from '../../platform/http/etag.ts';
import { documentErrorPages } from '../../platform/ui/page-scope.ts';
import { sendPage } from '../../platform/ui/pages.ts';
import { isNavigation } from '../../platform/http/request-origin.ts';
import { varyOn } from '../../platform/http/vary.ts';
import type { Guide } from './library.ts';
import { prefersMarkdown } from './markdown-pages.ts';
import { nearGuides } from './near-slugs.ts';
import { guidePage, missingGuidePage } from './pages.ts';
import type { Shared } from './routes.ts';

const tags = ['pages'];
const cacheControl = 'public, max-age=300';
const GuideParams = z.object({
  slug: z
    .string()
    .regex(/^[a-z0-9-]{1,80}$/)
    .describe('The name of the guide, as in the list of guides.')
    .meta({ examples: ['sign-in'] }),
});
const missed = {
  description: 'There is no such guide.',
  content: { 'text/html': { schema: z.string() } },
};
const unchanged = z.undefined().describe('Nothing has changed.');

/** Guides, as pages and as Markdown. */
export const guideRoutes: FastifyPluginAsyncZod<Shared> = async (app, { surroundings, layout }) => {
  documentErrorPages(app, 'for browsers');
  const page = memoizeByObject((guide: Guide) => ({
    content: layout(guidePage(guide, surroundings())),
    type: 'text/html; charset=utf-8',
    cacheControl,
  }));
  const markdown = memoizeByObject((guide: Guide) => ({
    content: guide.markdown,
    type: 'text/markdown; charset=utf-8',
    cacheControl,
  }));
  const near = (slug: string) => nearGuides(slug, surroundings().library.guides());
  const missing = (slug: string) =>
    requestErrors.not_found({
      detail: 'There is no guide of this name.',
      extra: { suggestions: near(slug).map((guide) => guide.slug) },
    });

  app.get(
    '/developer/guides/:slug',
    {
      schema: {
        operationId: 'developer.guide',
        summary: 'Page of a guide',
        description:
          'With `Accept: text/markdown` the text as it was written. An unknown name is 404, with the names that it may stand for.',
        tags,
        params: GuideParams,
        errors: ['request.not_found'],
        response: {
          200: {
            content: {
              'text/html': { schema: z.string() },
              'text/markdown': { schema: z.string() },
            },
          },
          304: unchanged,
          404: missed,
        },
      },
    },
    async (request, reply) => {
      varyOn(reply, 'accept');
      const { slug } = request.params;
      const guide = surroundings().library.find(slug);
      if (guide !== undefined)
        return sendCacheable(
          request,
          reply,
          prefersMarkdown(request.headers.accept) ? markdown(guide) : page(guide),
        );
      if (!isNavigation(request, reply)) throw missing(slug);
      return sendPage(
        reply.code(404).header('cache-control', 'no-store'),
        layout(missingGuidePage(slug, near(slug), surroundings())),
      );
    },
  );

  app.get(
    '/developer/guides/:slug.md',
    {
      schema: {
        operationId: 'developer.guide_markdown',
        summary: 'A guide as Markdown',
        description:
          'The text of the guide as it was written, with the address of this server in its examples.',
        tags,
        params: GuideParams,
        errors: ['request.not_found'],
        response: { 200: { content: { 'text/markdown': { schema: z.string() } } }, 304: unchanged },
      },
    },
    async (request, reply) => {
      const guide = surroundings().library.find(request.params.slug);
      if (guide === undefined) throw missing(request.params.slug);
      return sendCacheable(request, reply, markdown(guide));
    },
  );
};
