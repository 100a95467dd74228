import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { toSnakeCase } from '../../../lib/text/case.ts';
import {
  type BoundResource,
  type Entry,
  idOf,
  ListQuery,
  listQueryOf,
  type Resource,
  splitParents,
  type Values,
} from '../../../platform/resource/resource.ts';
import { type Caller, callerActor } from '../caller.ts';
import { type CreateTool, defineTool, readOnly } from './tool.ts';

const changing = (annotations: ToolAnnotations = {}): ToolAnnotations => ({
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
  ...annotations,
});

/** The path parameters of an entry. */
const placeOf = (resource: Resource) =>
  z.strictObject({
    ...resource.parents?.shape,
    id: idOf(resource).describe('The id of the entry.'),
  });

const parentsOf = (resource: Resource, args: Values): Values =>
  splitParents(resource, args).parents;

/** What all tools that change entries have in common. */
const changeOf = ({ resource: { scope }, admitChange }: BoundResource) => ({
  scope,
  admit: (caller: Caller) => admitChange(callerActor(caller)),
});

/** A schema without its name, which the JSON schema of a tool could only refer to. */
const unnamed = (view: z.ZodObject): z.ZodObject => z.object(view.shape);

const nameOf = (verb: string, noun: string): string => `${verb}_${toSnakeCase(noun)}`;

const titleOf = (verb: string, words: string): string => `${verb} ${words}`;

function listTool({ resource, service }: BoundResource): CreateTool {
  const { name, scope, texts, view, hasTotal = false } = resource;
  return defineTool({
    name: nameOf('list', name),
    title: titleOf('List', texts.many),
    annotations: readOnly,
    scope,
    description: `${texts.description} Returns a page; pass its next_cursor as cursor for more.`,
    input: z.strictObject({ ...resource.parents?.shape, ...listQueryOf(resource).shape }),
    output: z.object({
      data: z.array(unnamed(view)),
      next_cursor: z.string().nullable(),
      ...(hasTotal && { total: z.int() }),
    }),
    run(args, { requester: { signal } }) {
      const { parents, values } = splitParents(resource, args);
      return service.list(ListQuery.parse(values), signal, parents);
    },
  });
}

function getTool({ resource, service }: BoundResource): CreateTool {
  const { type, scope, texts, view, name, notFound } = resource;
  return defineTool({
    name: nameOf('get', type),
    title: titleOf('Get', texts.one),
    annotations: readOnly,
    scope,
    description: `Returns all details of ${texts.one}.`,
    input: placeOf(resource),
    output: unnamed(view),
    nextSteps: { [notFound]: `Call ${nameOf('list', name)} for the existing ids.` },
    run: (args) => service.get(args.id, parentsOf(resource, args)),
  });
}

function createTool(bound: BoundResource): CreateTool[] {
  const { resource, service } = bound;
  const { type, texts, view, create } = resource;
  if (create === undefined) return [];
  return [
    defineTool({
      name: nameOf('create', type),
      title: titleOf('Create', texts.one),
      annotations: changing(),
      ...changeOf(bound),
      description: `Creates ${texts.one} and returns it.`,
      input: z.strictObject({ ...resource.parents?.shape, ...create.shape }),
      output: unnamed(resource.created ?? view),
      run(args, caller) {
        const { parents, values } = splitParents(resource, args);
        return service.create?.(values, callerActor(caller), parents) ?? missing();
      },
    }),
  ];
}

function missing(): never {
  throw new TypeError('the service has no such operation');
}

function updateTool(bound: BoundResource): CreateTool[] {
  const { resource, service } = bound;
  const { type, texts, view, update } = resource;
  if (update === undefined) return [];
  return [
    defineTool({
      name: nameOf('update', type),
      title: titleOf('Update', texts.one),
      annotations: changing({ idempotentHint: true }),
      ...changeOf(bound),
      description: `Changes the given fields of ${texts.one}; omitted fields stay unchanged.`,
      input: placeOf(resource).extend({ changes: z.strictObject(update.shape) }),
      output: unnamed(view),
      run: (args, caller): Promise<Entry> =>
        service.update?.(args.id, args.changes, callerActor(caller), parentsOf(resource, args)) ??
        missing(),
    }),
  ];
}

function deleteTool(bound: BoundResource): CreateTool[] {
  const { resource, service } = bound;
  const { type, texts, canDelete = true } = resource;
  if (!canDelete) return [];
  return [
    defineTool({
      name: nameOf('delete', type),
      title: titleOf('Delete', texts.one),
      annotations: changing({ destructiveHint: true, idempotentHint: true }),
      ...changeOf(bound),
      description: `Deletes ${texts.one}. This cannot be undone.`,
      input: placeOf(resource),
      output: z.object({ deleted: z.literal(true), id: z.string() }),
      async run(args, caller) {
        const parents = parentsOf(resource, args);
        await (service.delete?.(args.id, callerActor(caller), parents) ?? missing());
        return { deleted: true as const, id: args.id };
      },
    }),
  ];
}

/** The tools of each resource: list, get, create, update and delete, as far as it has them. */
export const resourceTools = (resources: readonly BoundResource[]): CreateTool[] =>
  resources.flatMap((bound) => [
    listTool(bound),
    getTool(bound),
    ...createTool(bound),
    ...updateTool(bound),
    ...deleteTool(bound),
  ]);
