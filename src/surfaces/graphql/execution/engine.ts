import type { GraphQLFormattedError } from 'graphql/index.js';
import type { GraphqlContext, GraphqlServices } from '../context.ts';
import { graphqlErrors } from '../errors.ts';
import { createGraphqlSchema } from '../schema/schema.ts';
import { createDocuments, type PreparedOperation, type Refusal } from './documents.ts';
import {
  type ErrorReporter,
  firstFieldErrors,
  formatFieldError,
  formatRefusal,
  formatThrown,
} from './error-formatting.ts';
import { createGraphqlEngine, type Execution } from './graphql-engine.ts';
import { limits } from './limits.ts';
import { createSharedTimeout } from './shared-timeout.ts';

/** The parameters of a request (GraphQL over HTTP §4.1). */
export interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown> | undefined;
  operationName: string | undefined;
}

export interface GraphqlResponse {
  result: { data?: unknown; errors?: readonly GraphQLFormattedError[] };
  /** HTTP status of the whole response; 200 once anything was executed. */
  status: number;
}

/** The per-request inputs of an execution. */
export interface OperationContext {
  context: GraphqlContext;
  reporter: ErrorReporter;
  /** True for GET, which must not run mutations. */
  isSafe: boolean;
  /** The remaining cost that the operations of one request may use together. */
  budget: { left: number };
}

const timeoutMs = 10_000;

/** Why an operation is refused; undefined if it may run. Subtracts its cost from the budget. */
function refusalOf(
  { kind, cost }: PreparedOperation,
  { isSafe, budget }: OperationContext,
): Refusal | undefined {
  if (kind === 'subscription') return { error: graphqlErrors.needs_socket(), issues: [] };
  if (isSafe && kind !== 'query')
    return { error: graphqlErrors.not_by_get({ headers: { allow: 'POST' } }), issues: [] };
  budget.left -= cost;
  return budget.left < 0
    ? { error: graphqlErrors.too_costly({ extra: { limit: limits.cost } }), issues: [] }
    : undefined;
}

const toRefused = (refusal: Refusal, reporter: ErrorReporter): GraphqlResponse => ({
  result: { errors: formatRefusal(refusal, reporter) },
  status: refusal.error.status,
});

function toResponse({ data, errors = [] }: Execution, reporter: ErrorReporter): GraphqlResponse {
  if (errors.length === 0) return { result: { data }, status: 200 };
  if (data !== undefined) {
    const formatted = errors.map((error) => formatFieldError(error, reporter));
    return { result: { data, errors: firstFieldErrors(formatted) }, status: 200 };
  }
  // A list in a variable yields one error for each of its entries.
  return toRefused({ error: graphqlErrors.variables(), issues: errors }, reporter);
}

function toFailure(error: unknown, reporter: ErrorReporter): GraphqlResponse {
  const formatted = formatThrown(error, reporter);
  return { result: { errors: [formatted] }, status: Number(formatted.extensions?.status ?? 500) };
}

/** Creates the part that loads graphql-js. Imported on the first request. */
export async function createEngine({ resourceList, operationList }: GraphqlServices) {
  const schema = createGraphqlSchema(resourceList, operationList);
  const documents = createDocuments(schema);
  const execute = await createGraphqlEngine(schema);
  const withTimeout = createSharedTimeout(timeoutMs, () => graphqlErrors.timeout());

  return {
    schema,
    documents,

    /** Executes a query or a mutation. Never rejects. */
    async answer(
      { query, variables, operationName }: GraphqlRequest,
      operationContext: OperationContext,
    ): Promise<GraphqlResponse> {
      const { context, reporter } = operationContext;
      const { refusal, operation } = documents(query, operationName);
      if (refusal !== undefined) return toRefused(refusal, reporter);
      const refused = refusalOf(operation, operationContext);
      if (refused !== undefined) return toRefused(refused, reporter);
      try {
        const work = execute(operation.source, context, variables);
        const execution = await (operation.asksStores ? withTimeout(work) : work);
        // Errors of variables are shown only to callers who may use the fields they belong to.
        if (execution.data === undefined)
          for (const access of operation.access) await context.access()[access]();
        return toResponse(execution, reporter);
      } catch (error) {
        return toFailure(error, reporter);
      }
    },
  };
}

export type Engine = Awaited<ReturnType<typeof createEngine>>;
