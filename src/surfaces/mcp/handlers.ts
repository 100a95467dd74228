import type { ServerContext } from '@modelcontextprotocol/server';
import { type Caller, canUse } from './caller.ts';
import { type Catalogue, type Prompt, type Tool, toCompleteResult } from './catalogue.ts';
import type { Sdk, Server } from './server.ts';

/** The state that the request handlers of all servers share. */
export interface HandlerContext {
  sdk: Sdk;
  catalogue: Catalogue;
  tools: ReadonlyMap<string, Tool>;
  prompts: ReadonlyMap<string, Prompt>;
  /** Tool calls that have not finished. */
  running: Set<Promise<unknown>>;
  callerOf: (request: Request) => Caller | undefined;
}

/** How a session subscribes to changes of resources. */
export interface ResourceSubscriptions {
  subscribe: (uri: string) => Promise<void>;
  unsubscribe: (uri: string) => Promise<void>;
}

const invalidParams = ({ ProtocolError, ProtocolErrorCode }: Sdk, message: string) =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, message);

/** The caller of a request. The guard has authenticated it, so a missing one is our error. */
function callerIn({ sdk, callerOf }: HandlerContext, { http }: ServerContext): Caller {
  const caller = http?.req === undefined ? undefined : callerOf(http.req);
  if (caller !== undefined) return caller;
  throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InternalError, 'Internal error');
}

const definitionsFor = <Definition>(
  items: readonly (Pick<Tool, 'scope'> & { definition: Definition })[],
  caller: Caller,
): Definition[] =>
  items.filter(({ scope }) => canUse(scope, caller)).map(({ definition }) => definition);

export function handleTools(server: Server, context: HandlerContext): void {
  const { sdk, catalogue, tools, running } = context;
  server.setRequestHandler('tools/list', (_request, exchange) => ({
    tools: definitionsFor(catalogue.tools, callerIn(context, exchange)),
  }));
  server.setRequestHandler('tools/call', ({ params }, exchange) => {
    const tool = tools.get(params.name);
    if (tool === undefined) throw invalidParams(sdk, 'There is no tool of this name');
    const caller = callerIn(context, exchange);
    const call = tool.call(params.arguments, { caller, context: exchange });
    running.add(call);
    return call.finally(() => running.delete(call));
  });
}

async function readResource({ sdk, catalogue }: HandlerContext, uri: string) {
  const resource = catalogue.resources.find(({ definition }) => definition.uri === uri);
  if (resource !== undefined) return resource.read();
  for (const template of catalogue.templates) {
    const result = template.read(uri);
    if (result !== undefined) return result;
  }
  throw new sdk.ResourceNotFoundError(uri);
}

export function handleResources(
  server: Server,
  context: HandlerContext,
  { subscribe, unsubscribe }: ResourceSubscriptions,
): void {
  const { resources, templates } = context.catalogue;
  server.setRequestHandler('resources/list', () => ({
    resources: resources.map(({ definition }) => definition),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: templates.map(({ definition }) => definition),
  }));
  server.setRequestHandler('resources/read', ({ params }) => readResource(context, params.uri));
  server.setRequestHandler('resources/subscribe', async ({ params }) => {
    await readResource(context, params.uri);
    await subscribe(params.uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', async ({ params }) => {
    await unsubscribe(params.uri);
    return {};
  });
}

function promptFor({ sdk, prompts }: HandlerContext, name: string, caller: Caller): Prompt {
  const prompt = prompts.get(name);
  if (prompt === undefined || !canUse(prompt.scope, caller))
    throw invalidParams(sdk, 'There is no prompt of this name');
  return prompt;
}

/** The string arguments of a prompt: the protocol defines no other types. */
const textArguments = (args: Record<string, unknown> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(args).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

export function handlePrompts(server: Server, context: HandlerContext): void {
  const { sdk, catalogue } = context;
  server.setRequestHandler('prompts/list', (_request, exchange) => ({
    prompts: definitionsFor(catalogue.prompts, callerIn(context, exchange)),
  }));
  server.setRequestHandler('prompts/get', ({ params }, exchange) => {
    const caller = callerIn(context, exchange);
    const prompt = promptFor(context, params.name, caller);
    const args = textArguments(params.arguments);
    const missing = prompt.definition.arguments?.find(
      ({ name, required }) => required === true && args[name] === undefined,
    );
    if (missing !== undefined) throw invalidParams(sdk, `The argument ${missing.name} is missing`);
    return prompt.get(args, { caller, context: exchange });
  });
  server.setRequestHandler('completion/complete', ({ params: { ref, argument } }, exchange) => {
    const caller = callerIn(context, exchange);
    if (ref.type !== 'ref/prompt') return toCompleteResult([]);
    const prompt = promptFor(context, ref.name, caller);
    return toCompleteResult(prompt.complete(argument.name, argument.value));
  });
}
