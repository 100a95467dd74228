import { escapeHtml } from '../../lib/text/html.ts';

/** Public pages of other surfaces and areas. */
const otherPaths = [
  '/developer/',
  '/developer/reference',
  '/developer/errors',
  '/developer/changelog',
  '/signup',
  '/contact',
  '/demo/deliverability/',
  '/status',
  '/status/history',
];

/** The sitemap (sitemaps.org 0.9): pages of the site, other public pages, and guides. */
export function sitemap(
  baseUrl: string,
  sitePaths: readonly string[],
  slugs: readonly string[],
): string {
  const paths = [
    ...sitePaths,
    ...otherPaths,
    ...slugs.map((slug) => `/developer/guides/${encodeURIComponent(slug)}`),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${paths.map((path) => `<url><loc>${escapeHtml(`${baseUrl}${path}`)}</loc></url>`).join('\n')}
</urlset>
`;
}

/** robots.txt (RFC 9309). Excludes APIs and personal pages. */
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
