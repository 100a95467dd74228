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
import { measureDocument } from './query-cost.ts';
import { limits } from './limits.ts';
import { accessNeeded } from './root-access.ts';

/** What the parser or the validation found: without the nodes, which hold the whole document. */
export type Found = Pick<GraphQLError, 'message' | 'locations'>;

/** Why a document is not executed: the error of the catalogue, and where in the document. */
export interface Refused {
  error: AppError;
  found: readonly Found[];
}

/** An operation that may be executed. */
export interface Accepted {
  kind: `${OperationTypeNode}`;
  /** A document with this operation alone: what is compiled for it is never taken for another one. */
  source: string;
  /** Kept for subscriptions, which are not compiled. */
  document: DocumentNode | undefined;
  cost: number;
  /** It may ask a store, and so take long. */
  asks: boolean;
  /** The access that its fields need. */
  needs: ReturnType<typeof accessNeeded>;
}

export type Prepared = { refused: Refused } | { refused: undefined; operation: Accepted };

/** Documents that are kept, and their characters. */
const kept = { most: 500, characters: 2_000_000 };
const mostFound = 10;
const isName = /^[_A-Za-z]\w*$/;

const refused = (error: AppError, found: readonly GraphQLError[] = []): Prepared => ({
  refused: { error, found: found.map(({ message, locations }) => ({ message, locations })) },
});

function parsed(source: string): DocumentNode | Prepared {
  try {
    return parse(source, { maxLexicalTokens: limits.tokens });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return error.message.includes('Parsing aborted')
      ? refused(graphqlErrors.document_too_large({ extra: { limit: limits.tokens } }))
      : refused(graphqlErrors.syntax(), [error]);
  }
}

/** A rule of the package throws where a directive of a subscription has a variable. */
function mistakesIn(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  try {
    return validate(schema, document, undefined, { maxErrors: mostFound });
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}

function operationOf(
  document: DocumentNode,
  name: string | undefined,
): OperationDefinitionNode | undefined {
  const operations = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const meant =
    name === undefined ? operations : operations.filter((each) => each.name?.value === name);
  return meant.length === 1 ? meant[0] : undefined;
}

/** The text of an operation by itself, with the fragments that it uses. */
function sourceOf(
  source: string,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): string {
  const isAlone =
    document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length === 1;
  const alone = isAlone ? undefined : separateOperations(document)[operation.name?.value ?? ''];
  return alone === undefined ? source : print(alone);
}

function prepare(schema: GraphQLSchema, source: string, name: string | undefined): Prepared {
  const document = parsed(source);
  if ('refused' in document) return document;
  const measured = measureDocument(schema, document);
  if (measured.refusal !== undefined) return refused(measured.refusal);
  const mistakes = mistakesIn(schema, document);
  if (mistakes.length > 0) return refused(graphqlErrors.validation(), mistakes);
  const operation = operationOf(document, name);
  if (operation === undefined) return refused(graphqlErrors.operation_unclear());
  const kind: `${OperationTypeNode}` = operation.operation;
  const text = sourceOf(source, document, operation);
  return {
    refused: undefined,
    operation: {
      kind,
      source: text,
      document: kind === 'subscription' ? parse(text, { noLocation: true }) : undefined,
      cost: measured.cost,
      asks: measured.asks,
      needs: accessNeeded(document, operation),
    },
  };
}

/** Reads documents: parsed, measured and validated once, for as long as they are asked for often. */
export function createDocuments(schema: GraphQLSchema) {
  const known = new LRUCache<string, Prepared>({
    max: kept.most,
    maxSize: kept.characters,
    sizeCalculation: (_prepared, key) => key.length + 1,
  });

  return (source: string, name: string | undefined): Prepared => {
    if (source.length > limits.length || (name?.length ?? 0) > limits.length)
      return refused(graphqlErrors.document_too_long({ extra: { limit: limits.length } }));
    if (name !== undefined && !isName.test(name)) return refused(graphqlErrors.operation_unclear());
    // No name has a colon: nothing that one client sends is taken for what another one does.
    const key = `${name ?? ''}:${source}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const prepared = prepare(schema, source, name);
    known.set(key, prepared);
    return prepared;
  };
}
