import type {
  CallToolResult,
  Tool as ToolDefinition,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { z } from 'zod';
import { withTimeout } from '../../../lib/concurrency/with-timeout.ts';
import { truncateText } from '../../../lib/text/cut.ts';
import { toProblem } from '../../../platform/http/error-handler.ts';
import { AppError, requestErrors } from '../../../platform/errors/errors.ts';
import type { ApiKeyScope } from '../../../lib/access.ts';
import { refuseUnstorable } from '../../../platform/validation/unstorable-text.ts';
import { RequestValidationError } from '../../../platform/validation/validation-error.ts';
import { type Caller, isInScope } from '../caller.ts';
import type { Tool } from '../catalogue.ts';

type Shape = z.ZodObject<z.ZodRawShape>;

/** What is said of a tool. */
interface ToolFacts {
  name: string;
  title: string;
  /** Tells the model what the tool returns and when to call it. */
  description: string;
  /** The scope that the REST API requires for the same operation. */
  scope?: ApiKeyScope;
  annotations: ToolAnnotations;
  /** Refuses a caller with the scope by throwing, before the arguments are read. */
  admit?: (caller: Caller) => void;
  /** Advice on what to do next, by error code. */
  nextSteps?: Readonly<Record<string, string>>;
  input: Shape;
  output: Shape;
}

export interface ToolSpec<Input extends Shape, Output extends Shape> extends ToolFacts {
  input: Input;
  output: Output;
  run: (args: z.output<Input>, caller: Caller) => z.input<Output> | Promise<z.input<Output>>;
}

/** Creates a tool that logs internal errors. */
export type CreateTool = (logger: Logger) => Tool;

const timeoutMs = 20_000;

/** The annotations of a read-only tool. */
export const readOnly: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

const JsonSchema = z.object({
  type: z.literal('object'),
  properties: z.record(z.string(), z.json()),
  required: z.array(z.string()).optional(),
  additionalProperties: z.json().optional(),
  $defs: z.record(z.string(), z.json()).optional(),
});

/** Removes patterns with Unicode property escapes, which some clients cannot compile. */
const withoutUnicode = (name: string, value: unknown): unknown =>
  name === 'pattern' && typeof value === 'string' && /\\p\{/i.test(value) ? undefined : value;

const toJsonSchema = (schema: Shape, io: 'input' | 'output') =>
  JsonSchema.parse(
    JSON.parse(
      JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any' }), withoutUnicode),
    ),
  );

const errorResult = (text: string): CallToolResult => ({
  content: [{ type: 'text', text }],
  isError: true,
});

/** Replaces control characters: names of unknown arguments may be printed to a terminal. */
const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '\uFFFD').toWellFormed();

/** Lists the paths and messages of issues, never the values. */
function issuesOf(error: z.ZodError | RequestValidationError): string {
  const issues =
    error instanceof RequestValidationError
      ? error.details.map(
          ({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg.replace(/^Value error, /, '')}`,
        )
      : error.issues.map(
          ({ path, message }) => `${path.map(String).join('.') || 'arguments'}: ${message}`,
        );
  return issues
    .slice(0, 20)
    .map((issue) => printable(truncateText(issue, 300)))
    .join('\n');
}

const invalidArguments = (name: string, error: z.ZodError | RequestValidationError) =>
  errorResult(
    `These arguments are invalid:\n${issuesOf(error)}\nNext: correct them and call ${name} again.`,
  );

function outOfScope(scope: ApiKeyScope | undefined): CallToolResult {
  const { message } = requestErrors.forbidden();
  return errorResult(
    `${message} (request.forbidden)\nNext: use a credential with the scope ${scope ?? ''}.`,
  );
}

const deviceNotCleared = ({ message, code }: AppError): CallToolResult =>
  errorResult(
    `${message} (${code})\nNext: request approval of this device under /account/devices, ` +
      'or use an API key with the scope.',
  );

function defaultNextStep(
  { status, code }: { status: number; code: string },
  headers: Record<string, string | string[]>,
): string {
  if (status === 429 || status === 503)
    return `Try again in ${String(headers['retry-after'] ?? 5)} seconds.`;
  if (code === 'auth.step_up_required')
    return 'Ask the person to sign in again, then call again with the new token.';
  if (status === 404) return 'Call the tool that lists these objects for the existing ids.';
  return status >= 500
    ? 'Try again once; if it fails again, give an admin the request id.'
    : 'Change the arguments and try again.';
}

/** Converts an error to a result with `isError`. Unexpected errors are logged. */
function failure(
  error: unknown,
  { name, nextSteps = {} }: ToolFacts,
  { requestId }: Caller,
  logger: Logger,
): CallToolResult {
  if (error instanceof RequestValidationError) return invalidArguments(name, error);
  const { problem, headers } = toProblem(error, requestId);
  const { status, detail, code } = problem;
  if (status >= 500 && !(error instanceof AppError && error.cause === undefined))
    logger.error({ err: error, tool: name, request_id: requestId }, 'a tool failed');
  const trace = status >= 500 ? `, request id ${requestId}` : '';
  return errorResult(
    `${detail} (${code}${trace})\nNext: ${nextSteps[code] ?? defaultNextStep(problem, headers)}`,
  );
}

function timedOut(): never {
  throw requestErrors.unavailable({
    detail: 'The call took too long and was canceled. Request less data, then retry.',
  });
}

/** Reads arguments. Returns the result for those that don't fit. */
function readArguments<Args>(
  name: string,
  read: (args: unknown) => Args,
  args: unknown,
): { args: Args } | { refusal: CallToolResult } {
  refuseUnstorable(args, 'body');
  try {
    return { args: read(args ?? {}) };
  } catch (error) {
    if (error instanceof z.ZodError) return { refusal: invalidArguments(name, error) };
    throw error;
  }
}

/**
 * Creates a tool that reads its arguments with `read`, and answers with what `run` returns, parsed
 * with its schema, so that undeclared members never pass. Every failure is a result with `isError`
 * that advises what to do next.
 */
export function createTool<Args>(
  spec: ToolFacts,
  read: (args: unknown) => Args,
  run: (args: Args, caller: Caller) => unknown,
): CreateTool {
  const { name, title, description, annotations, scope, input, output } = spec;
  const definition: ToolDefinition = {
    name,
    title,
    description,
    annotations: { title, ...annotations },
    inputSchema: toJsonSchema(input, 'input'),
    outputSchema: toJsonSchema(output, 'output'),
  };
  return (logger) => ({
    definition,
    scope,
    async call(given, { caller }) {
      if (!isInScope(scope, caller)) return outOfScope(scope);
      if (scope !== undefined && caller.notCleared !== undefined)
        return deviceNotCleared(caller.notCleared);
      try {
        spec.admit?.(caller);
        const reading = readArguments(name, read, given);
        if ('refusal' in reading) return reading.refusal;
        const running = Promise.resolve(run(reading.args, caller));
        const structuredContent = output.parse(await withTimeout(running, timeoutMs, timedOut));
        const text = JSON.stringify(structuredContent);
        return { content: [{ type: 'text', text }], structuredContent };
      } catch (error) {
        return failure(error, spec, caller, logger);
      }
    },
  });
}

/** Creates a tool whose arguments are read with the schema of its input. */
export const defineTool = <Input extends Shape, Output extends Shape>(
  spec: ToolSpec<Input, Output>,
): CreateTool => createTool(spec, (args) => spec.input.parse(args), spec.run);
