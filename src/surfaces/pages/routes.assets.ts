import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Assets } from '../../platform/ui/assets.ts';
import type { SiteFacts } from './facts.ts';

/** The manifest of the site. */
export const siteAssetRoutes: FastifyPluginAsyncZod<{
  site: Pick<SiteFacts, 'appName'>;
  assets: Assets;
}> = async (app, { site, assets }) => {
  const hidden = (operationId: string, summary: string) => ({
    schema: { operationId, summary, tags: ['pages'], hide: true },
  });
  const manifest = JSON.stringify({
    name: site.appName,
    short_name: site.appName,
    start_url: '/',
    display: 'browser',
    lang: 'en',
    theme_color: '#0b57d0',
    background_color: '#ffffff',
    icons: [
      { src: assets.path('icon.svg'), sizes: 'any', type: 'image/svg+xml' },
      { src: '/favicon.ico', sizes: '32x32', type: 'image/x-icon' },
    ],
  });
  app.get('/site.webmanifest', hidden('pages.manifest', 'Web app manifest'), (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=86400')
      .type('application/manifest+json')
      .send(manifest),
  );
};
