import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { sendCacheable } from '../../platform/http/etag.ts';
import { configurePageScope, sendFormAgain } from '../../platform/ui/page-scope.ts';
import { type SiteLayout, sendPage } from '../../platform/ui/pages.tsx';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import { RequestValidationError, valueError } from '../../platform/validation/validation-error.ts';
import type { DeliverabilityContext } from './compose.ts';
import {
  demoAgainPage,
  type DemoErrors,
  type DemoForm,
  demoPage,
  demoResultPage,
} from './pages.tsx';
import { countryOf, formatCountries } from './postal-codes.ts';
import { type CheckView, DemoBody } from './schemas.ts';
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
  deliverability: DeliverabilityContext['deliverability'],
  { zip, country }: DemoForm,
): Promise<CheckView | undefined> {
  if (zip.length > maxLength || errorsOf({ zip, country }) !== undefined) return undefined;
  return deliverability.check({ postalCode: zip, country, cod: false });
}

const refusalOf = (errors: DemoErrors) =>
  new RequestValidationError(
    Object.entries(errors).map(([field, text]) => valueError(['body', field], text)),
  );

/** The public page that demonstrates the check. */
export const deliverabilityPages: FastifyPluginAsyncZod<
  Pick<DeliverabilityContext, 'deliverability'> & { siteLayout: SiteLayout }
> = async (app, { deliverability, siteLayout }) => {
  configurePageScope(app, {
    layout: siteLayout,
    back: { href: '/demo/deliverability/', text: texts.title },
    isPublic: true,
    errorPages: 'for browsers',
  });
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
      const { zip, country } = request.body;
      const shown = { zip: zip.trim(), country: countryOf(country.trim()) };
      const result = await check(deliverability, shown);
      if (result?.valid_format === true)
        return sendPage(reply, siteLayout(demoResultPage(shown, result)));
      const errors = errorsOf(shown) ?? { zip: texts.errors.zip };
      return sendFormAgain(refusalOf(errors), request, reply, () =>
        siteLayout(demoAgainPage(shown, errors)),
      );
    },
  );
};
