import type { FastifySchema } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { memoizeByObject } from '../../lib/memoize.ts';
import { sendCacheable } from '../../platform/http/etag.ts';
import type { SiteFacts } from './facts.ts';
import type { ListedPage } from './page-list.ts';
import { SitemapView, SitePagesView, SiteView } from './schemas.web.ts';
import { pagesView, sitemapView, siteView, type SiteViewFacts } from './web-views.ts';

export interface WebRoutesOptions extends SiteViewFacts {
  pages: () => readonly ListedPage[];
}

/** The public site as data: facts, pages and sitemap. The same JSON for everyone. */
export const webRoutes: FastifyPluginAsyncZod<WebRoutesOptions> = async (app, options) => {
  const { site, pages } = options;
  const routes: {
    path: string;
    view: z.ZodType;
    contentOf: (site: SiteFacts) => unknown;
    facts: FastifySchema;
  }[] = [
    {
      path: '/api/v1/web',
      view: SiteView,
      contentOf: (now) => siteView(now, options),
      facts: {
        operationId: 'web.site',
        summary: 'Get facts about the site',
        description: 'Name, contact and languages of the site, and the URLs of its main pages.',
      },
    },
    {
      path: '/api/v1/web/pages',
      view: SitePagesView,
      contentOf: ({ baseUrl }) => pagesView(baseUrl, pages()),
      facts: {
        operationId: 'web.pages',
        summary: 'List public pages',
        description: 'Every public page with its title, description and menus, guides last.',
      },
    },
    {
      path: '/api/v1/web/sitemap',
      view: SitemapView,
      contentOf: ({ baseUrl }) => sitemapView(baseUrl, pages()),
      facts: {
        operationId: 'web.sitemap',
        summary: 'Get the sitemap as data',
        description: 'The same URLs as in `/web/sitemap.xml`.',
      },
    },
  ];
  for (const { path, view, contentOf, facts } of routes) {
    const answerOf = memoizeByObject((now: SiteFacts) => ({
      content: JSON.stringify(view.parse(contentOf(now))),
      type: 'application/json; charset=utf-8',
      cacheControl: 'public, max-age=600',
    }));
    const response = { 200: view, 304: z.undefined().describe('Not modified.') };
    app.get(path, { schema: { ...facts, tags: ['web'], response } }, async (request, reply) =>
      sendCacheable(request, reply, answerOf(site())),
    );
  }
};
