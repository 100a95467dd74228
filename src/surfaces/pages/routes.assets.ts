import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Brand, BrandReader } from '../../platform/brand/brand.ts';
import { brandPicturePath } from '../../platform/brand/mark.ts';
import type { Assets } from '../../platform/ui/assets.ts';

/** The manifest of the site. */
export const siteAssetRoutes: FastifyPluginAsyncZod<{
  brand: BrandReader;
  assets: Assets;
}> = async (app, { brand, assets }) => {
  const hidden = (operationId: string, summary: string) => ({
    schema: { operationId, summary, tags: ['pages'], hide: true },
  });
  const manifestOf = (now: Brand) => ({
    name: now.name,
    short_name: now.name,
    start_url: '/',
    display: 'browser',
    lang: 'en',
    theme_color: now.colors.accent[0],
    background_color: '#ffffff',
    icons:
      now.logo === undefined
        ? [{ src: brandPicturePath(now, assets), sizes: 'any', type: 'image/svg+xml' }]
        : [
            {
              src: brandPicturePath(now, assets),
              sizes: `${now.logo.width}x${now.logo.height}`,
              type: 'image/png',
            },
          ],
  });
  app.get('/site.webmanifest', hidden('pages.manifest', 'Web app manifest'), (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('application/manifest+json')
      .send(JSON.stringify(manifestOf(brand()))),
  );
};
