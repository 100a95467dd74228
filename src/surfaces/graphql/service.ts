import type { Logger } from 'pino';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Config } from '../../config.ts';
import type { Identities } from '../ws/identities.ts';
import type { Access, GraphContext, GraphqlServices } from './context.ts';
import type { Requester } from '../../platform/http/requester.ts';
import type { Asker } from '../../platform/http/request-origin.ts';
import type { DescribedSchema } from './pages/schema-description.ts';
import type { Engine } from './execution/engine.ts';
import { createHearings } from './subscriptions/subscription-iterator.ts';
import { createLoaders, type Loaders } from './schema/loaders.ts';
import { createSockets, type Sockets } from './subscriptions/sockets.ts';

export interface GraphqlDeps {
  services: GraphqlServices;
  bus: Pick<Bus, 'open' | 'onSignal' | 'hear'>;
  identities: Identities;
  config: Pick<Config, 'WS_CONNECTION_LIMIT' | 'RATE_LIMIT'>;
  logger: Logger;
}

const operationTimeoutMs = 10_000;
const socketsPerAddress = 100;

/** GraphQL: its engine, which is loaded with the first request, and its sockets. */
export function createGraphql({ services, bus, identities, config, logger }: GraphqlDeps) {
  let made: Promise<Engine> | undefined;
  let madeEngine: Engine | undefined;

  async function make(): Promise<Engine> {
    const { createEngine } = await import('./execution/engine.ts');
    madeEngine = await createEngine({
      services,
      subscribers: { hear: createHearings(bus) },
      timeoutMs: operationTimeoutMs,
    });
    return madeEngine;
  }

  function engine(): Promise<Engine> {
    made ??= make().catch((error: unknown) => {
      // The next one who asks tries again.
      made = undefined;
      throw error;
    });
    return made;
  }

  const sockets: Sockets = createSockets({
    engine,
    bus,
    identities,
    logger,
    now: services.clock.now,
    most: {
      all: config.WS_CONNECTION_LIMIT,
      ofAddress: config.RATE_LIMIT ? socketsPerAddress : Infinity,
    },
  });

  return {
    engine,
    /** The engine, once it is there. */
    ready: (): Engine | undefined => madeEngine,
    sockets,

    /** The schema as a page shows it. */
    async describe(): Promise<DescribedSchema> {
      const [{ describeSchema }, { schema }] = await Promise.all([
        import('./pages/schema-description.ts'),
        engine(),
      ]);
      return describeSchema(schema);
    },

    /** What the resolvers of one request get. */
    contextOf(
      accessOf: () => Access,
      asker: () => Asker,
      questionerOf: () => Requester,
    ): GraphContext {
      let [access, loaders, questioner]: [
        Access | undefined,
        Loaders | undefined,
        Requester | undefined,
      ] = [undefined, undefined, undefined];
      return {
        asker,
        questioner: () => (questioner ??= questionerOf()),
        access: () => (access ??= accessOf()),
        loaders: () =>
          (loaders ??= createLoaders({
            findApiKey: (id) => services.apiKeys.get(id),
            devicesOf: (userId) => services.devices.management.listByUser(userId),
          })),
      };
    },
  };
}

export type Graphql = ReturnType<typeof createGraphql>;
