import { z } from 'zod';
import { undefinedIfMissing } from '../../../platform/errors/errors.ts';
import {
  principalActor,
  type RequestActor,
} from '../../../platform/http/requests/request-actor.ts';
import {
  type BoundResource,
  type Entry,
  ListQuery,
  listQueryOf,
  type Resource,
} from '../../../platform/resource/resource.ts';
import type { GraphqlContext, NodeFinder, Resolvers } from '../context.ts';
import { readArguments } from '../schema/arguments.ts';
import type { Connection, PageArgs } from '../schema/connections.ts';
import { rawIdOf, toNodeId } from '../schema/node-ids.ts';
import { fieldNamesOf } from './resource-sdl.ts';

const EntryId = z.object({ id: z.uuid().toLowerCase() });

const isEntryId = (id: string): boolean => EntryId.safeParse({ id }).success;

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
  { data, cursorAt, next_cursor: next }: Awaited<ReturnType<BoundResource['service']['list']>>,
  after: string | null | undefined,
): Connection<Entry> {
  const edges = data.map((node, at) => ({ cursor: cursorAt(at) ?? '', node }));
  return {
    edges,
    nodes: data,
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
      const given = { ...others, limit: first, cursor: after };
      const query = readArguments(listQueryOf(resource), given, 'query');
      const page = await service.list(ListQuery.parse(query), context.requester().signal);
      return toConnection(page, after);
    },

    get: async (_root: unknown, { id }: { id: string }, context: GraphqlContext) => {
      await actorFor(resource, context);
      const rawId = rawIdOf(resource.type, id);
      return isEntryId(rawId) ? undefinedIfMissing(service.get(rawId)) : undefined;
    },
  };
}

function createMutations(bound: BoundResource) {
  const { resource, service } = bound;
  const { create, update, type } = resource;
  const field = fieldNamesOf(resource).get;
  const idOf = (id: string) => readArguments(EntryId, { id: rawIdOf(type, id) }).id;

  return {
    create: async (_root: unknown, { input }: { input: object }, context: GraphqlContext) => {
      const by = await changerOf(bound, context);
      const body = readArguments(create ?? z.object({}), input);
      return { [field]: await service.create?.(body, by) };
    },

    update: async (
      _root: unknown,
      { id, input }: { id: string; input: object },
      context: GraphqlContext,
    ) => {
      const by = await changerOf(bound, context);
      const body = readArguments(update ?? z.object({}), input);
      return { [field]: await service.update?.(idOf(id), body, by) };
    },

    delete: async (_root: unknown, { id }: { id: string }, context: GraphqlContext) => {
      const by = await changerOf(bound, context);
      await service.delete?.(idOf(id), by);
      return { deletedId: toNodeId(type, idOf(id)) };
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

/** Finds an entry by its id in the REST API, for `node`. */
export const nodeFinderOf =
  ({ resource, service }: BoundResource): NodeFinder =>
  async (rawId, context) => {
    await actorFor(resource, context);
    return isEntryId(rawId) ? undefinedIfMissing(service.get(rawId)) : undefined;
  };
