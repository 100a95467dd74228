import type {
  CallToolResult,
  CompleteResult,
  GetPromptResult,
  InputRequiredResult,
  Prompt as PromptDefinition,
  ReadResourceResult,
  Resource as ResourceDefinition,
  ResourceTemplateType,
  ServerContext,
  Tool as ToolDefinition,
} from '@modelcontextprotocol/server';
import type { ApiKeyScope } from '../../lib/access.ts';
import type { Caller } from './caller.ts';

/** What a tool or prompt receives besides its arguments. */
interface Call {
  caller: Caller;
  /** The context of the SDK: progress, log messages, requests to the client. */
  context: ServerContext;
}

export interface Tool {
  definition: ToolDefinition;
  /** The scope that a caller needs; undefined: none. */
  scope: ApiKeyScope | undefined;
  /** Rejects only with a ProtocolError. All other failures are results with `isError`. */
  call: (args: unknown, call: Call) => Promise<CallToolResult | InputRequiredResult>;
}

export interface Resource {
  definition: ResourceDefinition;
  read: () => ReadResourceResult | Promise<ReadResourceResult>;
}

export interface ResourceTemplate {
  definition: ResourceTemplateType;
  /** Returns undefined when the URI does not match, or the resource does not exist. */
  read: (uri: string) => ReadResourceResult | undefined;
}

export interface Prompt {
  definition: PromptDefinition;
  scope: ApiKeyScope | undefined;
  get: (
    args: Readonly<Record<string, string>>,
    call: Call,
  ) => GetPromptResult | InputRequiredResult;
  /** Suggests values for an argument, best first. */
  complete: (argument: string, value: string) => readonly string[];
}

/** Everything that the server offers, in the order of the lists. */
export interface Catalogue {
  tools: readonly Tool[];
  resources: readonly Resource[];
  templates: readonly ResourceTemplate[];
  prompts: readonly Prompt[];
}

const maxCompletions = 100;

export const toCompleteResult = (values: readonly string[]): CompleteResult => ({
  completion: {
    values: values.slice(0, maxCompletions),
    total: values.length,
    hasMore: values.length > maxCompletions,
  },
});
