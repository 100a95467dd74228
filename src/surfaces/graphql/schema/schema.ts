import {
  assertValidSchema,
  extendSchema,
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLInt,
  type GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  isObjectType,
  parse,
} from 'graphql/index.js';
import type { GraphqlContext, NodeFinder, Resolver, Resolvers } from '../context.ts';
import type { BusMessage } from '../subscriptions/subscription-iterator.ts';
import { type SocketContext, subscribers } from '../subscriptions/subscribers.ts';
import { countScalar, dateTimeScalar, jsonScalar, nodeInterface } from './base-types.ts';
import { readNodeId } from './node-ids.ts';
import { adminNodes, adminResolvers } from './resolvers.admin.ts';
import { analyticsNodes, analyticsResolvers } from './resolvers.analytics.ts';
import { peopleNodes, peopleResolvers } from './resolvers.people.ts';
import { statusNodes, statusResolvers } from './resolvers.status.ts';
import { adminSdl, adminTypes } from './schema.admin.ts';
import { analyticsSdl, analyticsTypes, siteEventInterface } from './schema.analytics.ts';
import { baseSdl } from './schema.base.ts';
import { peopleSdl, peopleTypes, viewerEventInterface } from './schema.people.ts';
import { statusSdl, statusTypes } from './schema.status.ts';
import { buildTypes } from './zod-types.ts';

const nodes: Readonly<Record<string, NodeFinder>> = {
  ...peopleNodes,
  ...statusNodes,
  ...analyticsNodes,
  ...adminNodes,
};

async function findNode(_root: unknown, { id }: { id: string }, context: GraphqlContext) {
  const node = readNodeId(id);
  const found = node && (await nodes[node.kind]?.(node.rawId, context));
  return found && { ...found, __typename: node.kind };
}

const baseResolvers = {
  Query: {
    node: findNode,
    version: (_root: unknown, _args: unknown, { services }: GraphqlContext) =>
      services.release.version,
    hello: () => 'Hello, world!',
  },
} satisfies Resolvers;

/** Builds the types of views, with the scalars and interfaces that they need. */
const viewTypes = () =>
  buildTypes(
    [...peopleTypes, ...statusTypes, ...analyticsTypes, ...adminTypes],
    [
      GraphQLBoolean,
      GraphQLFloat,
      GraphQLInt,
      GraphQLString,
      dateTimeScalar,
      countScalar,
      jsonScalar,
      nodeInterface,
      siteEventInterface,
      viewerEventInterface,
    ],
  );

function objectType(schema: GraphQLSchema, name: string): GraphQLObjectType {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new TypeError(`the schema has no type ${name}`);
  return type;
}

function fieldOf(type: GraphQLObjectType, name: string) {
  const field = type.getFields()[name];
  if (field === undefined) throw new TypeError(`the schema has no field ${type.name}.${name}`);
  return field;
}

function addResolvers(schema: GraphQLSchema, resolvers: Resolvers): void {
  for (const [name, fields] of Object.entries(resolvers)) {
    const type = objectType(schema, name);
    // GraphQL has validated the arguments, and the parent field has returned the source.
    for (const [field, resolver] of Object.entries<Resolver>(fields))
      fieldOf(type, field).resolve = (source, args, context: GraphqlContext) =>
        resolver(source as never, args as never, context);
  }
}

function addSubscribers(schema: GraphQLSchema): void {
  const type = objectType(schema, 'Subscription');
  for (const [name, { subscribe, resolve }] of Object.entries(subscribers)) {
    const field = fieldOf(type, name);
    field.subscribe = (_root, args, context: SocketContext) => subscribe(args as never, context);
    field.resolve = (message: BusMessage) => resolve(message);
  }
}

/** Creates the schema with its resolvers. Throws TypeError when they do not match. */
export function createGraphqlSchema(): GraphQLSchema {
  const schema = extendSchema(
    new GraphQLSchema({ types: viewTypes() }),
    parse([baseSdl, peopleSdl, statusSdl, analyticsSdl, adminSdl].join('\n')),
  );
  for (const resolvers of [
    baseResolvers,
    peopleResolvers,
    statusResolvers,
    analyticsResolvers,
    adminResolvers,
  ])
    addResolvers(schema, resolvers);
  addSubscribers(schema);
  assertValidSchema(schema);
  return schema;
}
