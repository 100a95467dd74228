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
  kept: number;
}

/** Times that a document is asked for before it is compiled. */
const compileAfter = 2;

function errorsIn(error: unknown): readonly GraphQLError[] | undefined {
  if (!(error instanceof Error) || !('errors' in error) || !Array.isArray(error.errors))
    return undefined;
  const errors = error.errors.filter((each) => each instanceof GraphQLError);
  return errors.length === error.errors.length ? errors : undefined;
}

/**
 * Executes documents by mercurius, which compiles those that come again. It is a plugin, and Fastify takes none once it runs: it
 * gets an instance of its own, which has no routes and never listens, when somebody asks for the first time.
 */
export async function createGraphqlEngine({ schema, kept }: GraphqlEngineOptions) {
  const host = fastify({ logger: false });
  await host.register(mercurius, {
    schema,
    routes: false,
    cache: kept,
    jit: compileAfter,
    // As they are: who they are for decides what is shown of them.
    errorFormatter: ({ data, errors }) => ({
      statusCode: 200,
      response: data === undefined ? { errors } : { data, errors },
    }),
  });
  await host.ready();

  return {
    /** Executes a document with one operation that has been validated. Rejects where variables don't fit: `executionOf` reads that. */
    execute: (
      source: string,
      context: object,
      variables: Record<string, unknown> | undefined,
    ): Promise<Execution> => host.graphql(source, context as Record<string, unknown>, variables),

    /** The execution that a rejection stands for; undefined when it failed. */
    executionOf(error: unknown): Execution | undefined {
      const errors = errorsIn(error);
      return errors === undefined ? undefined : { errors };
    },
  };
}
