import type { FastifyInstance } from 'fastify';
import type { Scopes } from '../../platform/http/access.ts';
import { refuseRepeatedMembers } from '../../platform/http/body-parsers.ts';
import { assetRoutes } from '../../platform/ui/routes.assets.ts';
import {
  themeFormRoute,
  type ThemeRoutesOptions,
  type ThemeStyleOptions,
  themeStyleRoute,
} from './routes.theme.ts';
import { strayPage } from './not-found-page.tsx';
import { publicFileRoutes, type PublicFileRoutesOptions } from './routes.public.ts';
import { siteRoutes, type SiteRoutesOptions } from './routes.ts';

type SiteServices = SiteRoutesOptions &
  PublicFileRoutesOptions &
  ThemeRoutesOptions &
  ThemeStyleOptions & { scopes: Scopes };

/** Registers the public site and its files. Call it last: files must not take paths of routes. */
export function registerSite(app: FastifyInstance, services: SiteServices): void {
  app.describeTag('pages', 'HTML pages.');
  app.describeTag('web', 'The public site as data: facts, pages and sitemap.');
  const { scopes, siteLayout, publicFolder } = services;
  app.strayPage = (problem) => siteLayout(strayPage(problem));
  scopes.public(app, (everybody) => {
    everybody.register(assetRoutes, services);
    everybody.register(themeStyleRoute, services);
    everybody.register(siteRoutes, services);
  });
  scopes.sameOrigin(app, (forms) => {
    refuseRepeatedMembers(forms);
    forms.register(themeFormRoute, services);
  });
  scopes.public(app, (everybody) => {
    everybody.register(publicFileRoutes, { publicFolder });
  });
}
