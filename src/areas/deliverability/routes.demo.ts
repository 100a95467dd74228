import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { sendCacheable } from '../../platform/http/etag.ts';
import { configurePageScope, sendFormAgain } from '../../platform/ui/page-scope.ts';
import { type SiteLayout, sendPage } from '../../platform/ui/pages.tsx';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import type { ZodApp } from '../../platform/http/zod-app.ts';
import { RequestValidationError, valueError } from '../../platform/validation/validation-error.ts';
import type { Deliverability } from './checking.ts';
import {
  demoAgainPage,
  type DemoErrors,
  type DemoForm,
  demoPage,
  demoResultPage,
} from './demo-page.tsx';
import { countryOf, formatCountries } from './postal-codes.ts';
import { DemoBody } from './schemas.demo.ts';
import type { CheckView } from './schemas.ts';
import { texts } from './texts/en.ts';

const tags = ['pages', 'deliverability'];
const cacheControl = 'public, max-age=300';
const type = 'text/html; charset=utf-8';
const page = { content: { 'text/html': { schema: z.string() } } };
const maxLength = 16;

function errorsOf({ zip, country }: DemoForm): DemoErrors | undefined {
  if (!formatCountries.includes(country)) return { country: texts.errors.country };
  return zip === '' ? { zip: texts.errors.zipMissing } : undefined;
}

/** Returns undefined for input that can't be a code, without a query to the store. */
async function check(
  deliverability: Deliverability,
  { zip, country }: DemoForm,
): Promise<CheckView | undefined> {
  if (zip.length > maxLength || errorsOf({ zip, country }) !== undefined) return undefined;
  return deliverability.check({ postalCode: zip, country, cod: false });
}

const refusalOf = (errors: DemoErrors) =>
  new RequestValidationError(
    Object.entries(errors).map(([field, text]) => valueError(['body', field], text)),
  );

interface DemoOptions {
  deliverability: Deliverability;
  siteLayout: SiteLayout;
}

function formRoute(app: ZodApp, { siteLayout }: DemoOptions): void {
  const emptyForm = { content: siteLayout(demoPage), type, cacheControl };

  app.get(
    '/demo/deliverability',
    {
      schema: {
        operationId: 'deliverabilityDemo.form',
        summary: 'Postal code check page',
        description: 'Form that checks whether a postal code is well-formed, exists and is served.',
        tags,
        response: { 200: page, 304: z.undefined().describe('Not modified.') },
      },
    },
    async (request, reply) => sendCacheable(request, reply, emptyForm),
  );
}

function checkRoute(app: ZodApp, { deliverability, siteLayout }: DemoOptions): void {
  app.post(
    '/demo/deliverability',
    {
      bodyLimit: 4096,
      config: {
        rateLimit: limit({ max: 60, seconds: 60, failOpen: true, group: 'deliverability-demo' }),
      },
      schema: {
        operationId: 'deliverabilityDemo.check',
        summary: 'Submit the postal code check',
        description:
          'On invalid input, browsers get the form with error messages (422); API ' +
          'clients get the validation errors.',
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
      const result = await check(deliverability, shown);
      if (result?.valid_format === true)
        return sendPage(reply, siteLayout(demoResultPage(shown, result)));
      const errors = errorsOf(shown) ?? { zip: texts.errors.zip };
      return sendFormAgain(refusalOf(errors), request, reply, () =>
        siteLayout(demoAgainPage(shown, errors)),
      );
    },
  );
}

/** The public page that demonstrates the check. */
export const deliverabilityDemoRoutes: FastifyPluginAsyncZod<DemoOptions> = async (
  app,
  options,
) => {
  configurePageScope(app, {
    layout: options.siteLayout,
    back: { href: '/demo/deliverability/', text: texts.title },
    isPublic: true,
    errorPages: 'for browsers',
  });
  formRoute(app, options);
  checkRoute(app, options);
};
