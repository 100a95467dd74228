import { escapeHtml } from '../../lib/text/html.ts';

/** Pages for everybody that other areas answer. */
const others = [
  '/developer/',
  '/developer/reference',
  '/developer/errors',
  '/developer/changelog',
  '/signup',
  '/demo/deliverability/',
  '/status',
  '/status/history',
];

/** The sitemap (sitemaps.org 0.9): the site's pages, those of other areas, and the guides. */
export function sitemap(baseUrl: string, own: readonly string[], slugs: readonly string[]): string {
  const paths = [
    ...own,
    ...others,
    ...slugs.map((slug) => `/developer/guides/${encodeURIComponent(slug)}`),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${paths.map((path) => `<url><loc>${escapeHtml(`${baseUrl}${path}`)}</loc></url>`).join('\n')}
</urlset>
`;
}

/** What robots leave alone (RFC 9309): what is not there to be read, or belongs to one person. */
export const robots = (baseUrl: string): string => `User-agent: *
Allow: /api/docs
Disallow: /account
Disallow: /analytics/
Disallow: /api/
Disallow: /auth/
Disallow: /realtime/
Disallow: /ws/

Sitemap: ${baseUrl}/web/sitemap.xml
`;
