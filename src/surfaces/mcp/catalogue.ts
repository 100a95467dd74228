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

/** What a tool is called with, besides its arguments. */
export interface Call {
  caller: Caller;
  /** The exchange itself: progress, log messages, questions to the client. */
  context: ServerContext;
}

export interface Tool {
  definition: ToolDefinition;
  /** What a caller needs; without one everybody who came in may call it. */
  scope: ApiKeyScope | undefined;
  /** Never rejects but with a ProtocolError: what goes wrong is a result with `isError`. */
  call: (args: unknown, call: Call) => Promise<CallToolResult | InputRequiredResult>;
}

export interface Resource {
  definition: ResourceDefinition;
  read: () => ReadResourceResult | Promise<ReadResourceResult>;
}

export interface ResourceTemplate {
  definition: ResourceTemplateType;
  /** Undefined for an address of another kind, or one that there is nothing at. */
  read: (uri: string) => ReadResourceResult | undefined;
}

export interface Prompt {
  definition: PromptDefinition;
  scope: ApiKeyScope | undefined;
  get: (
    args: Readonly<Record<string, string>>,
    call: Call,
  ) => GetPromptResult | InputRequiredResult;
  /** Values that an argument could have; the best first. */
  complete: (argument: string, value: string) => readonly string[];
}

/** Everything that can be asked for, in the order in which it is listed. */
export interface Catalogue {
  tools: readonly Tool[];
  resources: readonly Resource[];
  templates: readonly ResourceTemplate[];
  prompts: readonly Prompt[];
}

const maxCompletions = 100;

/** The answer to a completion. */
export const toCompletion = (values: readonly string[]): CompleteResult => ({
  completion: {
    values: values.slice(0, maxCompletions),
    total: values.length,
    hasMore: values.length > maxCompletions,
  },
});
