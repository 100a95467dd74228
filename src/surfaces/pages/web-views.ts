import { feedKinds, feedNames, feedTypes } from '../../platform/ui/feeds.ts';
import type { SiteFacts } from './facts.ts';
import type { ListedPage } from './page-list.ts';
import type { SitePagesView, SiteView, SitemapView } from './schemas.web.ts';
import { sitemapEntries } from './sitemap.ts';
import { texts } from './texts/en/web.ts';

const feeds = [
  { title: texts.feeds.changelog, path: '/developer/changelog/feed' },
  { title: texts.feeds.status, path: '/status/feed' },
];

export interface SiteViewFacts {
  site: () => SiteFacts;
  version: string;
}

/** Facts about the site, with absolute URLs. */
export function siteView(site: SiteFacts, { version }: Omit<SiteViewFacts, 'site'>): SiteView {
  const { appName, baseUrl, contactEmail, legalName, legalAddress = null, isSignupOpen } = site;
  const at = (path: string): string => `${baseUrl}${path}`;
  return {
    name: appName,
    base_url: baseUrl,
    version,
    languages: ['en'],
    contact: contactEmail === undefined ? null : { email: contactEmail },
    operator: { name: legalName, address: legalAddress },
    links: {
      home: at('/'),
      documentation: at('/docs'),
      developers: at('/developer/'),
      guides: at('/developer/guides'),
      api: at('/api/'),
      api_reference: at('/developer/reference'),
      openapi: at('/api/openapi.json'),
      asyncapi: at('/realtime/asyncapi.json'),
      graphql: at('/api/graphql/'),
      mcp: at('/api/v2/mcp/'),
      status: at('/status'),
      pricing: at('/pricing'),
      sign_in: at('/login'),
      sign_up: isSignupOpen ? at('/signup') : null,
      terms: at('/terms'),
      privacy: at('/privacy'),
      data_policy: at('/data-policy'),
      sitemap: at('/web/sitemap.xml'),
      robots: at('/robots.txt'),
      llms: at('/llms.txt'),
      security: contactEmail === undefined ? null : at('/.well-known/security.txt'),
    },
    feeds: feeds.flatMap(({ title, path }) =>
      feedKinds.map((kind) => ({
        title: `${title} (${feedNames[kind]})`,
        type: feedTypes[kind],
        url: at(`${path}.${kind}`),
      })),
    ),
  };
}

/** Every public page. */
export const pagesView = (baseUrl: string, pages: readonly ListedPage[]): SitePagesView => ({
  data: pages.map(({ path, title, description, lastModified, menus, isInSitemap }) => ({
    path,
    url: `${baseUrl}${path}`,
    title,
    description,
    last_modified: lastModified ?? null,
    menus,
    in_sitemap: isInSitemap,
  })),
  total: pages.length,
});

/** The sitemap as data. */
export function sitemapView(baseUrl: string, pages: readonly ListedPage[]): SitemapView {
  const entries = sitemapEntries(baseUrl, pages);
  return {
    data: entries.map(({ loc, lastModified }) => ({ loc, last_modified: lastModified ?? null })),
    total: entries.length,
    xml: `${baseUrl}/web/sitemap.xml`,
  };
}
