import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { apiKeyScopes } from '../../../lib/access.ts';
import { type BoundOperation, operationsFor } from '../../../platform/operations/bound.ts';
import { inputShape } from '../../../platform/operations/input.ts';
import type { Operation } from '../../../platform/operations/operation.ts';
import { callerActor, callOf } from '../caller.ts';
import { createTool, type CreateTool, readOnly } from './tool.ts';

/** The annotations of an operation, by its method. */
export function annotationsOf({ path }: Operation<never>): ToolAnnotations {
  const method = path.slice(0, path.indexOf(' '));
  if (method === 'GET') return readOnly;
  return {
    readOnlyHint: false,
    destructiveHint: method === 'DELETE',
    idempotentHint: method !== 'POST',
    openWorldHint: false,
  };
}

/** A schema without its name, which the JSON schema of a tool could only refer to. */
export const unnamed = ({ shape }: z.ZodObject): z.ZodObject => z.object(shape);

export function outputOf({ id, output }: Operation<never>): z.ZodObject {
  if (output === undefined) return z.object({});
  if (output instanceof z.ZodObject) return unnamed(output);
  throw new TypeError(`${id} has an output that is not an object, which a tool can't return`);
}

function toolOf({ operation, name, admit, run }: BoundOperation): CreateTool {
  const { id, summary, description = '', scope } = operation;
  const keyScope = apiKeyScopes.find((each) => each === scope);
  if (keyScope === undefined) throw new TypeError(`${id} has no scope of API keys, for a tool`);
  return createTool(
    {
      name,
      title: summary,
      annotations: annotationsOf(operation),
      scope: keyScope,
      admit: (caller) => admit(callerActor(caller)),
      description: `${summary}. ${description}`.trim(),
      input: z.strictObject(inputShape(operation)),
      output: outputOf(operation),
    },
    // The operation reads them with its own schemas, and their refinements.
    (args) => z.record(z.string(), z.unknown()).parse(args),
    async (args, caller) => (await run(args, callOf(caller))) ?? {},
  );
}

/** A tool for each operation that the Model Context Protocol carries. */
export const operationTools = (operations: readonly BoundOperation[]): CreateTool[] =>
  operationsFor('mcp', operations).map(toolOf);
