import { memoizeByObject } from '../../lib/memoize.ts';
import type { Brand, BrandReader } from '../../platform/brand/brand.ts';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { navigationErrors } from '../../platform/ui/error-pages.tsx';
import type { SiteLayout } from '../../platform/ui/pages.tsx';
import { changeResponseHeaders, scriptedPagePolicy } from '../../platform/http/security.ts';
import type { GuideLibrary } from './guide-library.ts';
import type { Surroundings } from './pages.tsx';
import { assetRoutes } from './routes.assets.ts';
import { texts } from './texts/en/pages.ts';
import { guideRoutes } from './routes.guides.ts';
import { overviewRoutes } from './routes.overview.ts';
import { referenceRoutes } from './reference/routes.reference.ts';

export interface DeveloperRoutesOptions {
  library: GuideLibrary;
  siteLayout: SiteLayout;
  brand: BrandReader;
  /** Public URL of this server, without a trailing slash. */
  baseUrl: string;
}

/** What all routes of these pages need. */
export interface DeveloperPageContext {
  /** The same object until the brand changes. Created on the first request. */
  surroundings: () => Surroundings;
  layout: SiteLayout;
  baseUrl: string;
}

/** The developer pages: guides, reference, error catalogue, changelog. All are public. */
export const developerRoutes: FastifyPluginAsyncZod<DeveloperRoutesOptions> = async (
  app,
  { library, siteLayout: layout, brand, baseUrl },
) => {
  const indexName = '/assets/developer-search.json';
  const surroundingsOf = memoizeByObject(({ name }: Brand): Surroundings => ({
    library,
    appName: name,
    indexPath: `${indexName}?v=${sha256Hex(library.index()).slice(0, 12)}`,
  }));
  const surroundings = () => surroundingsOf(brand());

  changeResponseHeaders(app, {
    'content-security-policy': scriptedPagePolicy,
    'referrer-policy': 'same-origin',
  });
  app.setErrorHandler(
    navigationErrors({
      layout,
      back: { href: '/developer/', text: texts.back },
      placeOf: () => undefined,
    }),
  );
  const shared: DeveloperPageContext = { surroundings, layout, baseUrl };
  app.register(assetRoutes, { indexName, library });
  app.register(overviewRoutes, shared);
  app.register(guideRoutes, shared);
  app.register(referenceRoutes, shared);
};
