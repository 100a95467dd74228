import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
  parse,
  print,
  separateOperations,
  validate,
} from 'graphql/index.js';
import { LRUCache } from 'lru-cache';
import type { AppError } from '../../../platform/errors/errors.ts';
import { graphqlErrors } from '../errors.ts';
import { limits } from './limits.ts';
import { measureDocument } from './query-cost.ts';
import { type RequiredAccess, requiredAccess } from './root-access.ts';

/** An error of the parser or the validation, without its nodes, which retain the document. */
export type DocumentIssue = Pick<GraphQLError, 'message' | 'locations'>;

/** Why a document is not executed: the error of the catalogue, and its causes in the document. */
export interface Refusal {
  error: AppError;
  issues: readonly DocumentIssue[];
}

/** An operation that may be executed. */
export interface PreparedOperation {
  kind: `${OperationTypeNode}`;
  /** The text of a document with only this operation: the key of the compiled query. */
  source: string;
  /** Only for subscriptions, which are not compiled. */
  document: DocumentNode | undefined;
  cost: number;
  /** True when it queries a store, and so may be slow. */
  asksStores: boolean;
  /** The access that its root fields require. */
  access: readonly RequiredAccess[];
}

export type PreparedDocument =
  | { refusal: Refusal; operation?: undefined }
  | { refusal?: undefined; operation: PreparedOperation };

const cacheLimits = { documents: 500, characters: 2_000_000 };
const maxErrors = 10;
const namePattern = /^[_A-Za-z]\w*$/;

const refuse = (error: AppError, found: readonly GraphQLError[] = []): PreparedDocument => ({
  refusal: { error, issues: found.map(({ message, locations }) => ({ message, locations })) },
});

function parseDocument(source: string): DocumentNode | PreparedDocument {
  try {
    return parse(source, { maxLexicalTokens: limits.tokens });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return error.message.includes('Parsing aborted')
      ? refuse(graphqlErrors.document_too_large({ extra: { limit: limits.tokens } }))
      : refuse(graphqlErrors.syntax(), [error]);
  }
}

// A rule of graphql-js throws when a directive of a subscription has a variable.
function validationErrors(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  try {
    return validate(schema, document, undefined, { maxErrors });
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}

const operationsOf = ({ definitions }: DocumentNode): OperationDefinitionNode[] =>
  definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);

/** The operation with this name, or the only one; undefined when it is ambiguous or missing. */
function findOperation(
  document: DocumentNode,
  name: string | undefined,
): OperationDefinitionNode | undefined {
  const operations = operationsOf(document);
  const matching =
    name === undefined ? operations : operations.filter((each) => each.name?.value === name);
  return matching.length === 1 ? matching[0] : undefined;
}

/** The text of one operation with the fragments that it uses. */
function sourceOf(
  source: string,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): string {
  if (operationsOf(document).length === 1) return source;
  const alone = separateOperations(document)[operation.name?.value ?? ''];
  return alone === undefined ? source : print(alone);
}

function prepare(
  schema: GraphQLSchema,
  source: string,
  name: string | undefined,
): PreparedDocument {
  const document = parseDocument(source);
  if (!('kind' in document)) return document;
  const measured = measureDocument(schema, document);
  if (measured.error !== undefined) return refuse(measured.error);
  const errors = validationErrors(schema, document);
  if (errors.length > 0) return refuse(graphqlErrors.validation(), errors);
  const operation = findOperation(document, name);
  if (operation === undefined) return refuse(graphqlErrors.operation_unclear());
  const kind: `${OperationTypeNode}` = operation.operation;
  const text = sourceOf(source, document, operation);
  return {
    operation: {
      kind,
      source: text,
      document: kind === 'subscription' ? parse(text, { noLocation: true }) : undefined,
      cost: measured.cost,
      asksStores: measured.asksStores,
      access: requiredAccess(schema, document, operation),
    },
  };
}

/** Parses, measures and validates documents. The results are cached, failures included. */
export function createDocuments(schema: GraphQLSchema) {
  const cache = new LRUCache<string, PreparedDocument>({
    max: cacheLimits.documents,
    maxSize: cacheLimits.characters,
    sizeCalculation: (_prepared, key) => key.length + 1,
  });

  return (source: string, name: string | undefined): PreparedDocument => {
    if (source.length > limits.length || (name?.length ?? 0) > limits.length)
      return refuse(graphqlErrors.document_too_long({ extra: { limit: limits.length } }));
    if (name !== undefined && !namePattern.test(name))
      return refuse(graphqlErrors.operation_unclear());
    // Names have no colon, so different pairs of name and source never share a key.
    const key = `${name ?? ''}:${source}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const prepared = prepare(schema, source, name);
    cache.set(key, prepared);
    return prepared;
  };
}
