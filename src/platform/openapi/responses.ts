import { STATUS_CODES } from 'node:http';
import type { Problem } from '../errors/errors.ts';
import { validationBody } from '../http/error-handler.ts';
import {
  type Media,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  type Parameter,
  type Response,
} from './document.ts';
import type { OperationFacts } from './operation-facts.ts';

const number = { type: 'integer', format: 'int32', minimum: 0, maximum: 2_147_483_647 };
const text = { type: 'string', maxLength: 512 };

const headers = {
  'RateLimit-Limit': {
    description: 'Requests that a client can make in the current window.',
    schema: number,
    example: 120,
  },
  'RateLimit-Remaining': {
    description: 'Requests left in the current window.',
    schema: number,
    example: 119,
  },
  'RateLimit-Reset': {
    description: 'Seconds until the window resets.',
    schema: number,
    example: 60,
  },
  'Retry-After': {
    description: 'Seconds to wait before retrying (RFC 9110 §10.2.3).',
    schema: number,
    example: 60,
  },
  'WWW-Authenticate': {
    description:
      'The accepted credentials, and what was wrong with the ones sent (RFC 9110 §11.6.1).',
    schema: text,
    example: 'Bearer realm="svc", error="invalid_token"',
  },
  Location: {
    description: 'URL to redirect to.',
    schema: { type: 'string', format: 'uri-reference', maxLength: 2048 },
    example: 'https://platform.example/account',
  },
};

const headerReferences = (...names: (keyof typeof headers)[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
const page = {
  'text/html': { schema: { type: 'string' }, example: '<!DOCTYPE html>\n<html lang="en">…</html>' },
};
const validationExample = {
  detail: [{ type: 'missing', loc: ['body', 'name'], msg: 'Field required', input: {} }],
  code: 'request.validation',
  request_id: '0f4c1a52e1b76d38',
};

/** Every 422 has FastAPI's shape; `code` says whether a schema has failed. */
function validationMedia(problems: readonly Problem[]): Record<string, Media> {
  const schema = { $ref: '#/components/schemas/HTTPValidationError' };
  if (problems.length === 0) return { 'application/json': { schema, example: validationExample } };
  const examples = problems.map(
    (problem) => [problem.code, { value: validationBody(problem) }] as const,
  );
  return {
    'application/json': {
      schema,
      examples: Object.fromEntries([['missing', { value: validationExample }], ...examples]),
    },
  };
}

function problemMedia(problems: readonly Problem[]): Record<string, Media> {
  const schema = { $ref: '#/components/schemas/Problem' };
  return {
    'application/problem+json': {
      schema,
      examples: Object.fromEntries(problems.map((problem) => [problem.code, { value: problem }])),
    },
  };
}

function headersOf(status: number, isLimited: boolean): Record<string, object> {
  return {
    ...(isLimited && status < 500
      ? headerReferences('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset')
      : {}),
    ...(status === 429 || status === 503 ? headerReferences('Retry-After') : {}),
    ...(status === 401 ? headerReferences('WWW-Authenticate') : {}),
    ...(status === 303 ? headerReferences('Location') : {}),
  };
}

function errorResponse(
  status: number,
  { errors, errorPages, errorMedia, isValidated }: OperationFacts,
): Response {
  const problems = errors[status] ?? [];
  const isSchemaError = status === 422 && isValidated;
  const lines = [
    ...(isSchemaError ? ['The request does not match its schema.'] : []),
    ...problems.map(({ code, detail }) => `\`${code}\`: ${detail}`),
  ];
  const documents =
    errorMedia?.[status] ?? (status === 422 ? validationMedia(problems) : problemMedia(problems));
  // API clients get a 422 as JSON even where all other errors are pages.
  const isAlsoJson = status === 422 && errorPages === 'always';
  const forms = { always: page, 'for browsers': { ...documents, ...page }, never: documents };
  return {
    description: lines.length === 1 ? lines.join('') : lines.map((line) => `- ${line}`).join('\n'),
    content: forms[isAlsoJson ? 'for browsers' : errorPages],
  };
}

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    description:
      'A unique value, such as a UUID, to retry safely: a repeated request gets the first ' +
      'response again, for 24 hours, or one hour without signing in.',
  },
  example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
};

/** Adds the content types of a generic response to those that the operation declares. */
function mergeResponses(declared: Response | undefined, added: Response): Response {
  return declared === undefined
    ? added
    : { ...declared, content: { ...declared.content, ...added.content } };
}

function showExamples(
  { requestBody, responses }: Operation,
  { body, answer }: OperationFacts['examples'],
): void {
  const show = (media: Media | undefined, example: unknown) => {
    if (media !== undefined && example !== undefined) media.example = example;
  };
  show(requestBody?.content['application/json'], body);
  show(responses[200]?.content?.['application/json'], answer);
}

/** What `@fastify/swagger` writes for a response without a description. */
const undescribed = 'Default Response';

/** Describes a response by the route, else by its schema, else as a page. */
function describeResponse(
  status: number,
  { content = {} }: Response,
  returns: string | undefined,
  schemas: OpenApiDocument['components']['schemas'],
): string {
  if (returns !== undefined && status < 300) return returns;
  for (const { schema = {} } of Object.values(content)) {
    const { description } = schema.$ref
      ? (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
      : schema;
    if (description !== undefined) return description;
  }
  if (!('text/html' in content)) return undescribed;
  return status < 400 ? 'The page, as HTML.' : 'The page, with an error message.';
}

function complete(operation: Operation, schemas: OpenApiDocument['components']['schemas']): void {
  const facts = operation['x-facts'];
  delete operation['x-facts'];
  if (facts === undefined) return;
  const { responses, requestBody } = operation;
  showExamples(operation, facts.examples);
  for (const [status, response] of Object.entries(responses)) {
    if (response.description === undescribed)
      response.description = describeResponse(Number(status), response, facts.returns, schemas);
  }
  if (facts.limit !== undefined) operation['x-rate-limit'] = facts.limit;
  if (facts.isIdempotent) operation.parameters = [...(operation.parameters ?? []), idempotencyKey];
  if (requestBody !== undefined) requestBody.required = !facts.isBodyOptional;
  for (const status of new Set([
    ...Object.keys(facts.errors),
    ...(facts.isValidated ? ['422'] : []),
  ]))
    responses[status] = mergeResponses(responses[status], errorResponse(Number(status), facts));
  for (const [status, response] of Object.entries(responses)) {
    const named = { ...response.headers, ...headersOf(Number(status), facts.limit !== undefined) };
    if (Object.keys(named).length > 0) response.headers = named;
  }
}

const nameOf = (status: string): string =>
  (STATUS_CODES[status] ?? 'Error').replace(/[^A-Za-z]/g, '');

/** Moves error responses that several operations share to components, and refers to them. */
function* shareResponses(document: OpenApiDocument): Generator {
  const uses = new Map<string, { status: string; operations: Operation[] }>();
  for (const operation of operationsOf(document)) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue;
      const form = JSON.stringify(response);
      const same = uses.get(form);
      if (same === undefined) uses.set(form, { status, operations: [operation] });
      else same.operations.push(operation);
    }
    yield;
  }
  const shared: Record<string, Response> = {};
  for (const [form, { status, operations }] of uses) {
    if (operations.length < 2) continue;
    const count = Object.keys(shared).filter(
      (name) => name.replace(/\d+$/, '') === nameOf(status),
    ).length;
    const name = `${nameOf(status)}${count === 0 ? '' : count + 1}`;
    shared[name] = JSON.parse(form) as Response;
    for (const { responses } of operations)
      responses[status] = { $ref: `#/components/responses/${name}` } as Response;
    yield;
  }
  document.components.responses = shared;
}

/** Adds the headers that responses refer to. */
function* addHeaders({ paths, components }: OpenApiDocument): Generator {
  const used = new Set<string>();
  for (const part of [...Object.values(paths), components.responses]) {
    const text = JSON.stringify(part);
    for (const name of Object.keys(headers))
      if (text.includes(`#/components/headers/${name}"`)) used.add(name);
    yield;
  }
  components.headers = Object.fromEntries(
    Object.entries(headers).filter(([name]) => used.has(name)),
  );
}

/**
 * Adds to every operation of a document, in place, all its errors with their codes, and the headers
 * of its responses. Reads the facts of an operation from `x-facts` and removes them. Yields after
 * each operation.
 */
export function* completeResponses(document: OpenApiDocument): Generator {
  const { schemas } = document.components;
  for (const operation of operationsOf(document)) {
    complete(operation, schemas);
    yield;
  }
  yield* shareResponses(document);
  yield* addHeaders(document);
}
