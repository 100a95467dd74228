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

/** What a tool or prompt gets besides its arguments. */
interface Call {
  caller: Caller;
  /** The exchange itself: progress, log messages, requests to the client. */
  context: ServerContext;
}

export interface Tool {
  definition: ToolDefinition;
  /** What a caller needs; undefined: every caller may call it. */
  scope: ApiKeyScope | undefined;
  /** Rejects only with a ProtocolError: every other failure is a result with `isError`. */
  call: (args: unknown, call: Call) => Promise<CallToolResult | InputRequiredResult>;
}

export interface Resource {
  definition: ResourceDefinition;
  read: () => ReadResourceResult | Promise<ReadResourceResult>;
}

export interface ResourceTemplate {
  definition: ResourceTemplateType;
  /** Undefined when the URI does not match, or leads nowhere. */
  read: (uri: string) => ReadResourceResult | undefined;
}

export interface Prompt {
  definition: PromptDefinition;
  scope: ApiKeyScope | undefined;
  get: (
    args: Readonly<Record<string, string>>,
    call: Call,
  ) => GetPromptResult | InputRequiredResult;
  /** Values that the argument could have, the best first. */
  complete: (argument: string, value: string) => readonly string[];
}

/** Everything the server offers, in the order in which it is listed. */
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
