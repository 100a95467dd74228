import type { FastifyInstance } from 'fastify';
import type { Scopes } from '../../platform/http/access.ts';
import { formAssets } from '../../platform/ui/form-style.ts';
import { pageAssets } from '../../platform/ui/page-scope.ts';
import { strayPage } from './not-found-page.tsx';
import { publicFileRoutes, type PublicFileRoutesOptions } from './routes.public.ts';
import { siteRoutes, type SiteRoutesOptions } from './routes.ts';

type SiteServices = SiteRoutesOptions & PublicFileRoutesOptions & { scopes: Scopes };

/** Registers the public site and its files. Call it last: files must not take paths of routes. */
export function registerSite(app: FastifyInstance, services: SiteServices): void {
  app.describeTag('pages', 'Pages for people.');
  const { scopes, siteLayout, publicFolder } = services;
  app.strayPage = (problem) => siteLayout(strayPage(problem));
  scopes.public(app, (everybody) => {
    everybody.register(pageAssets);
    everybody.register(formAssets);
    everybody.register(siteRoutes, services);
  });
  scopes.public(app, (everybody) => {
    everybody.register(publicFileRoutes, { publicFolder });
  });
}
