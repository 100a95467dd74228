import fastify from 'fastify';
import { GraphQLError, type GraphQLSchema } from 'graphql/index.js';
import { mercurius } from 'mercurius';

/** The result of an operation. Without `data`, nothing was executed. */
export interface Execution {
  data?: unknown;
  errors?: readonly GraphQLError[];
}

/** How many documents are cached in parsed and compiled form. */
const cachedDocuments = 100;
/** How many times a document is executed before it is compiled. */
const compileAfter = 2;

/** Mercurius rejects when variables are invalid; other failures are thrown again. */
function toExecution(error: unknown): Execution {
  if (error instanceof Error && 'errors' in error && Array.isArray(error.errors)) {
    const errors = error.errors.filter((each) => each instanceof GraphQLError);
    if (errors.length === error.errors.length) return { errors };
  }
  throw error;
}

/**
 * Returns a function that executes a validated document with one operation: with Mercurius, which
 * compiles repeated ones. Mercurius is a plugin, and a listening Fastify accepts no more plugins,
 * so it gets its own instance, without routes, on the first request.
 */
export async function createGraphqlEngine(schema: GraphQLSchema) {
  const host = fastify({ logger: false });
  await host.register(mercurius, {
    schema,
    routes: false,
    cache: cachedDocuments,
    jit: compileAfter,
    // Errors stay raw here: what a client may see of them is decided later.
    errorFormatter: ({ data, errors }) => ({
      statusCode: 200,
      response: data === undefined ? { errors } : { data, errors },
    }),
  });
  await host.ready();

  return (
    source: string,
    context: object,
    variables: Record<string, unknown> | undefined,
  ): Promise<Execution> =>
    host.graphql(source, context as Record<string, unknown>, variables).catch(toExecution);
}
