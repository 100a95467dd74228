import {
  assertValidSchema,
  buildSchema,
  GraphQLError,
  GraphQLInterfaceType,
  type GraphQLObjectType,
  GraphQLScalarType,
  type GraphQLSchema,
  isObjectType,
  Kind,
} from 'graphql/index.js';
import type { AnyResolver, GraphContext, Resolvers } from '../context.ts';
import type { Told } from '../subscriptions/subscription-iterator.ts';
import { adminSchema } from './schema.admin.ts';
import { analyticsLiveSchema } from './schema.live.ts';
import { analyticsSchema } from './schema.analytics.ts';
import { baseSchema } from './schema.base.ts';
import { incidentSchema } from './schema.incidents.ts';
import { peopleSchema } from './schema.people.ts';
import { statusValuesSchema } from './schema.states.ts';
import { statusSchema } from './schema.status.ts';
import type { SocketContext, Subscriber } from '../subscriptions/subscribers.ts';

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

function readInstant(value: unknown): string {
  if (typeof value === 'string' && instant.test(value) && !Number.isNaN(Date.parse(value)))
    return value;
  throw new GraphQLError('DateTime must be an instant (RFC 3339), such as "2026-11-22T09:00:00Z".');
}

/** What goes out is what the services gave; only instants come in. */
function defineScalars(schema: GraphQLSchema): void {
  const dateTime = schema.getType('DateTime');
  if (!(dateTime instanceof GraphQLScalarType)) throw new TypeError('the schema has no DateTime');
  dateTime.parseValue = readInstant;
  dateTime.parseLiteral = (node) => readInstant(node.kind === Kind.STRING ? node.value : undefined);
}

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

/** Objects say themselves what they are. */
function nameOf(value: unknown): string | undefined {
  return typeof value === 'object' &&
    value !== null &&
    '__typename' in value &&
    typeof value.__typename === 'string'
    ? value.__typename
    : undefined;
}

function attach(schema: GraphQLSchema, resolvers: Resolvers): void {
  for (const [name, fields] of Object.entries(resolvers)) {
    const type = objectType(schema, name);
    // GraphQL has looked at the arguments, and the source came from the field above.
    for (const [each, resolver] of Object.entries<AnyResolver>(fields))
      fieldOf(type, each).resolve = (source, args, context: GraphContext) =>
        resolver(source as never, args as never, context);
  }
}

/** The schema, and what gives its fields. Throws when they don't fit together. */
export function createGraphSchema(
  resolvers: readonly Resolvers[],
  subscribers: Readonly<Record<string, Subscriber>>,
): GraphQLSchema {
  const schema = buildSchema(
    [
      baseSchema,
      peopleSchema,
      statusValuesSchema,
      statusSchema,
      incidentSchema,
      analyticsSchema,
      analyticsLiveSchema,
      adminSchema,
    ].join('\n'),
  );
  defineScalars(schema);
  for (const type of Object.values(schema.getTypeMap()))
    if (type instanceof GraphQLInterfaceType) type.resolveType = nameOf;
  for (const each of resolvers) attach(schema, each);
  const subscription = objectType(schema, 'Subscription');
  for (const [name, { subscribe, resolve }] of Object.entries(subscribers)) {
    const field = fieldOf(subscription, name);
    field.subscribe = (root, args, context: SocketContext) =>
      subscribe(root, args as never, context);
    field.resolve = (told: Told) => resolve(told);
  }
  assertValidSchema(schema);
  return schema;
}
