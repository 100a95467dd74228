import type { GraphQLFormattedError } from 'graphql/index.js';
import { createGraphqlEngine, type Execution } from './graphql-engine.ts';
import type { GraphContext, GraphqlServices, NodeFinder, Resolvers } from '../context.ts';
import { type Accepted, createDocuments, type Prepared } from './documents.ts';
import { graphqlErrors } from '../errors.ts';
import { limits } from './limits.ts';
import { readNodeId } from '../schema/node-ids.ts';
import { createPatience } from './shared-timeout.ts';
import {
  firstFieldErrors,
  presentFieldError,
  presentRefused,
  presentThrown,
  type Witness,
} from './error-formatting.ts';
import { createAdminResolvers } from '../schema/resolvers.admin.ts';
import { createAnalyticsResolvers } from '../schema/resolvers.analytics.ts';
import { createPeopleResolvers } from '../schema/resolvers.people.ts';
import { createStatusResolvers } from '../schema/resolvers.status.ts';
import { createGraphSchema } from '../schema/schema.ts';
import { createSubscribers, type SubscriberDeps } from '../subscriptions/subscribers.ts';

/** A request as GraphQL over HTTP has it. */
export interface GraphRequest {
  query: string;
  variables: Record<string, unknown> | undefined;
  operationName: string | undefined;
}

/** What is answered. */
export interface GraphAnswer {
  result: { data?: unknown; errors?: readonly GraphQLFormattedError[] };
  /** Of the answer as a whole; 200 as soon as something was executed. */
  status: number;
}

export interface Asked {
  context: GraphContext;
  witness: Witness;
  /** GET changes nothing. */
  isSafe: boolean;
  /** What the operations of one request may cost together. */
  budget: { left: number };
}

export interface EngineDeps {
  services: GraphqlServices;
  subscribers: SubscriberDeps;
  timeoutMs: number;
}

const keptDocuments = 100;

function createNodeResolvers(
  finders: Readonly<Partial<Record<string, NodeFinder>>>,
  version: string,
): Resolvers {
  const node = async (_root: unknown, { id }: { id: string }, context: GraphContext) => {
    const read = readNodeId(id);
    return read === undefined ? undefined : finders[read.kind]?.(read.rawId, context);
  };
  return { Query: { node, version: () => version, hello: () => 'Hello, world!' } };
}

/** Everything that knows GraphQL: it is read when the first request comes. */
export async function createEngine({ services, subscribers, timeoutMs }: EngineDeps) {
  const parts = [
    createPeopleResolvers(services),
    createStatusResolvers(services),
    createAnalyticsResolvers(services),
    createAdminResolvers(services),
  ];
  const finders = Object.fromEntries(
    parts.flatMap(({ nodes }) => Object.entries<NodeFinder>(nodes)),
  );
  const schema = createGraphSchema(
    [
      ...parts.map(({ resolvers }) => resolvers),
      createNodeResolvers(finders, services.release.version),
    ],
    createSubscribers(subscribers),
  );
  const documents = createDocuments(schema);
  const engine = await createGraphqlEngine({ schema, kept: keptDocuments });
  const patience = createPatience(timeoutMs, () => graphqlErrors.timeout());

  function refusal(prepared: Prepared, { isSafe, budget }: Asked) {
    if (prepared.refused !== undefined) return prepared.refused;
    const { kind, cost } = prepared.operation;
    if (kind === 'subscription') return { error: graphqlErrors.needs_socket(), found: [] };
    if (isSafe && kind !== 'query')
      return { error: graphqlErrors.not_by_get({ headers: { allow: 'POST' } }), found: [] };
    budget.left -= cost;
    return budget.left < 0
      ? { error: graphqlErrors.too_costly({ extra: { limit: limits.cost } }), found: [] }
      : undefined;
  }

  function answerOf({ data, errors = [] }: Execution, witness: Witness): GraphAnswer {
    if (errors.length === 0) return { result: { data }, status: 200 };
    if (data !== undefined)
      return {
        result: {
          data,
          errors: firstFieldErrors(errors.map((error) => presentFieldError(error, witness))),
        },
        status: 200,
      };
    // A list of a variable has an error for each of its entries.
    return {
      result: {
        errors: presentRefused({ error: graphqlErrors.variables(), found: errors }, witness),
      },
      status: 400,
    };
  }

  /** What was wrong with variables is told only to those who may ask what they are for. */
  async function answerTo(
    execution: Execution,
    { needs }: Accepted,
    { context, witness }: Asked,
  ): Promise<GraphAnswer> {
    if (execution.data === undefined && needs.length > 0) {
      const access = context.access();
      for (const need of needs) await access[need]();
    }
    return answerOf(execution, witness);
  }

  return {
    schema,
    documents,

    /** Answers a query or a mutation. Never rejects. */
    async answer(
      { query, variables, operationName }: GraphRequest,
      asked: Asked,
    ): Promise<GraphAnswer> {
      const { witness, context } = asked;
      const prepared = documents(query, operationName);
      const refused = refusal(prepared, asked);
      if (refused !== undefined)
        return {
          result: { errors: presentRefused(refused, witness) },
          status: refused.error.status,
        };
      if (prepared.refused !== undefined) throw new TypeError('refused and answered');
      const { operation } = prepared;
      try {
        const execution = engine
          .execute(operation.source, context, variables)
          .catch((error: unknown) => {
            const failed = engine.executionOf(error);
            if (failed === undefined) throw error;
            return failed;
          });
        return await answerTo(
          await (operation.asks ? patience.with(execution) : execution),
          operation,
          asked,
        );
      } catch (error) {
        const presented = presentThrown(error, witness);
        return {
          result: { errors: [presented] },
          status: Number(presented.extensions?.status ?? 500),
        };
      }
    },
  };
}

export type Engine = Awaited<ReturnType<typeof createEngine>>;
