import fastify from 'fastify';
import { GraphQLError, type GraphQLSchema } from 'graphql/index.js';
import { mercurius } from 'mercurius';

/** What executing an operation gave. Without `data` nothing was executed. */
export interface Execution {
  data?: unknown;
  errors?: readonly GraphQLError[];
}

export interface GraphqlEngineOptions {
  schema: GraphQLSchema;
  /** Documents whose parsed and compiled form is kept. */
  cachedDocuments: number;
}

/** How often a document is asked for before it is compiled. */
const compileAfter = 2;

/** Mercurius rejects with errors where variables don't fit: they are the execution. */
function toExecution(error: unknown): Execution {
  if (error instanceof Error && 'errors' in error && Array.isArray(error.errors)) {
    const errors = error.errors.filter((each) => each instanceof GraphQLError);
    if (errors.length === error.errors.length) return { errors };
  }
  throw error;
}

/**
 * Executes documents by mercurius, which compiles those that come again. It is a plugin, and
 * Fastify takes none once it listens: so it gets an instance of its own, without routes, with the
 * first request.
 */
export async function createGraphqlEngine({ schema, cachedDocuments }: GraphqlEngineOptions) {
  const host = fastify({ logger: false });
  await host.register(mercurius, {
    schema,
    routes: false,
    cache: cachedDocuments,
    jit: compileAfter,
    // As they are: what of them is shown depends on who asks.
    errorFormatter: ({ data, errors }) => ({
      statusCode: 200,
      response: data === undefined ? { errors } : { data, errors },
    }),
  });
  await host.ready();

  return {
    /** Executes a document with one operation that has been validated. */
    execute: (
      source: string,
      context: object,
      variables: Record<string, unknown> | undefined,
    ): Promise<Execution> =>
      host.graphql(source, context as Record<string, unknown>, variables).catch(toExecution),
  };
}
