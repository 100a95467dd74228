import { z } from 'zod';
import { undefinedIfMissing } from '../../../platform/errors/errors.ts';
import {
  principalActor,
  type RequestActor,
} from '../../../platform/http/requests/request-actor.ts';
import {
  type BoundResource,
  type Entry,
  idOf,
  ListQuery,
  listQueryOf,
  type Resource,
  splitParents,
} from '../../../platform/resource/resource.ts';
import type { GraphqlContext, NodeFinder, Resolvers } from '../context.ts';
import { readArguments, toParameters } from '../schema/arguments.ts';
import type { Connection, PageArgs } from '../schema/connections.ts';
import { rawIdOf, toNodeId } from '../schema/node-ids.ts';
import { fieldNamesOf } from './resource-sdl.ts';

const isEntryId = (resource: Resource, id: string): boolean => idOf(resource).safeParse(id).success;

/** Reads the arguments for path parameters before the id. */
const parentsOf = ({ parents = z.object({}) }: Resource, args: object) =>
  readArguments(parents, args);

/** The actor of a request that may use the resource. Rejects with 401 or 403. */
async function actorFor({ scope }: Resource, context: GraphqlContext): Promise<RequestActor> {
  const access = context.access();
  const principal = await (scope === 'admin' ? access.admin() : access.reader());
  return principalActor(principal, context.requestSource());
}

/** The actor of a change. Rejects with 401 or 403, also for a sign-in that is too old. */
async function changerOf(
  { resource, admitChange }: BoundResource,
  context: GraphqlContext,
): Promise<RequestActor> {
  const by = await actorFor(resource, context);
  admitChange(by);
  return by;
}

function toConnection(
  {
    data,
    cursorAt,
    next_cursor: next,
    total,
  }: Awaited<ReturnType<BoundResource['service']['list']>>,
  after: string | null | undefined,
): Connection<Entry> & { totalCount: number | undefined } {
  const edges = data.map((node, at) => ({ cursor: cursorAt(at) ?? '', node }));
  return {
    edges,
    nodes: data,
    totalCount: total,
    pageInfo: {
      hasNextPage: next !== null,
      hasPreviousPage: after != null,
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

function createQueries({ resource, service }: BoundResource) {
  return {
    list: async (_root: unknown, args: PageArgs, context: GraphqlContext) => {
      await actorFor(resource, context);
      const { first, after, ...others } = args;
      const { parents, values } = splitParents(resource, toParameters(others));
      const given = { ...values, limit: first, cursor: after };
      const query = readArguments(listQueryOf(resource), given, 'query');
      const { signal } = context.requester();
      const page = await service.list(ListQuery.parse(query), signal, parentsOf(resource, parents));
      return toConnection(page, after);
    },

    get: async (_root: unknown, { id, ...args }: { id: string }, context: GraphqlContext) => {
      await actorFor(resource, context);
      const rawId = rawIdOf(resource.type, id);
      return isEntryId(resource, rawId)
        ? undefinedIfMissing(service.get(rawId, parentsOf(resource, args)))
        : undefined;
    },
  };
}

function createMutations(bound: BoundResource) {
  const { resource, service } = bound;
  const { create, update, type } = resource;
  const field = fieldNamesOf(resource).get;
  const entryId = (id: string) =>
    readArguments(z.object({ id: idOf(resource) }), { id: rawIdOf(type, id) }).id;

  return {
    create: async (
      _root: unknown,
      { input, ...args }: { input: object },
      context: GraphqlContext,
    ) => {
      const by = await changerOf(bound, context);
      const body = readArguments(create ?? z.object({}), input);
      const created = await service.create?.(body, by, parentsOf(resource, args));
      return { ...created, [field]: created };
    },

    update: async (
      _root: unknown,
      { id, input, ...args }: { id: string; input: object },
      context: GraphqlContext,
    ) => {
      const by = await changerOf(bound, context);
      const body = readArguments(update ?? z.object({}), input);
      const parents = parentsOf(resource, args);
      return { [field]: await service.update?.(entryId(id), body, by, parents) };
    },

    delete: async (_root: unknown, { id, ...args }: { id: string }, context: GraphqlContext) => {
      const by = await changerOf(bound, context);
      await service.delete?.(entryId(id), by, parentsOf(resource, args));
      return { deletedId: toNodeId(type, entryId(id)) };
    },
  };
}

/** The resolvers of a resource, as far as it has their operations. */
export function resolversOfResource(bound: BoundResource): Resolvers {
  const { create, update, canDelete = true } = bound.resource;
  const names = fieldNamesOf(bound.resource);
  const queries = createQueries(bound);
  const mutations = createMutations(bound);
  return {
    Query: { [names.list]: queries.list, [names.get]: queries.get },
    Mutation: {
      ...(create === undefined ? {} : { [names.create]: mutations.create }),
      ...(update === undefined ? {} : { [names.update]: mutations.update }),
      ...(canDelete ? { [names.delete]: mutations.delete } : {}),
    },
  };
}

/** Finds an entry by its id in the REST API, for `node`; none of a resource with parents. */
export const nodeFinderOf =
  ({ resource, service }: BoundResource): NodeFinder =>
  async (rawId, context) => {
    await actorFor(resource, context);
    return resource.parents === undefined && isEntryId(resource, rawId)
      ? undefinedIfMissing(service.get(rawId))
      : undefined;
  };
