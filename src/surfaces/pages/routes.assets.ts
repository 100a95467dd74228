import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { sendCacheable } from '../../platform/http/etag.ts';
import { siteIconPath, siteStylePath } from '../../platform/ui/pages.tsx';
import { siteIcon } from '../../platform/ui/site-icon.ts';
import { siteStyle } from '../../platform/ui/site-style.ts';
import type { SiteFacts } from './facts.ts';

const oneYear = 31_536_000;
const immutableHeaders = { 'cache-control': `public, max-age=${oneYear}, immutable` };

/** The style sheet, icon and manifest of the site. */
export const siteAssetRoutes: FastifyPluginAsyncZod<{ site: Pick<SiteFacts, 'appName'> }> = async (
  app,
  { site },
) => {
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
      { src: siteIconPath, sizes: 'any', type: 'image/svg+xml' },
      { src: '/favicon.ico', sizes: '32x32', type: 'image/x-icon' },
    ],
  });
  const style = {
    content: siteStyle,
    type: 'text/css; charset=utf-8',
    cacheControl: immutableHeaders['cache-control'],
  };
  app.get(siteStylePath, hidden('pages.site_style', 'Style sheet of the site'), (request, reply) =>
    sendCacheable(request, reply, style),
  );
  app.get(siteIconPath, hidden('pages.site_icon', 'Mark of the site'), (_request, reply) =>
    reply.headers(immutableHeaders).type('image/svg+xml').send(siteIcon),
  );
  app.get('/site.webmanifest', hidden('pages.manifest', 'Web app manifest'), (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=86400')
      .type('application/manifest+json')
      .send(manifest),
  );
};
