import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { once } from '../../lib/memoize.ts';
import { sendCacheable } from '../../platform/http/etag.ts';
import type { ListedPage } from './page-list.ts';
import { SitemapView, SitePagesView, SiteView } from './schemas.web.ts';
import { pagesView, sitemapView, siteView, type SiteViewFacts } from './web-views.ts';

export interface WebRoutesOptions extends SiteViewFacts {
  pages: readonly ListedPage[];
}

interface WebResponse {
  view: z.ZodType;
  content: unknown;
}

/** Prepares a route that sends the same JSON to everyone. */
function prepare({ view, content }: WebResponse) {
  const answer = once(() => ({
    content: JSON.stringify(view.parse(content)),
    type: 'application/json; charset=utf-8',
    cacheControl: 'public, max-age=600',
  }));
  const handler = async (request: FastifyRequest, reply: FastifyReply) =>
    sendCacheable(request, reply, answer());
  return { handler, response: { 200: view, 304: z.undefined().describe('Not modified.') } };
}

const tags = ['web'];

/** The public site as data: facts, pages and sitemap. */
export const webRoutes: FastifyPluginAsyncZod<WebRoutesOptions> = async (app, options) => {
  const { site, pages } = options;
  const facts = prepare({ view: SiteView, content: siteView(options) });
  const list = prepare({ view: SitePagesView, content: pagesView(site.baseUrl, pages) });
  const sitemap = prepare({ view: SitemapView, content: sitemapView(site.baseUrl, pages) });

  app.get(
    '/api/v1/web',
    {
      schema: {
        operationId: 'web.site',
        summary: 'Get facts about the site',
        description: 'Name, contact and languages of the site, and the URLs of its main pages.',
        tags,
        response: facts.response,
      },
    },
    facts.handler,
  );
  app.get(
    '/api/v1/web/pages',
    {
      schema: {
        operationId: 'web.pages',
        summary: 'List public pages',
        description: 'Every public page with its title, description and menus, guides last.',
        tags,
        response: list.response,
      },
    },
    list.handler,
  );
  app.get(
    '/api/v1/web/sitemap',
    {
      schema: {
        operationId: 'web.sitemap',
        summary: 'Get the sitemap as data',
        description: 'The same URLs as in `/web/sitemap.xml`.',
        tags,
        response: sitemap.response,
      },
    },
    sitemap.handler,
  );
};
