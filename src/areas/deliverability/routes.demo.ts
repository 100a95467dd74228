import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { sendCacheable } from '../../platform/http/etag.ts';
import { asPages, sendFormAgain } from '../../platform/ui/page-scope.ts';
import { type SiteLayout, sendPage } from '../../platform/ui/pages.ts';
import { limit } from '../../platform/http/rate-limit.ts';
import { RequestValidationError, valueError } from '../../platform/validation/validation-error.ts';
import type { Deliverability } from './checking.ts';
import { demoAgainPage, type DemoErrors, demoPage, demoResultPage } from './demo-page.ts';
import { countryOf, formatCountries } from './postal-codes.ts';
import { DemoBody } from './schemas.ts';

const tags = ['pages', 'deliverability'];
const cacheControl = 'public, max-age=300';
const type = 'text/html; charset=utf-8';
const page = { content: { 'text/html': { schema: z.string() } } };
const longest = 16;

function errorsOf(zip: string, country: string, isMalformed: boolean): DemoErrors | undefined {
  if (!formatCountries.includes(country))
    return { country: 'Choose one of the countries of the list.' };
  if (zip === '') return { zip: 'Enter a postal code.' };
  return isMalformed ? { zip: 'This is no postal code of the chosen country.' } : undefined;
}

const refusalOf = (errors: DemoErrors) =>
  new RequestValidationError(
    Object.entries(errors).map(([field, text]) => valueError(['body', field], text)),
  );

/** The page that shows what the check does. */
export const deliverabilityDemoRoutes: FastifyPluginAsyncZod<{
  deliverability: Deliverability;
  siteLayout: SiteLayout;
}> = async (app, { deliverability, siteLayout }) => {
  asPages(app, {
    layout: siteLayout,
    back: { href: '/demo/deliverability/', text: 'Check a postal code' },
    isPublic: true,
    errorPages: 'for browsers',
  });
  const empty = { content: siteLayout(demoPage), type, cacheControl };

  app.get(
    '/demo/deliverability',
    {
      schema: {
        operationId: 'deliverabilityDemo.form',
        summary: 'Page to check a postal code',
        description:
          'Says whether a postal code is well-formed, exists and is served. Works without scripts.',
        tags,
        response: { 200: page, 304: z.undefined().describe('Nothing has changed.') },
      },
    },
    async (request, reply) => sendCacheable(request, reply, empty),
  );

  app.post(
    '/demo/deliverability',
    {
      bodyLimit: 4096,
      config: {
        rateLimit: limit({ max: 60, seconds: 60, failOpen: true, group: 'deliverability-demo' }),
      },
      schema: {
        operationId: 'deliverabilityDemo.check',
        summary: 'Check a postal code on the page',
        description:
          'Browsers get the form again with what is wrong beside its field, status 422; programs the list of what is wrong.',
        tags,
        consumes: ['application/x-www-form-urlencoded'],
        body: DemoBody,
        response: { 200: page },
      },
    },
    async (request, reply) => {
      void reply.header('cache-control', 'no-store');
      const shown = {
        zip: request.body.zip.trim(),
        country: countryOf(request.body.country.trim()),
      };
      const isAskable =
        shown.zip.length <= longest && errorsOf(shown.zip, shown.country, false) === undefined;
      const result = isAskable
        ? await deliverability.check({ postalCode: shown.zip, country: shown.country, cod: false })
        : undefined;
      if (result?.valid_format === true)
        return sendPage(reply, siteLayout(demoResultPage(shown, result)));
      const errors = errorsOf(shown.zip, shown.country, true) ?? {};
      return sendFormAgain(refusalOf(errors), request, reply, () =>
        siteLayout(demoAgainPage(shown, errors)),
      );
    },
  );
};
