import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { sendCacheable } from '../../platform/http/etag.ts';
import { allowScript, configurePageScope } from '../../platform/ui/page-scope.ts';
import type { Assets } from '../../platform/ui/assets.ts';
import type { SiteLayout } from '../../platform/ui/pages.tsx';
import { loadWebScript } from '../../platform/ui/web-script.ts';
import { cmykDocsPage, cmykPage } from './cmyk-pages.tsx';
import { dataPolicyPage } from './data-policy-page.tsx';
import { docsPage, type GuideEntry } from './docs-page.tsx';
import { homePage } from './home-page.tsx';
import { installPage } from './install-page.tsx';
import type { PublicPage } from './page-parts.tsx';
import { privacyPage } from './privacy-page.tsx';
import { siteAssetRoutes } from './routes.assets.ts';
import { machineRoutes, type MachineRoutesOptions } from './routes.machines.ts';
import { termsPage } from './terms-page.tsx';
import { texts } from './texts/en/site.ts';

export interface SiteRoutesOptions extends MachineRoutesOptions {
  siteLayout: SiteLayout;
  assets: Assets;
  library: { guides: () => readonly GuideEntry[] };
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

/** The public pages. Each is rendered once at startup, and is the same for everyone. */
const pageRoutes: FastifyPluginAsyncZod<SiteRoutesOptions> = async (
  app,
  { site, siteLayout, library, webFolder },
) => {
  configurePageScope(app, {
    layout: siteLayout,
    back: { href: '/', text: texts.errors.goHome },
    isPublic: true,
  });
  const messages = await loadWebScript(webFolder, 'global-message-handler.js');

  function answerWith(page: PublicPage, operation: string, summary: string): void {
    const answer = { content: siteLayout(page), type, cacheControl };
    const schema = {
      operationId: `sitePages.${operation}`,
      summary,
      description: page.description,
      tags,
      response,
    };
    app.get(page.path, { schema }, async (request, reply) =>
      sendCacheable(request, page.script === undefined ? reply : allowScript(reply), answer),
    );
  }

  answerWith(homePage(site), 'home', 'Home page');
  answerWith(installPage(site, messages), 'install', 'Installation page');
  answerWith(docsPage(site, library.guides()), 'docs', 'Documentation page');
  answerWith(privacyPage(site), 'privacy', 'Privacy notice');
  answerWith(dataPolicyPage(site), 'data_policy', 'Data policy page');
  answerWith(termsPage(site), 'terms', 'Terms of use');
  answerWith(cmykPage(site), 'cmyk', 'cmyk page');
  answerWith(cmykDocsPage(site), 'cmyk_docs', 'cmyk documentation page');
};

/** The site: its public pages, their assets, and its files for programs. */
export const siteRoutes: FastifyPluginAsyncZod<SiteRoutesOptions> = async (app, options) => {
  app.register(siteAssetRoutes, options);
  app.register(machineRoutes, options);
  app.register(pageRoutes, options);
};
