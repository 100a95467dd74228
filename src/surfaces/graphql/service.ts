import type { GraphqlContext, GraphqlServices } from './context.ts';
import type { Engine } from './execution/engine.ts';
import type { DescribedSchema } from './pages/schema-description.ts';
import { createLoaders } from './schema/loaders.ts';
import { createSockets } from './subscriptions/sockets.ts';

type RequestContext = Pick<GraphqlContext, 'access' | 'requestSource' | 'requester'>;

/** Returns a function that calls `make` at most once and caches its value. */
function memoizeOnce<Value>(make: () => Value): () => Value {
  let value: { made: Value } | undefined;
  return () => (value ??= { made: make() }).made;
}

/** Creates GraphQL: its engine, which is loaded on the first request, and its sockets. */
export function createGraphql(services: GraphqlServices) {
  let loading: Promise<Engine> | undefined;
  let loaded: Engine | undefined;

  return {
    engine,
    /** The engine; undefined until it is loaded. */
    loadedEngine: (): Engine | undefined => loaded,
    sockets: createSockets(engine, services),

    /** Describes the schema for the schema page. */
    async describe(): Promise<DescribedSchema> {
      const { describeSchema } = await import('./pages/schema-description.ts');
      const { schema } = await engine();
      return describeSchema(schema);
    },

    /** Creates the context of one operation. Its parts are created on first use. */
    createContext: ({ access, requestSource, requester }: RequestContext): GraphqlContext => ({
      services,
      requestSource,
      access: memoizeOnce(access),
      requester: memoizeOnce(requester),
      loaders: memoizeOnce(() => createLoaders(services)),
    }),
  };

  /** Loads the engine on the first request, and again after a failure. */
  function engine(): Promise<Engine> {
    return (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  }

  async function load(): Promise<Engine> {
    const { createEngine } = await import('./execution/engine.ts');
    loaded = await createEngine(services);
    return loaded;
  }
}

export type Graphql = ReturnType<typeof createGraphql>;
