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
import { type FieldFacts, fieldFacts } from './field-facts.ts';
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
import { statusEventInterface, statusSdl, statusTypes } from './schema.status.ts';
import { type TypeDefinition, type TypeNames, withMembers } from './type-definitions.ts';
import { buildTypes } from './zod-types.ts';
import { accessOf, resolversOfOperation } from '../operations/operation-resolvers.ts';
import { sdlOfOperation } from '../operations/operation-sdl.ts';
import { typesOfOperations } from '../operations/operation-types.ts';
import { nodeFinderOf, resolversOfResource } from '../resources/resource-resolvers.ts';
import { sdlOfResource } from '../resources/resource-sdl.ts';
import { typesOfResource } from '../resources/resource-types.ts';
import { type BoundOperation, operationsFor } from '../../../platform/operations/bound.ts';
import type { BoundResource } from '../../../platform/resource/resource.ts';

/** Finds objects of every type by their global ids. */
function createNodeLookup(resources: readonly BoundResource[]) {
  const nodes = new Map<string, NodeFinder>([
    ...Object.entries({ ...peopleNodes, ...statusNodes, ...analyticsNodes, ...adminNodes }),
    ...resources.map((bound) => [bound.resource.type, nodeFinderOf(bound)] as const),
  ]);
  return async (_root: unknown, { id }: { id: string }, context: GraphqlContext) => {
    const node = readNodeId(id);
    const found = node && (await nodes.get(node.kind)?.(node.rawId, context));
    return found && { ...found, __typename: node.kind };
  };
}

const baseResolvers = {
  Query: {
    version: (_root: unknown, _args: unknown, { services }: GraphqlContext) =>
      services.release.version,
    hello: () => 'Hello, world!',
  },
} satisfies Resolvers;

/** The types of views that are written by hand. */
const viewDefinitions: readonly TypeDefinition[] = [
  ...peopleTypes,
  ...statusTypes,
  ...analyticsTypes,
  ...adminTypes,
];

/** Builds types with the scalars and interfaces that they need. */
const viewTypes = (definitions: readonly TypeDefinition[], names: TypeNames) =>
  buildTypes(
    definitions,
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
      statusEventInterface,
      viewerEventInterface,
    ],
    names,
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

function addFacts(schema: GraphQLSchema, facts: Readonly<Record<string, FieldFacts>>): void {
  for (const [name, each] of Object.entries(facts)) {
    const [type = '', field = ''] = name.split('.');
    fieldOf(objectType(schema, type), field).extensions = { ...each };
  }
}

/** The facts of root fields that are made from resources and operations. */
const factsOf = (resolvers: Resolvers, access: 'admin' | 'reader'): Record<string, FieldFacts> =>
  Object.fromEntries(
    Object.entries(resolvers).flatMap(([type, fields]) =>
      Object.keys(fields).map((field) => [
        `${type}.${field}`,
        { cost: type === 'Mutation' ? 500 : 100, access },
      ]),
    ),
  );

/** Creates the schema with its resolvers. Throws TypeError when they do not match. */
export function createGraphqlSchema(
  resources: readonly BoundResource[],
  operationList: readonly BoundOperation[],
): GraphQLSchema {
  const operations = operationsFor('graphql', operationList);
  const names: TypeNames = new Map(viewDefinitions.map(({ schema, spec }) => [schema, spec.name]));
  const definitions = [
    ...withMembers(viewDefinitions, names),
    ...resources.flatMap(({ resource }) => typesOfResource(resource, names)),
    ...typesOfOperations(operations, names),
  ];
  const sdl = [
    ...resources.map(({ resource }) => sdlOfResource(resource, names)),
    ...operations.map((bound) => sdlOfOperation(bound, names)),
  ];
  const schema = extendSchema(
    new GraphQLSchema({ types: viewTypes(definitions, names) }),
    parse([baseSdl, peopleSdl, statusSdl, analyticsSdl, adminSdl(names), ...sdl].join('\n')),
  );
  for (const resolvers of [
    baseResolvers,
    { Query: { node: createNodeLookup(resources) } },
    ...resources.map(resolversOfResource),
    ...operations.map(resolversOfOperation),
    peopleResolvers,
    statusResolvers,
    analyticsResolvers,
    adminResolvers,
  ])
    addResolvers(schema, resolvers);
  for (const bound of resources) {
    const access = bound.resource.scope === 'admin' ? 'admin' : 'reader';
    addFacts(schema, factsOf(resolversOfResource(bound), access));
  }
  for (const bound of operations)
    addFacts(schema, factsOf(resolversOfOperation(bound), accessOf(bound)));
  addFacts(schema, fieldFacts);
  addSubscribers(schema);
  assertValidSchema(schema);
  return schema;
}
