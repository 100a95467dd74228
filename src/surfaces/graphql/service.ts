import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Identities } from '../ws/clients/identities.ts';
import type { GraphqlContext, GraphqlServices } from './context.ts';
import type { Engine } from './execution/engine.ts';
import type { DescribedSchema } from './pages/schema-description.ts';
import { createLoaders } from './schema/loaders.ts';
import { createSockets } from './subscriptions/sockets.ts';

export interface GraphqlDeps {
  services: GraphqlServices;
  bus: Pick<Bus, 'subscribe' | 'onSignal' | 'listen'>;
  identities: Identities;
  config: Pick<Config, 'WS_CONNECTION_LIMIT' | 'RATE_LIMIT'>;
  logger: Logger;
}

type RequestContext = Pick<GraphqlContext, 'access' | 'requestSource' | 'requester'>;

const socketsPerAddress = 100;

/** Returns a function that calls `make` at most once and caches its value. */
function memoizeOnce<Value>(make: () => Value): () => Value {
  let value: { made: Value } | undefined;
  return () => (value ??= { made: make() }).made;
}

/** Loads the engine on the first request, and again after a failure. */
function createEngineLoader({
  resourceList,
  operationList,
}: Pick<GraphqlServices, 'resourceList' | 'operationList'>) {
  let loading: Promise<Engine> | undefined;
  let loaded: Engine | undefined;

  async function load(): Promise<Engine> {
    const { createEngine } = await import('./execution/engine.ts');
    loaded = await createEngine(resourceList, operationList);
    return loaded;
  }

  return {
    engine: (): Promise<Engine> =>
      (loading ??= load().catch((error: unknown) => {
        loading = undefined;
        throw error;
      })),
    loadedEngine: (): Engine | undefined => loaded,
  };
}

/** Creates GraphQL: its engine, which is loaded on the first request, and its sockets. */
export function createGraphql({ services, bus, identities, config, logger }: GraphqlDeps) {
  const { engine, loadedEngine } = createEngineLoader(services);
  const sockets = createSockets({
    engine,
    bus,
    identities,
    logger,
    now: services.clock.now,
    limits: {
      total: config.WS_CONNECTION_LIMIT,
      perAddress: config.RATE_LIMIT ? socketsPerAddress : Infinity,
    },
  });

  return {
    engine,
    /** The engine; undefined until it is loaded. */
    loadedEngine,
    sockets,

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
}

export type Graphql = ReturnType<typeof createGraphql>;
