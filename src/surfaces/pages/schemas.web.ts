import { z } from 'zod';
import { emailForm } from '../../lib/identifiers.ts';

const url = z.url();
const date = z.iso.date().nullable().describe('Null if it is not recorded.');

const links = z.object({
  home: url,
  documentation: url,
  developers: url,
  guides: url,
  api: url.describe('Index of the API.'),
  api_reference: url,
  openapi: url,
  asyncapi: url,
  graphql: url,
  mcp: url,
  status: url,
  pricing: url,
  sign_in: url,
  sign_up: url.nullable().describe('Null while sign-up is closed.'),
  terms: url,
  privacy: url,
  data_policy: url,
  sitemap: url,
  robots: url,
  llms: url.describe('List of the guides for language models (llmstxt.org).'),
  security: url.nullable().describe('security.txt (RFC 9116). Null without a contact address.'),
});

export const SiteView = z
  .object({
    name: z.string().meta({ examples: ['Platform Service'] }),
    base_url: url,
    version: z.string().meta({ examples: ['0.1.0'] }),
    languages: z
      .array(z.string())
      .describe('Languages of the pages (BCP 47).')
      .meta({ examples: [['en']] }),
    contact: z
      .object({ email: z.email({ pattern: emailForm }) })
      .nullable()
      .describe('Null if no contact address is configured.'),
    operator: z
      .object({
        name: z.string().meta({ examples: ['Example Ltd'] }),
        address: z
          .string()
          .nullable()
          .meta({ examples: ['1 Example Street, 10115 Berlin, Germany'] }),
      })
      .describe('Who provides the service.'),
    links,
    feeds: z.array(
      z.object({
        title: z.string().meta({ examples: ['Changelog (Atom)'] }),
        type: z.string().meta({ examples: ['application/atom+xml'] }),
        url,
      }),
    ),
  })
  .meta({ id: 'Site', description: 'Facts about the public site, and where to find things.' });
export type SiteView = z.output<typeof SiteView>;

export const SitePagesView = z
  .object({
    data: z.array(
      z.object({
        path: z.string().meta({ examples: ['/privacy'] }),
        url,
        title: z.string().meta({ examples: ['Privacy'] }),
        description: z.string().meta({ examples: ['What is stored about you, and how long.'] }),
        last_modified: date,
        menus: z
          .array(z.enum(['main', 'account', 'footer']))
          .describe('The menus that link to the page.')
          .meta({ examples: [['footer']] }),
        in_sitemap: z.boolean(),
      }),
    ),
    total: z.int(),
  })
  .meta({ id: 'SitePageList', description: 'Every public page.' });
export type SitePagesView = z.output<typeof SitePagesView>;

export const SitemapView = z
  .object({
    data: z.array(z.object({ loc: url, last_modified: date })),
    total: z.int(),
    xml: url.describe('The same as XML (sitemaps.org 0.9).'),
  })
  .meta({ id: 'Sitemap', description: 'The pages that search engines should find.' });
export type SitemapView = z.output<typeof SitemapView>;
