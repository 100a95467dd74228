import type { Logger } from 'pino';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Dashboards } from '../../areas/analytics/figures/dashboard.ts';
import type { ApiKeys } from '../../areas/api-keys/service.ts';
import type { Audit } from '../../areas/audit/service.ts';
import type { Sessions } from '../../areas/auth/sessions.ts';
import type { Management } from '../../areas/blackops/management.ts';
import type { Identities } from '../ws/identities.ts';
import type { Access, GraphContext } from './access.ts';
import type { Questioner } from '../../platform/questioner.ts';
import type { Asker } from '../../platform/http/request-origin.ts';
import type { DescribedSchema } from './schema/described.ts';
import type { Engine, EngineDeps } from './engine.ts';
import { createHearings } from './subscriptions/hearing.ts';
import { createLoaders, type Loaders } from './loaders.ts';
import { createSockets, type Sockets } from './subscriptions/sockets.ts';

export interface GraphqlDeps {
  bus: Pick<Bus, 'open' | 'onSignal' | 'hear'>;
  identities: Identities;
  sessions: EngineDeps['people']['sessions'] & Sessions;
  devices: { management: Management };
  audit: Audit;
  apiKeys: ApiKeys;
  dashboards: Dashboards;
  identitySignal: string;
  logger: Logger;
  now: () => number;
  /** Sockets of this process, and of one address. */
  most: { all: number; ofAddress: number };
  /** What comes from other areas besides. */
  engine: {
    version: string;
    timeoutMs: number;
    views: EngineDeps['people']['views'];
    status: EngineDeps['status'];
    analytics: Omit<EngineDeps['analytics'], 'dashboards'>;
    admin: Omit<EngineDeps['admin'], 'audit' | 'apiKeys'>;
    subscribers: Omit<EngineDeps['subscribers'], 'hear'>;
  };
}

/** GraphQL: its engine, which is made when somebody asks first, and its sockets. */
export function createGraphql({
  bus,
  identities,
  sessions,
  devices,
  audit,
  apiKeys,
  dashboards,
  identitySignal,
  logger,
  now,
  most,
  engine: parts,
}: GraphqlDeps) {
  let made: Promise<Engine> | undefined;
  let madeEngine: Engine | undefined;

  async function make(): Promise<Engine> {
    const { createEngine } = await import('./engine.ts');
    const { version, timeoutMs, views, status, analytics, admin, subscribers } = parts;
    madeEngine = await createEngine({
      version,
      timeoutMs,
      status,
      people: { sessions, devices, audit, views },
      analytics: { ...analytics, dashboards },
      admin: { ...admin, audit, apiKeys },
      subscribers: { ...subscribers, hear: createHearings(bus) },
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
    identitySignal,
    identities,
    logger,
    now,
    most,
  });

  return {
    engine,
    /** The engine, once it is there. */
    ready: (): Engine | undefined => madeEngine,
    sockets,

    /** The schema as a page shows it. */
    async describe(): Promise<DescribedSchema> {
      const [{ describeSchema }, { schema }] = await Promise.all([
        import('./schema/described.ts'),
        engine(),
      ]);
      return describeSchema(schema);
    },

    /** What the resolvers of one request get. */
    contextOf(
      accessOf: () => Access,
      asker: () => Asker,
      questionerOf: () => Questioner,
    ): GraphContext {
      let [access, loaders, questioner]: [
        Access | undefined,
        Loaders | undefined,
        Questioner | undefined,
      ] = [undefined, undefined, undefined];
      return {
        asker,
        questioner: () => (questioner ??= questionerOf()),
        access: () => (access ??= accessOf()),
        loaders: () =>
          (loaders ??= createLoaders({
            findApiKey: (id) => apiKeys.get(id),
            devicesOf: (userId) => devices.management.listOf(userId),
          })),
      };
    },
  };
}

export type Graphql = ReturnType<typeof createGraphql>;
