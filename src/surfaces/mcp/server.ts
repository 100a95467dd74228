import type * as SdkModule from '@modelcontextprotocol/server';
import type { Implementation, ServerContext, ServerOptions } from '@modelcontextprotocol/server';
import { hourMs, minuteMs } from '../../lib/durations.ts';
import { type Caller, canUse } from './caller.ts';
import { type Catalogue, type Prompt, type Tool, toCompleteResult } from './catalogue.ts';

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

/** How a session subscribes to changes of resources. */
interface ResourceSubscriptions {
  subscribe: (uri: string) => Promise<void>;
  unsubscribe: (uri: string) => Promise<void>;
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

const definitionsFor = <Definition>(
  items: readonly (Pick<Tool, 'scope'> & { definition: Definition })[],
  caller: Caller,
): Definition[] =>
  items.filter(({ scope }) => canUse(scope, caller)).map(({ definition }) => definition);

/** The string arguments of a prompt: the protocol defines no other types. */
const textArguments = (args: Record<string, unknown> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(args).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

/** Creates SDK servers over one catalogue: one server per stateless request or session. */
export function createServers(
  sdk: Sdk,
  { catalogue, info, instructions, callerOf, options = {} }: ServerSpec,
) {
  const { Server } = sdk;
  const { resources, templates } = catalogue;
  const tools = byName(catalogue.tools);
  const prompts = byName(catalogue.prompts);
  /** Tool calls that have not finished. */
  const running = new Set<Promise<unknown>>();
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
      handleTools(server);
      handleResources(server, subscriptions);
      handlePrompts(server);
      return server;
    },
  };

  function handleTools(server: Server): void {
    server.setRequestHandler('tools/list', (_request, exchange) => ({
      tools: definitionsFor(catalogue.tools, callerIn(exchange)),
    }));
    server.setRequestHandler('tools/call', ({ params }, exchange) => {
      const tool = tools.get(params.name);
      if (tool === undefined) throw invalidParams('There is no tool of this name');
      const call = tool.call(params.arguments, { caller: callerIn(exchange), context: exchange });
      running.add(call);
      return call.finally(() => running.delete(call));
    });
  }

  function handleResources(
    server: Server,
    { subscribe, unsubscribe }: ResourceSubscriptions,
  ): void {
    server.setRequestHandler('resources/list', () => ({
      resources: resources.map(({ definition }) => definition),
    }));
    server.setRequestHandler('resources/templates/list', () => ({
      resourceTemplates: templates.map(({ definition }) => definition),
    }));
    server.setRequestHandler('resources/read', ({ params }) => readResource(params.uri));
    server.setRequestHandler('resources/subscribe', async ({ params }) => {
      await readResource(params.uri);
      await subscribe(params.uri);
      return {};
    });
    server.setRequestHandler('resources/unsubscribe', async ({ params }) => {
      await unsubscribe(params.uri);
      return {};
    });
  }

  function handlePrompts(server: Server): void {
    server.setRequestHandler('prompts/list', (_request, exchange) => ({
      prompts: definitionsFor(catalogue.prompts, callerIn(exchange)),
    }));
    server.setRequestHandler('prompts/get', ({ params }, exchange) => {
      const caller = callerIn(exchange);
      const prompt = promptFor(params.name, caller);
      const args = textArguments(params.arguments);
      const missing = prompt.definition.arguments?.find(
        ({ name, required }) => required === true && args[name] === undefined,
      );
      if (missing !== undefined) throw invalidParams(`The argument ${missing.name} is missing`);
      return prompt.get(args, { caller, context: exchange });
    });
    server.setRequestHandler('completion/complete', ({ params: { ref, argument } }, exchange) => {
      const caller = callerIn(exchange);
      if (ref.type !== 'ref/prompt') return toCompleteResult([]);
      const prompt = promptFor(ref.name, caller);
      return toCompleteResult(prompt.complete(argument.name, argument.value));
    });
  }

  function invalidParams(message: string) {
    return new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, message);
  }

  /** The caller of a request. The guard has authenticated it, so a missing one is our error. */
  function callerIn({ http }: ServerContext): Caller {
    const caller = http?.req === undefined ? undefined : callerOf(http.req);
    if (caller !== undefined) return caller;
    throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InternalError, 'Internal error');
  }

  async function readResource(uri: string) {
    const resource = resources.find(({ definition }) => definition.uri === uri);
    if (resource !== undefined) return resource.read();
    for (const template of templates) {
      const result = template.read(uri);
      if (result !== undefined) return result;
    }
    throw new sdk.ResourceNotFoundError(uri);
  }

  function promptFor(name: string, caller: Caller): Prompt {
    const prompt = prompts.get(name);
    if (prompt === undefined || !canUse(prompt.scope, caller))
      throw invalidParams('There is no prompt of this name');
    return prompt;
  }
}

export type Servers = ReturnType<typeof createServers>;
