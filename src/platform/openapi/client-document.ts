import { mapInSlices } from '../../lib/concurrency/slices.ts';
import { referencesIn } from './components.ts';
import { type OpenApiDocument, type Operation, partsOf, type Response } from './document.ts';

const responsePrefix = '#/components/responses/';

/** The shapes of all errors: of 422, and of every other status. */
const errorShapes = {
  Problem: { type: 'application/problem+json', schema: 'Problem' },
  ValidationError: { type: 'application/json', schema: 'HTTPValidationError' },
};

const errorResponses = Object.fromEntries(
  Object.entries(errorShapes).map(([name, { type, schema }]): [string, Response] => [
    name,
    {
      description: 'The request was refused, or failed: see `code`.',
      content: { [type]: { schema: { $ref: `#/components/schemas/${schema}` } } },
    },
  ]),
);

type Shared = Readonly<Record<string, Response>>;

const withoutHeaders = ({ headers: _headers, ...response }: Response): Response => response;

/** Whether errors of this response are problem documents or a 422, as almost all are. */
const isUsual = ({ content = {} }: Response): boolean =>
  'application/json' in content || 'application/problem+json' in content;

/** Errors refer to one of their shapes: their examples and texts are not types. */
function answerOf(status: string, response: Response, shared: Shared): Response {
  const resolved = shared[response.$ref?.slice(responsePrefix.length) ?? ''] ?? response;
  if (status < '400' || !isUsual(resolved)) return withoutHeaders(resolved);
  const name = status === '422' ? 'ValidationError' : 'Problem';
  return { $ref: `${responsePrefix}${name}` } as Response;
}

const withoutExamples = (text: string): Operation =>
  JSON.parse(text, (key, value: unknown) =>
    key === 'example' || key === 'examples' ? undefined : value,
  ) as Operation;

function clientOperation(operation: Operation, shared: Shared): Operation {
  const responses = Object.entries(operation.responses).map(
    ([status, each]) => [status, answerOf(status, each, shared)] as const,
  );
  return withoutExamples(
    JSON.stringify({ ...operation, responses: Object.fromEntries(responses) }),
  );
}

const isForPrograms = (operation: Operation): boolean =>
  operation['x-alias-of'] === undefined &&
  operation['x-page'] !== true &&
  operation.tags?.[0] !== 'development';

/** The schemas that the operations refer to, directly or through others. */
function usedSchemas(document: OpenApiDocument): OpenApiDocument['components']['schemas'] {
  const { schemas } = document.components;
  const names = new Set<string>();
  const others = { ...document.components, schemas: {} };
  for (const part of partsOf({ ...document, components: others })) referencesIn(part, names);
  for (const name of names) referencesIn(schemas[name], names);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name)));
}

/**
 * The document for generators of clients, in slices: without pages, aliases and development
 * conveniences, and without examples, headers and texts of errors, from which no type is made.
 */
export async function clientDocumentOf(document: OpenApiDocument): Promise<OpenApiDocument> {
  const shared = document.components.responses ?? {};
  const items = await mapInSlices(Object.entries(document.paths), ([path, item]) => {
    const kept = Object.entries(item).filter(([, operation]) => isForPrograms(operation));
    const operations = kept.map(
      ([method, each]) => [method, clientOperation(each, shared)] as const,
    );
    return [path, Object.fromEntries(operations)] as const;
  });
  const { headers: _headers, ...components } = document.components;
  const smaller: OpenApiDocument = {
    ...document,
    paths: Object.fromEntries(items.filter(([, item]) => Object.keys(item).length > 0)),
    components: { ...components, responses: errorResponses },
  };
  return { ...smaller, components: { ...smaller.components, schemas: usedSchemas(smaller) } };
}
