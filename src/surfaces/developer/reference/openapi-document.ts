import { z } from 'zod';
import { mapInSlices } from '../../../lib/concurrency/slices.ts';
import { codesOf } from './media.ts';

/** The subset of JSON Schema 2020-12 that the reference shows. */
export const JsonSchema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  format: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  examples: z.array(z.unknown()).optional(),
  get properties() {
    return z.record(z.string(), JsonSchema).optional();
  },
  get items() {
    return JsonSchema.optional();
  },
  get anyOf() {
    return z.array(JsonSchema).optional();
  },
  get oneOf() {
    return z.array(JsonSchema).optional();
  },
  get allOf() {
    return z.array(JsonSchema).optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), JsonSchema]).optional();
  },
});
export type JsonSchema = z.infer<typeof JsonSchema>;

const Media = z.looseObject({
  schema: JsonSchema.optional(),
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.looseObject({ value: z.unknown().optional() })).optional(),
});
export type Media = z.infer<typeof Media>;

const Parameter = z.looseObject({
  name: z.string(),
  in: z.string(),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema: JsonSchema.optional(),
  example: z.unknown().optional(),
});
type Parameter = z.infer<typeof Parameter>;

const Content = z.record(z.string(), Media);
const ApiResponse = z.looseObject({
  $ref: z.string().optional(),
  description: z.string().optional(),
  content: Content.optional(),
});
export type ApiResponse = z.infer<typeof ApiResponse>;

const Operation = z.looseObject({
  operationId: z.string(),
  summary: z.string().optional(),
  description: z.string().optional(),
  deprecated: z.boolean().optional(),
  tags: z.array(z.string()).optional(),
  parameters: z.array(Parameter).optional(),
  requestBody: z
    .looseObject({ required: z.boolean().optional(), content: Content.optional() })
    .optional(),
  security: z.array(z.record(z.string(), z.unknown())).optional(),
  responses: z.record(z.string(), ApiResponse).optional(),
});

const Document = z.looseObject({
  tags: z.array(z.looseObject({ name: z.string(), description: z.string().optional() })).optional(),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z
    .looseObject({
      schemas: z.record(z.string(), z.unknown()).optional(),
      responses: z.record(z.string(), ApiResponse).optional(),
    })
    .optional(),
});

export interface ApiOperation extends z.infer<typeof Operation> {
  method: string;
  path: string;
  /** Other methods and paths of the same operation. */
  others: { id: string; method: string; path: string }[];
}

export interface ApiTag {
  name: string;
  description: string;
  operations: readonly ApiOperation[];
}

export interface ApiDocument {
  tags: readonly ApiTag[];
  /** Resolves a `$ref`; returns other schemas unchanged. */
  resolve: (schema: JsonSchema) => JsonSchema;
  /** The codes of errors that many operations have: what they mean is told in one place. */
  commonErrors: ReadonlySet<string>;
}

const manyOperations = 6;

function commonErrorsOf(operations: readonly ApiOperation[]): Set<string> {
  const counts = new Map<string, number>();
  for (const code of operations.flatMap(({ responses = {} }) =>
    Object.values(responses).flatMap(codesOf),
  ))
    counts.set(code, (counts.get(code) ?? 0) + 1);
  return new Set([...counts].flatMap(([code, count]) => (count < manyOperations ? [] : code)));
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];

/** The last part of a reference such as `#/components/schemas/Problem`. */
const nameIn = (reference: string): string => reference.split('/').at(-1) ?? '';

/** Tags of paths that treat all methods alike. */
const anyMethodTags: ReadonlySet<string> = new Set(['development', 'reference']);

/** A key that is equal for duplicates: `/auth/` of `/api/auth/`, or methods that are alike. */
function duplicateKey({ path, method, summary, tags: [tag = ''] = [] }: ApiOperation): string {
  if (path.startsWith('/auth/')) return `${method} /api${path}`;
  return anyMethodTags.has(tag) ? `${path} ${summary}` : `${method} ${path}`;
}

/** Parses an operation, and resolves the references to its responses. */
function operationOf(
  input: unknown,
  method: string,
  path: string,
  shared: Readonly<Record<string, ApiResponse>>,
): ApiOperation {
  const { responses = {}, ...operation } = Operation.parse(input);
  const resolved = Object.entries(responses).map(([status, response]) => [
    status,
    response.$ref === undefined ? response : (shared[nameIn(response.$ref)] ?? response),
  ]);
  return {
    ...operation,
    responses: Object.fromEntries(resolved) as Record<string, ApiResponse>,
    method,
    path,
    others: [],
  };
}

async function operationsOf({
  paths,
  components,
}: z.infer<typeof Document>): Promise<ApiOperation[]> {
  const unique = new Map<string, ApiOperation>();
  const shared = components?.responses ?? {};
  const entries = Object.entries(paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method] !== undefined)
      .map((method) => ({ path, method, input: item[method] })),
  );
  const all = await mapInSlices(entries, ({ path, method, input }) =>
    operationOf(input, method, path, shared),
  );
  // Long paths come first, because they are the recommended ones.
  for (const operation of all.toSorted(
    (a, b) => Number(a.path.startsWith('/auth/')) - Number(b.path.startsWith('/auth/')),
  )) {
    const first = unique.get(duplicateKey(operation));
    if (first === undefined) unique.set(duplicateKey(operation), operation);
    else
      first.others.push({
        id: operation.operationId,
        method: operation.method,
        path: operation.path,
      });
  }
  return [...unique.values()];
}

/** Parses an OpenAPI 3.1 document without blocking the event loop. Rejects invalid ones. */
export async function readDocument(input: unknown): Promise<ApiDocument> {
  const document = Document.parse(input);
  const { tags = [], components } = document;
  const schemas = new Map(
    await mapInSlices(
      Object.entries(components?.schemas ?? {}),
      ([name, schema]): [string, JsonSchema] => [name, JsonSchema.parse(schema)],
    ),
  );
  const operations = await operationsOf(document);
  const known = new Set(tags.map(({ name }) => name));
  const undeclared = [...new Set(operations.flatMap(({ tags: [first = 'other'] = [] }) => first))]
    .filter((name) => !known.has(name))
    .map((name) => ({ name, description: '' }));
  return {
    tags: [...tags, ...undeclared]
      .map(({ name, description = '' }) => ({
        name,
        description,
        operations: operations.filter(({ tags: [first = 'other'] = [] }) => first === name),
      }))
      .filter((tag) => tag.operations.length > 0),
    commonErrors: commonErrorsOf(operations),
    resolve: (schema) =>
      schema.$ref === undefined ? schema : (schemas.get(nameIn(schema.$ref)) ?? {}),
  };
}
