import type * as SdkModule from '@modelcontextprotocol/server';
import type { Implementation, ServerOptions } from '@modelcontextprotocol/server';
import { hourMs, minuteMs } from '../../lib/durations.ts';
import type { Caller } from './caller.ts';
import type { Catalogue } from './catalogue.ts';
import {
  type HandlerContext,
  handlePrompts,
  handleResources,
  handleTools,
  type ResourceSubscriptions,
} from './handlers.ts';

/** The SDK. It is imported on the first message. */
export type Sdk = typeof SdkModule;

/** The SDK's low-level server: `McpServer` would register every tool again for each request. */
export type Server = InstanceType<Sdk['Server']>;

export interface ServerSpec {
  catalogue: Catalogue;
  info: Implementation;
  instructions: string;
  /** The caller of a request. */
  callerOf: (request: Request) => Caller | undefined;
  options?: Pick<ServerOptions, 'requestState' | 'capabilities'>;
}

const noSubscriptions: ResourceSubscriptions = {
  subscribe: async () => undefined,
  unsubscribe: async () => undefined,
};

const cacheHints: NonNullable<ServerOptions['cacheHints']> = {
  'server/discover': { ttlMs: hourMs, cacheScope: 'private' },
  'tools/list': { ttlMs: 5 * minuteMs, cacheScope: 'private' },
  'prompts/list': { ttlMs: 5 * minuteMs, cacheScope: 'private' },
  'resources/list': { ttlMs: 5 * minuteMs, cacheScope: 'public' },
  'resources/templates/list': { ttlMs: hourMs, cacheScope: 'public' },
  'resources/read': { ttlMs: 0, cacheScope: 'private' },
};

const byName = <Named extends { definition: { name: string } }>(items: readonly Named[]) =>
  new Map(items.map((each) => [each.definition.name, each]));

/** Creates SDK servers over one catalogue: one server per stateless request or session. */
export function createServers(
  sdk: Sdk,
  { catalogue, info, instructions, callerOf, options = {} }: ServerSpec,
) {
  const { Server } = sdk;
  const running = new Set<Promise<unknown>>();
  const context: HandlerContext = {
    sdk,
    catalogue,
    tools: byName(catalogue.tools),
    prompts: byName(catalogue.prompts),
    running,
    callerOf,
  };
  const serverOptions: ServerOptions = {
    ...options,
    capabilities: {
      tools: {},
      resources: { subscribe: true },
      prompts: {},
      completions: {},
      ...options.capabilities,
    },
    instructions,
    cacheHints,
  };

  return {
    /** Resolves when all running tool calls have finished. */
    settled: (): Promise<unknown> => Promise.allSettled(running),

    /** Creates a server without a transport. */
    create(subscriptions: ResourceSubscriptions = noSubscriptions): Server {
      const server = new Server(info, serverOptions);
      handleTools(server, context);
      handleResources(server, context, subscriptions);
      handlePrompts(server, context);
      return server;
    },
  };
}

export type Servers = ReturnType<typeof createServers>;
