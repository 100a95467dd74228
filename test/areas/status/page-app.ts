import { brandNamed } from '../../support/brand.ts';
import type { FastifyInstance } from 'fastify';
import { publicFileRoutes } from '../../../src/surfaces/pages/routes.public.ts';
import type { StatusState } from '../../../src/areas/status/model.ts';
import { statusFeedRoutes } from '../../../src/areas/status/feeds/routes.ts';
import { statusPageRoutes } from '../../../src/areas/status/pages/routes.ts';
import { toSummary } from '../../../src/areas/status/feeds/statuspage.ts';
import { assetRoutes } from '../../../src/platform/ui/routes.assets.ts';
import { themeStyleRoute } from '../../../src/surfaces/pages/routes.theme.ts';
import { createLayout } from '../../../src/platform/ui/pages.tsx';
import { testAssets } from '../../support/app.ts';
import { createTestHttp, withPublicRoutes } from '../../support/http.ts';
import { noon } from './page-states.ts';

export interface Shown {
  state: StatusState;
  canSubscribe?: boolean;
  appName?: string;
}

/** Serves pages and feeds for a state that the test can change. */
export async function openPages(
  shown: Shown,
  { handler }: { handler?: string } = {},
): Promise<FastifyInstance> {
  const clock = { now: () => noon };
  const { appName = 'Platform Service', canSubscribe = true } = shown;
  const assets = await testAssets();
  const brand = brandNamed(appName);
  const [layout, baseOrigin] = [createLayout(brand, assets), 'https://svc.example'];
  const status = {
    state: () => shown.state,
    summary: () => toSummary(shown.state, { name: appName, baseUrl: baseOrigin }),
  };
  return withPublicRoutes(createTestHttp(), (routes) => {
    routes.register(assetRoutes, { assets });
    routes.register(themeStyleRoute, { brand, guards: { peek: async () => undefined } });
    if (handler !== undefined)
      routes.get('/global-message-handler.js', (_request, reply) =>
        reply.type('text/javascript').send(handler),
      );
    routes.register(statusPageRoutes, {
      status,
      subscriptions: { isOpen: canSubscribe },
      layout,
      brand,
      clock,
    });
    routes.register(statusFeedRoutes, { status, clock, brand, baseOrigin });
    // Browsers request the icon automatically.
    routes.register(publicFileRoutes, {
      publicFolder: new URL('../../../public/', import.meta.url),
    });
  });
}
