import type {
  CallToolResult,
  Tool as ToolView,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { withTimeout } from '../../../lib/concurrency/with-timeout.ts';
import { cutText } from '../../../lib/text/fitting.ts';
import { toProblem } from '../../../platform/errors/error-handler.ts';
import { AppError, requestErrors } from '../../../platform/errors/errors.ts';
import type { ApiKeyScope } from '../../../platform/identity/identity.ts';
import { RequestValidationError } from '../../../platform/validation/validation-error.ts';
import { type Caller, isInScope } from '../caller.ts';
import type { Tool } from '../offer.ts';

type Shape = z.ZodObject<z.ZodRawShape>;

export interface ToolSpec<Input extends Shape, Output extends Shape> {
  name: string;
  title: string;
  /** For a model: what it gives and when to take it. */
  description: string;
  /** What REST asks for the same thing. */
  scope?: ApiKeyScope;
  annotations: ToolAnnotations;
  input: Input;
  output: Output;
  /** What to do after an error with this code. */
  next?: Readonly<Record<string, string>>;
  run: (args: z.output<Input>, caller: Caller) => z.input<Output> | Promise<z.input<Output>>;
}

export interface ToolDeps {
  /** Told of what failed on our side. */
  failed: (error: unknown, tool: string, requestId: string) => void;
  /** Milliseconds that a call may take. */
  timeoutMs?: number;
}

/** Reads and changes nothing. */
export const reads: ToolAnnotations = {
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
});

/** Not every client can compile classes of Unicode: a pattern that has some is checked here only. */
const withoutUnicode = (name: string, value: unknown): unknown =>
  name === 'pattern' && typeof value === 'string' && /\\p\{/i.test(value) ? undefined : value;

const jsonSchema = (schema: Shape, io: 'input' | 'output') =>
  JsonSchema.parse(
    JSON.parse(
      JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any' }), withoutUnicode),
    ),
  );

const refusal = (text: string): CallToolResult => ({
  content: [{ type: 'text', text }],
  isError: true,
});

/** Names of arguments that there are not come from the caller, and may end up in a terminal. */
const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '\uFFFD').toWellFormed();

/** Where in the arguments, and what; values are not repeated. */
function mistakesOf(error: z.ZodError | RequestValidationError): string {
  const mistakes =
    error instanceof RequestValidationError
      ? error.details.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`)
      : error.issues.map(
          ({ path, message }) => `${path.map(String).join('.') || 'arguments'}: ${message}`,
        );
  return mistakes
    .slice(0, 20)
    .map((mistake) => printable(cutText(mistake, 300)))
    .join('\n');
}

function nextStep(status: number, headers: Record<string, string | string[]>): string {
  if (status === 429 || status === 503)
    return `Try again in ${String(headers['retry-after'] ?? 5)} seconds.`;
  if (status === 404) return 'Ask the tool that lists these things for what there is.';
  return status >= 500
    ? 'Try again once; if it stays, tell an admin the request id.'
    : 'Change the arguments and try again.';
}

function deviceRefusal(error: AppError): CallToolResult {
  return refusal(
    `${error.message} (${error.code})\nNext: ask for clearance of this device under /account/devices, or use an API key with the scope.`,
  );
}

function timedOut(): never {
  throw requestErrors.unavailable({ detail: 'This took too long.' });
}

/**
 * Makes a tool of its description. Its arguments and its answer go through their schemas, so that nothing gets in or out that is
 * not in them; what a caller may not do, does wrong, or can't have now is a result with `isError` that says what to do next.
 */
export function defineTool<Input extends Shape, Output extends Shape>(
  spec: ToolSpec<Input, Output>,
  { failed, timeoutMs = 20_000 }: ToolDeps,
): Tool {
  const { name, title, description, annotations, scope, input, output, run, next = {} } = spec;
  const view: ToolView = {
    name,
    title,
    description,
    annotations: { title, ...annotations },
    inputSchema: jsonSchema(input, 'input'),
    outputSchema: jsonSchema(output, 'output'),
  };

  function explain(error: unknown, { requestId }: Caller): CallToolResult {
    if (error instanceof RequestValidationError)
      return refusal(
        `These arguments do not fit:\n${mistakesOf(error)}\nNext: correct them and call ${name} again.`,
      );
    const { problem, headers } = toProblem(error, requestId);
    if (problem.status >= 500 && !(error instanceof AppError && error.cause === undefined))
      failed(error, name, requestId);
    const trace = problem.status >= 500 ? `, request id ${requestId}` : '';
    return refusal(
      `${problem.detail} (${problem.code}${trace})\nNext: ${next[problem.code] ?? nextStep(problem.status, headers)}`,
    );
  }

  async function answer(args: z.output<Input>, caller: Caller): Promise<CallToolResult> {
    try {
      const structured = output.parse(
        await withTimeout(Promise.resolve(run(args, caller)), timeoutMs, timedOut),
      );
      return {
        content: [{ type: 'text', text: JSON.stringify(structured) }],
        structuredContent: structured,
      };
    } catch (error) {
      return explain(error, caller);
    }
  }

  return {
    view,
    scope,
    async call(args, { caller }) {
      if (!isInScope(scope, caller))
        return refusal(
          `${requestErrors.forbidden().message} (request.forbidden)\nNext: use a credential with the scope ${scope ?? ''}.`,
        );
      if (scope !== undefined && caller.notCleared !== undefined)
        return deviceRefusal(caller.notCleared);
      const given = input.safeParse(args ?? {});
      if (!given.success)
        return refusal(
          `These arguments do not fit:\n${mistakesOf(given.error)}\nNext: correct them and call ${name} again.`,
        );
      return answer(given.data, caller);
    },
  };
}
