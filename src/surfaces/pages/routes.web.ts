import type { FastifySchema } from 'fastify';
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

/** The public site as data: facts, pages and sitemap. The same JSON for everyone. */
export const webRoutes: FastifyPluginAsyncZod<WebRoutesOptions> = async (app, options) => {
  const { site, pages } = options;
  const routes: { path: string; view: z.ZodType; content: unknown; facts: FastifySchema }[] = [
    {
      path: '/api/v1/web',
      view: SiteView,
      content: siteView(options),
      facts: {
        operationId: 'web.site',
        summary: 'Get facts about the site',
        description: 'Name, contact and languages of the site, and the URLs of its main pages.',
      },
    },
    {
      path: '/api/v1/web/pages',
      view: SitePagesView,
      content: pagesView(site.baseUrl, pages),
      facts: {
        operationId: 'web.pages',
        summary: 'List public pages',
        description: 'Every public page with its title, description and menus, guides last.',
      },
    },
    {
      path: '/api/v1/web/sitemap',
      view: SitemapView,
      content: sitemapView(site.baseUrl, pages),
      facts: {
        operationId: 'web.sitemap',
        summary: 'Get the sitemap as data',
        description: 'The same URLs as in `/web/sitemap.xml`.',
      },
    },
  ];
  for (const { path, view, content, facts } of routes) {
    const answer = once(() => ({
      content: JSON.stringify(view.parse(content)),
      type: 'application/json; charset=utf-8',
      cacheControl: 'public, max-age=600',
    }));
    const response = { 200: view, 304: z.undefined().describe('Not modified.') };
    app.get(path, { schema: { ...facts, tags: ['web'], response } }, async (request, reply) =>
      sendCacheable(request, reply, answer()),
    );
  }
};
