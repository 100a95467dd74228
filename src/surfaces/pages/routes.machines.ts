import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { memoizeByObject } from '../../lib/memoize.ts';
import { requestErrors } from '../../platform/errors/errors.ts';
import { type Cacheable, sendCacheable } from '../../platform/http/etag.ts';
import { isNavigation } from '../../platform/http/requests/request-origin.ts';
import { pagePolicy } from '../../platform/http/security.ts';
import type { SiteLayout } from '../../platform/ui/pages.tsx';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import type { SiteFacts } from './facts.ts';
import { PricingView } from '../../areas/payments/schemas.plans.ts';
import type { PlanCatalog } from '../../areas/payments/plan-catalog.ts';
import type { ListedPage } from './page-list.ts';
import { pricingPage } from './pricing-page.tsx';
import { robots, sitemapEntries, sitemapXml } from './sitemap.ts';
import { securityText } from './well-known.ts';

export interface MachineRoutesOptions {
  site: () => SiteFacts;
  plans: Pick<PlanCatalog, 'pricing'>;
  pages: () => readonly ListedPage[];
  siteLayout: SiteLayout;
  clock: Clock;
}

const tags = ['pages'];
const cacheControl = 'public, max-age=3600';
const text = 'text/plain; charset=utf-8';
const responsesOf = (media: string) => ({
  200: { content: { [media]: { schema: z.string() } } },
  304: z.undefined().describe('Not modified.'),
});

const send =
  (content: string, type: string) => async (request: FastifyRequest, reply: FastifyReply) =>
    sendCacheable(request, reply, { content, type, cacheControl });

function registerPricing(
  app: ZodApp,
  { plans: { pricing }, site, siteLayout }: MachineRoutesOptions,
): void {
  const content = JSON.stringify(pricing);
  const answer = { content, type: 'application/json; charset=utf-8', cacheControl };
  const pageOf = memoizeByObject<SiteFacts, Cacheable>(({ isSignupOpen }) => ({
    content: siteLayout(pricingPage(pricing, isSignupOpen)),
    type: 'text/html; charset=utf-8',
    cacheControl: 'public, max-age=600',
  }));
  app.get(
    '/pricing',
    {
      schema: {
        operationId: 'sitePages.pricing',
        summary: 'Get the plans and prices',
        description:
          'The plans that are offered, with their features and limits, as configured with ' +
          '`PLANS`. Sign-up accepts their ids. Browsers get a page.',
        tags,
        response: { 200: PricingView, 304: z.undefined().describe('Not modified.') },
      },
    },
    async (request, reply) => {
      if (!isNavigation(request, reply)) return sendCacheable(request, reply, answer);
      void reply.header('content-security-policy', pagePolicy);
      return sendCacheable(request, reply, pageOf(site()));
    },
  );
}

function registerSitemap(app: ZodApp, { site, pages }: MachineRoutesOptions): void {
  const xml = sitemapXml(sitemapEntries(site().baseUrl, pages()));
  app.get(
    '/web/sitemap.xml',
    {
      schema: {
        operationId: 'sitePages.sitemap',
        summary: 'Get the sitemap as XML',
        returns: 'The sitemap, as XML.',
        description: 'Every public page and guide (sitemaps.org 0.9).',
        tags,
        response: responsesOf('application/xml'),
      },
    },
    send(xml, 'application/xml; charset=utf-8'),
  );
  app.options(
    '/web/sitemap.xml',
    {
      schema: {
        operationId: 'sitePages.sitemap_options',
        summary: 'List the methods allowed for the sitemap',
        description: 'Returned in the `Allow` header.',
        tags,
        response: { 200: z.undefined().describe('No content; see the `Allow` header.') },
      },
    },
    (_request, reply) => reply.header('allow', 'GET, HEAD, OPTIONS').send(),
  );
}

function registerRobots(app: ZodApp, { baseUrl }: SiteFacts): void {
  app.get(
    '/robots.txt',
    {
      schema: {
        operationId: 'sitePages.robots',
        summary: 'Get robots.txt',
        returns: 'The robots.txt file.',
        description: 'Crawling rules (RFC 9309) and the URL of the sitemap.',
        tags,
        response: responsesOf('text/plain'),
      },
    },
    send(robots(baseUrl), text),
  );
}

function registerSecurityText(app: ZodApp, { site, clock }: MachineRoutesOptions): void {
  app.get(
    '/.well-known/security.txt',
    {
      config: { errorPages: 'for browsers' },
      schema: {
        operationId: 'sitePages.security',
        summary: 'Get security.txt',
        returns: 'The security.txt file (RFC 9116).',
        description:
          'Contact for vulnerability reports (RFC 9116). 404 if no contact address is configured.',
        tags,
        errors: ['request.not_found'],
        response: responsesOf('text/plain'),
      },
    },
    async (request, reply) => {
      const content = securityText(site(), clock.now());
      if (content === undefined) throw requestErrors.not_found();
      return sendCacheable(request, reply, { content, type: text, cacheControl });
    },
  );
}

/** The files of the site for programs: prices, sitemap, robots.txt, security.txt. */
export const machineRoutes: FastifyPluginAsyncZod<MachineRoutesOptions> = async (app, options) => {
  registerPricing(app, options);
  registerSitemap(app, options);
  registerRobots(app, options.site());
  registerSecurityText(app, options);
};
