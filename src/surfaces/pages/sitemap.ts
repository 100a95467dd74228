import { escapeHtml } from '../../lib/text/html.ts';
import type { ListedPage } from './page-list.ts';

export interface SitemapEntry {
  /** The URL. */
  loc: string;
  lastModified: string | undefined;
}

/** The pages that search engines should find, as absolute URLs. */
export const sitemapEntries = (baseUrl: string, pages: readonly ListedPage[]): SitemapEntry[] =>
  pages
    .filter(({ isInSitemap }) => isInSitemap)
    .map(({ path, lastModified }) => ({ loc: `${baseUrl}${path}`, lastModified }));

/** The sitemap as XML (sitemaps.org 0.9). */
export const sitemapXml = (entries: readonly SitemapEntry[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.map(({ loc }) => `<url><loc>${escapeHtml(loc)}</loc></url>`).join('\n')}
</urlset>
`;

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
