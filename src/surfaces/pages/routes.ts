import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { memoizeByObject } from '../../lib/memoize.ts';
import type { BrandReader } from '../../platform/brand/brand.ts';
import { sendCacheable } from '../../platform/http/etag.ts';
import { varyOn } from '../../platform/http/vary.ts';
import { allowScript, configurePageScope } from '../../platform/ui/page-scope.ts';
import type { Assets } from '../../platform/ui/assets.ts';
import type { SiteLayout } from '../../platform/ui/pages.tsx';
import { loadWebScript, type WebScript } from '../../platform/ui/web-script.ts';
import { cmykDocsPage, cmykPage } from './cmyk-pages.tsx';
import { dataPolicyPage } from './data-policy-page.tsx';
import { docsPage } from './docs-page.tsx';
import type { SiteFacts } from './facts.ts';
import { homePage } from './home-page.tsx';
import { installPage } from './install-page.tsx';
import { listPages, type Menus, type PageLibrary } from './page-list.ts';
import type { PublicPage } from './page-parts.tsx';
import { privacyPage } from './privacy-page.tsx';
import { siteAssetRoutes } from './routes.assets.ts';
import { machineRoutes, type MachineRoutesOptions } from './routes.machines.ts';
import { webRoutes } from './routes.web.ts';
import { termsPage } from './terms-page.tsx';
import { texts } from './texts/en/site.ts';
import type { SiteViewFacts } from './web-views.ts';

export interface SiteRoutesOptions extends Omit<MachineRoutesOptions, 'pages'>, SiteViewFacts {
  brand: BrandReader;
  siteLayout: SiteLayout;
  assets: Assets;
  menus: (site: SiteFacts) => Menus;
  library: PageLibrary;
  /** The folder of the built scripts of pages. */
  webFolder: URL;
}

const tags = ['pages'];
const cacheControl = 'public, max-age=600';
const type = 'text/html; charset=utf-8';
const response = {
  200: { content: { 'text/html': { schema: z.string() } } },
  304: z.undefined().describe('Not modified.'),
};

interface Rendered {
  page: PublicPage;
  operation: string;
  summary: string;
}

const rendered = (page: PublicPage, operation: string, summary: string): Rendered => ({
  page,
  operation,
  summary,
});

/** The pages of the site itself. */
const sitePages = (
  site: SiteFacts,
  { library }: SiteRoutesOptions,
  messages: WebScript,
): Rendered[] => [
  rendered(homePage(site), 'home', 'Home page'),
  rendered(installPage(site, messages), 'install', 'Installation page'),
  rendered(docsPage(site, library.guides()), 'docs', 'Documentation page'),
  rendered(cmykPage(site), 'cmyk', 'cmyk page'),
  rendered(cmykDocsPage(site), 'cmyk_docs', 'cmyk documentation page'),
  rendered(privacyPage(site), 'privacy', 'Privacy notice'),
  rendered(termsPage(site), 'terms', 'Terms of use'),
  rendered(dataPolicyPage(site), 'data_policy', 'Data policy page'),
];

/** Where people find what a page was for. Crawlers and programs still get the page. */
const moved: Partial<Record<string, string>> = { '/docs': '/developer/' };

interface PageRoutesOptions {
  siteLayout: SiteLayout;
  site: () => SiteFacts;
  pagesOf: (site: SiteFacts) => readonly Rendered[];
}

/** The public pages. Each is rendered once for each brand, and is the same for everyone. */
const pageRoutes: FastifyPluginAsyncZod<PageRoutesOptions> = async (
  app,
  { siteLayout, site, pagesOf },
) => {
  configurePageScope(app, {
    layout: siteLayout,
    back: { href: '/', text: texts.errors.goHome },
    isPublic: true,
  });
  for (const [at, { page, operation, summary }] of pagesOf(site()).entries()) {
    const answerOf = memoizeByObject((now: SiteFacts) => ({
      content: siteLayout(pagesOf(now)[at]?.page ?? page),
      type,
      cacheControl,
    }));
    const schema = {
      operationId: `sitePages.${operation}`,
      summary,
      description: page.description,
      tags,
      response,
    };
    app.get(page.path, { schema }, async (request, reply) => {
      const elsewhere = moved[page.path];
      if (elsewhere !== undefined) {
        varyOn(reply, 'sec-fetch-mode');
        if (request.headers['sec-fetch-mode'] === 'navigate') return reply.redirect(elsewhere, 302);
      }
      return sendCacheable(
        request,
        page.script === undefined ? reply : allowScript(reply),
        answerOf(site()),
      );
    });
  }
};

/** The site: its public pages, their assets, its files for programs, and the pages as data. */
export const siteRoutes: FastifyPluginAsyncZod<SiteRoutesOptions> = async (app, options) => {
  const messages = await loadWebScript(options.webFolder, 'global-message-handler.js');
  const pagesOf = memoizeByObject((now: SiteFacts) => sitePages(now, options, messages));
  const listOf = memoizeByObject((now: SiteFacts) =>
    listPages(
      pagesOf(now).map(({ page }) => page),
      { library: options.library, menus: options.menus(now) },
    ),
  );
  const pages = () => listOf(options.site());
  app.register(siteAssetRoutes, options);
  app.register(machineRoutes, { ...options, pages });
  app.register(webRoutes, { ...options, pages });
  app.register(pageRoutes, { ...options, pagesOf });
};
