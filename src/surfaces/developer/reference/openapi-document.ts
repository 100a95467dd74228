import type {
  JsonSchema,
  OpenApiDocument,
  Operation,
  Response,
} from '../../../platform/openapi/document.ts';
import { codesOf } from './media.ts';

export interface ApiOperation extends Operation {
  operationId: string;
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
  for (const code of operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap(codesOf),
  ))
    counts.set(code, (counts.get(code) ?? 0) + 1);
  return new Set([...counts].flatMap(([code, count]) => (count < manyOperations ? [] : code)));
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];

/** The last part of a reference such as `#/components/schemas/Problem`. */
const nameIn = (reference: string): string => reference.split('/').at(-1) ?? '';

/** Resolves references to shared responses. */
const resolved = (
  responses: Readonly<Record<string, Response>>,
  shared: Readonly<Record<string, Response>>,
): Record<string, Response> =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      response.$ref === undefined ? response : (shared[nameIn(response.$ref)] ?? response),
    ]),
  );

function operationsOf({ paths, components }: OpenApiDocument): ApiOperation[] {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method): ApiOperation[] => {
      const operation = item[method];
      if (operation === undefined) return [];
      const { operationId = '' } = operation;
      const responses = resolved(operation.responses, components.responses ?? {});
      return [{ ...operation, operationId, responses, method, path, others: [] }];
    }),
  );
  const firsts = all.filter((operation) => operation['x-alias-of'] === undefined);
  const byId = new Map(firsts.map((operation) => [operation.operationId, operation]));
  for (const { operationId: id, method, path, 'x-alias-of': first = '' } of all)
    byId.get(first)?.others.push({ id, method, path });
  return firsts;
}

/** Reads what the reference shows from the OpenAPI document. */
export function readDocument(document: OpenApiDocument): ApiDocument {
  const { tags = [], components } = document;
  const operations = operationsOf(document);
  const known = new Set(tags.map(({ name }) => name));
  const undeclared = [...new Set(operations.flatMap(({ tags: [first = 'other'] = [] }) => first))]
    .filter((name) => !known.has(name))
    .map((name) => ({ name, description: '' }));
  return {
    tags: [...tags, ...undeclared]
      .map(({ name, description }) => ({
        name,
        description,
        operations: operations.filter(({ tags: [first = 'other'] = [] }) => first === name),
      }))
      .filter((tag) => tag.operations.length > 0),
    commonErrors: commonErrorsOf(operations),
    resolve: (schema) =>
      schema.$ref === undefined ? schema : (components.schemas[nameIn(schema.$ref)] ?? {}),
  };
}
