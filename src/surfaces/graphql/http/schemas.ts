import { z } from 'zod';
import type { Problem } from '../../../platform/errors/errors.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { graphqlErrors } from '../errors.ts';
import { toGraphqlError } from '../execution/error-formatting.ts';
import { limits } from '../execution/limits.ts';
import { jsonType, responseType } from './negotiation.ts';

export const tags = ['graphql'];

/** Documents problems as GraphQL errors, in OpenAPI. */
function errorMedia(problems: readonly Problem[]) {
  const examples = Object.fromEntries(
    problems.map((problem) => [
      problem.code,
      { value: { errors: [toGraphqlError({ problem, headers: {} })] } },
    ]),
  );
  const media = { schema: { $ref: '#/components/schemas/GraphqlResult' }, examples };
  return { [jsonType]: media, [responseType]: media };
}

export const config = {
  quiet: true,
  costly: true,
  errorMedia,
  rateLimit: limit({ max: 300, seconds: 60, failOpen: true, group: 'graphql' }),
};

const socketErrors = new Set([
  'graphql.needs_http',
  'graphql.too_many_subscriptions',
  'graphql.messages_lost',
  'graphql.too_slow',
]);

/** The codes of errors that a request can get. */
export const errors = [
  'request.unauthenticated',
  ...Object.keys(graphqlErrors)
    .map((name) => `graphql.${name}`)
    .filter((code) => !socketErrors.has(code)),
];

const Answer = z
  .looseObject({
    data: z.record(z.string(), z.unknown()).nullable().optional(),
    errors: z
      .array(
        z.looseObject({
          message: z.string(),
          extensions: z.looseObject({ code: z.string(), status: z.int() }).optional(),
        }),
      )
      .optional(),
  })
  .meta({
    id: 'GraphqlResult',
    description: 'Result of one operation.',
    examples: [{ data: { health: { status: 'ok' } } }],
  });

const query = z
  .string()
  .min(1)
  .max(limits.length)
  .describe('A GraphQL document.')
  .meta({ examples: ['{ health { status } }'] });
const operationNameDescription = 'The operation to run, if the document has several.';
const jsonObject = z
  .string()
  .optional()
  .describe('A JSON object.')
  .meta({ examples: ['{}'] });

const Operation = z
  .object({
    query,
    operationName: z.string().nullable().optional().describe(operationNameDescription),
    variables: z.record(z.string(), z.unknown()).nullable().optional(),
    extensions: z.record(z.string(), z.unknown()).nullable().optional(),
  })
  .meta({ id: 'RunGraphqlOperation', examples: [{ query: '{ components { name status } }' }] });

export const rawBody = z
  .union([Operation, z.array(Operation).min(1).max(limits.batch)])
  .meta({ examples: [{ query: '{ components { name status } }' }] });

export const rawQuery = z.object({
  query: query.optional().describe('A GraphQL document. Without it, browsers get GraphiQL.'),
  operationName: z
    .string()
    .optional()
    .describe(operationNameDescription)
    .meta({ examples: ['Components'] }),
  variables: jsonObject,
  extensions: jsonObject,
});

const answers = { schema: z.union([Answer, z.array(Answer)]) };
const content = { [jsonType]: answers, [responseType]: answers };

export const response = {
  200: {
    description:
      'The result of the operation. For `application/json`, errors in the document are ' +
      'also returned with 200.',
    content: { ...content, 'text/html': { schema: z.string() } },
  },
  '4xx': { description: 'The request was refused.', content },
  '5xx': { description: 'The service could not process the request.', content },
};
