import {
  GraphQLError,
  GraphQLID,
  GraphQLInterfaceType,
  GraphQLNonNull,
  GraphQLScalarType,
  GraphQLString,
  Kind,
} from 'graphql/index.js';
import { canonicalInstant } from '../../../lib/timestamps.ts';

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

function parseInstant(given: unknown): string {
  const value = typeof given === 'string' ? canonicalInstant(given) : '';
  if (instant.test(value) && !Number.isNaN(Date.parse(value))) return value;
  throw new GraphQLError('DateTime must be an instant (RFC 3339), such as "2026-11-22T09:00:00Z".');
}

/** RFC 3339 strings. Only arguments are checked: views already contain valid strings. */
export const dateTimeScalar = new GraphQLScalarType<string, unknown>({
  name: 'DateTime',
  description: 'An instant (RFC 3339), such as `2026-11-22T09:00:00.000Z`.',
  serialize: (value) => value,
  parseValue: parseInstant,
  parseLiteral: (node) => parseInstant(node.kind === Kind.STRING ? node.value : undefined),
});

export const countScalar = new GraphQLScalarType({
  name: 'Count',
  description: 'A count: an integer that may exceed `Int`.',
});

export const jsonScalar = new GraphQLScalarType({ name: 'JSON', description: 'Any JSON value.' });

export const nodeInterface = new GraphQLInterfaceType({
  name: 'Node',
  description: 'An object with a global id, which `node` can fetch.',
  fields: {
    id: {
      type: new GraphQLNonNull(GraphQLID),
      description: 'Permanent and globally unique. Opaque: its format may change.',
    },
  },
});

const described = (type: GraphQLScalarType, description: string) => ({
  type: new GraphQLNonNull(type),
  description,
});

/** Creates the interface of the events of a subscription. `hasType`: they tell what happened. */
export const eventInterface = (
  name: string,
  { description, hasType = false }: { description: string; hasType?: boolean },
): GraphQLInterfaceType =>
  new GraphQLInterfaceType({
    name,
    description,
    fields: {
      eventId: described(GraphQLString, 'Event id (UUID), the same for all subscribers.'),
      time: described(dateTimeScalar, 'Time of the event.'),
      ...(hasType && { type: described(GraphQLString, 'What happened: `incident.created`, …') }),
    },
  });
