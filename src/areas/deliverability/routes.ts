import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import { answerWith } from '../../platform/http/security.ts';
import { RequestValidationError } from '../../platform/validation/validation-error.ts';
import type { Deliverability } from './checking.ts';
import { CheckQuery, CheckView, ShortCheckQuery, ShortCheckView } from './schemas.ts';

const tags = ['deliverability'];
const config = {
  rateLimit: limit({ max: 300, seconds: 60, failOpen: true, group: 'deliverability' }),
};

/** Public checks of whether parcels are delivered to a postal code. */
export const deliverabilityRoutes: FastifyPluginAsyncZod<{
  deliverability: Deliverability;
}> = async (app, { deliverability }) => {
  answerWith(app, { 'cache-control': 'no-store' });

  app.get(
    '/api/v1/deliverability',
    {
      config,
      schema: {
        operationId: 'deliverability.check',
        summary: 'Check whether a postal code is served',
        description:
          'Reports separately whether the code is well-formed (`valid_format`), exists ' +
          '(`known`) and is served (`deliverable`).',
        tags,
        querystring: CheckQuery,
        response: { 200: CheckView },
      },
    },
    ({ query: { postal_code: code, zip, country, weight_g: weight, cod } }) => {
      const postalCode = code ?? zip;
      if (postalCode === undefined)
        throw new RequestValidationError([
          { type: 'missing', loc: ['query', 'postal_code'], msg: 'Field required', input: null },
        ]);
      return deliverability.check({ postalCode, country, weight, cod });
    },
  );

  app.get(
    '/min/core/zipcodedeliverability',
    {
      config,
      schema: {
        operationId: 'zipDeliverability.check',
        summary: 'Check a postal code (short path)',
        description: 'Like `deliverability.check`, but the postal code is optional.',
        tags,
        querystring: ShortCheckQuery,
        response: { 200: ShortCheckView },
      },
    },
    async ({
      method,
      query: { postal_code: code = '', zip = '', country, weight_g: weight, cod },
    }) => {
      const postalCode = code === '' ? zip : code;
      return {
        method,
        ...(await deliverability.check({
          postalCode: postalCode === '' ? undefined : postalCode,
          country,
          weight,
          cod,
        })),
      };
    },
  );
};
