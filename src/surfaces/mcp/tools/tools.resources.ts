import { z } from 'zod';
import { toSnakeCase } from '../../../lib/text/case.ts';
import { inputShape } from '../../../platform/operations/input.ts';
import type { Operation } from '../../../platform/operations/operation.ts';
import { resourceOperations } from '../../../platform/resource/operations.ts';
import { type BoundResource, idOf, type Resource } from '../../../platform/resource/resource.ts';
import { callerActor, callOf } from '../caller.ts';
import { createTool, type CreateTool } from './tool.ts';
import { annotationsOf, outputOf, unnamed } from './tools.operations.ts';

/** What tools say, by operation. Other operations, such as files, have no tool. */
const descriptionsOf = ({ texts }: Resource): Readonly<Partial<Record<string, string>>> => ({
  list: `${texts.description} Returns a page; pass its next_cursor as cursor for more.`,
  get: `Returns all details of ${texts.one}.`,
  create: `Creates ${texts.one} and returns it.`,
  update: `Changes the given fields of ${texts.one}; omitted fields stay unchanged.`,
  delete: `Deletes ${texts.one}. This cannot be undone.`,
});

/** The arguments, and how they become the input: changes are in a member of their own. */
function argumentsOf(resource: Resource, operation: Operation<object>, verb: string) {
  const id = idOf(resource).describe('The id of the entry.');
  const place = z.strictObject({ ...resource.parents?.shape, id });
  const input =
    verb === 'list' || verb === 'create' ? z.strictObject(inputShape(operation)) : place;
  if (verb !== 'update') return { input, read: (args: unknown): object => input.parse(args) };
  const update = place.extend({ changes: z.strictObject({ ...resource.update?.shape }) });
  const read = (args: unknown): object => {
    const { changes, ...entry } = update.parse(args);
    return { ...changes, ...entry };
  };
  return { input: update, read };
}

function toolOf(
  { resource, admitChange }: BoundResource,
  operation: Operation<object>,
): CreateTool[] {
  const { name, type, scope, view, notFound } = resource;
  const verb = operation.id.slice(name.length + 1);
  const description = descriptionsOf(resource)[verb];
  if (description === undefined) return [];
  const listName = `list_${toSnakeCase(name)}`;
  const annotations = annotationsOf(operation);
  const { input, read } = argumentsOf(resource, operation, verb);
  const output = outputOf(operation);
  return [
    createTool(
      {
        name: verb === 'list' ? listName : `${verb}_${toSnakeCase(type)}`,
        title: operation.summary,
        annotations,
        scope,
        admit: (caller) => {
          if (annotations.readOnlyHint !== true) admitChange(callerActor(caller));
        },
        description,
        input,
        output: verb === 'list' ? output.extend({ data: z.array(unnamed(view)) }) : output,
        nextSteps: { [notFound]: `Call ${listName} for the existing ids.` },
      },
      read,
      (args, caller) => operation.run({}, args, callOf(caller)),
    ),
  ];
}

/** The tools of each resource: list, get, create, update and delete, as far as it has them. */
export const resourceTools = (resources: readonly BoundResource[]): CreateTool[] =>
  resources.flatMap((bound) =>
    resourceOperations(bound).flatMap((operation) => toolOf(bound, operation)),
  );
