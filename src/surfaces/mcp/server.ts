import type * as SdkModule from '@modelcontextprotocol/server';
import type {
  Implementation,
  ServerCapabilities,
  ServerContext,
  ServerOptions,
} from '@modelcontextprotocol/server';
import { type Caller, mayUse } from './caller.ts';
import { type Catalogue, type Prompt, toCompletion, type Tool } from './catalogue.ts';
import { hourMs, minuteMs } from '../../lib/durations.ts';

/** The SDK: read when the first message arrives. */
export type Sdk = typeof SdkModule;

/** The plain server: the other one makes every tool anew for each exchange, which costs more than the exchange. */
export type Server = InstanceType<Sdk['Server']>;

export interface ServerSpec {
  catalogue: Catalogue;
  info: Implementation;
  instructions: string;
  /** Who sent the request; undefined when nobody is known, which is refused. */
  callerOf: (request: Request) => Caller | undefined;
  options?: Pick<ServerOptions, 'requestState' | 'capabilities'>;
}

/** A session may ask to be told of changes. */
export interface ResourceSubscriptions {
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

const byName = <Named extends { definition: { name: string } }>(all: readonly Named[]) =>
  new Map(all.map((each) => [each.definition.name, each]));

/** The texts among the arguments of a prompt, which are all texts. */
const argumentsOf = (given: Record<string, unknown> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );

/** Makes servers of the SDK, one for each exchange or session, which all offer the same to the same caller. */
export function createServers(
  sdk: Sdk,
  { catalogue, info, instructions, callerOf, options = {} }: ServerSpec,
) {
  const { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } = sdk;
  const running = new Set<Promise<unknown>>();
  const [tools, prompts] = [byName<Tool>(catalogue.tools), byName<Prompt>(catalogue.prompts)];
  const capabilities: ServerCapabilities = {
    tools: {},
    resources: { subscribe: true },
    prompts: {},
    completions: {},
    ...options.capabilities,
  };
  const shared: ServerOptions = { ...options, capabilities, instructions, cacheHints };

  function required(context: ServerContext): Caller {
    const caller = context.http?.req === undefined ? undefined : callerOf(context.http.req);
    if (caller === undefined)
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error');
    return caller;
  }

  const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

  async function read(uri: string) {
    const known = catalogue.resources.find(({ definition }) => definition.uri === uri);
    const found =
      known === undefined
        ? catalogue.templates
            .map((template) => template.read(uri))
            .find((result) => result !== undefined)
        : await known.read();
    if (found === undefined) throw new ResourceNotFoundError(uri);
    return found;
  }

  function promptFor(name: string, caller: Caller): Prompt {
    const prompt = prompts.get(name);
    if (prompt === undefined || !mayUse(prompt.scope, caller))
      throw invalid('There is no prompt of this name');
    return prompt;
  }

  function answerTools(server: Server): void {
    server.setRequestHandler('tools/list', (_request, context) => {
      const caller = required(context);
      return {
        tools: catalogue.tools
          .filter(({ scope }) => mayUse(scope, caller))
          .map(({ definition }) => definition),
      };
    });
    server.setRequestHandler('tools/call', ({ params }, context) => {
      const tool = tools.get(params.name);
      if (tool === undefined) throw invalid('There is no tool of this name');
      const call = tool.call(params.arguments, { caller: required(context), context });
      running.add(call);
      return call.finally(() => running.delete(call));
    });
  }

  function answerResources(
    server: Server,
    { subscribe, unsubscribe }: ResourceSubscriptions,
  ): void {
    server.setRequestHandler('resources/list', () => ({
      resources: catalogue.resources.map(({ definition }) => definition),
    }));
    server.setRequestHandler('resources/templates/list', () => ({
      resourceTemplates: catalogue.templates.map(({ definition }) => definition),
    }));
    server.setRequestHandler('resources/read', ({ params }) => read(params.uri));
    server.setRequestHandler('resources/subscribe', async ({ params }) => {
      await read(params.uri);
      await subscribe(params.uri);
      return {};
    });
    server.setRequestHandler('resources/unsubscribe', async ({ params }) => {
      await unsubscribe(params.uri);
      return {};
    });
  }

  function answerPrompts(server: Server): void {
    server.setRequestHandler('prompts/list', (_request, context) => {
      const caller = required(context);
      return {
        prompts: catalogue.prompts
          .filter(({ scope }) => mayUse(scope, caller))
          .map(({ definition }) => definition),
      };
    });
    server.setRequestHandler('prompts/get', ({ params }, context) => {
      const caller = required(context);
      const prompt = promptFor(params.name, caller);
      const given = argumentsOf(params.arguments);
      const missing = prompt.definition.arguments?.find(
        ({ name, required: isRequired }) => isRequired === true && given[name] === undefined,
      );
      if (missing !== undefined) throw invalid(`The argument ${missing.name} is missing`);
      return prompt.get(given, { caller, context });
    });
    server.setRequestHandler('completion/complete', ({ params: { ref, argument } }, context) => {
      const caller = required(context);
      return toCompletion(
        ref.type === 'ref/prompt'
          ? promptFor(ref.name, caller).complete(argument.name, argument.value)
          : [],
      );
    });
  }

  return {
    /** Resolves when the calls that are under way are over. */
    settled: (): Promise<unknown> => Promise.allSettled(running),

    /** A server that is connected to nothing yet. */
    create(subscribing: ResourceSubscriptions = noSubscriptions): Server {
      const server = new Server(info, shared);
      answerTools(server);
      answerResources(server, subscribing);
      answerPrompts(server);
      return server;
    },
  };
}

export type Servers = ReturnType<typeof createServers>;
