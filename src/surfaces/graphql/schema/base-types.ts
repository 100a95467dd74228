import {
  GraphQLError,
  GraphQLID,
  GraphQLInterfaceType,
  GraphQLNonNull,
  GraphQLScalarType,
  GraphQLString,
  Kind,
} from 'graphql/index.js';

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

function parseInstant(value: unknown): string {
  if (typeof value === 'string' && instant.test(value) && !Number.isNaN(Date.parse(value)))
    return value;
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
  description: 'How many: a whole number that may be larger than an `Int`.',
});

export const jsonScalar = new GraphQLScalarType({ name: 'JSON', description: 'Any JSON value.' });

export const nodeInterface = new GraphQLInterfaceType({
  name: 'Node',
  description: 'Something that has an id of its own, by which `node` finds it again.',
  fields: {
    id: {
      type: new GraphQLNonNull(GraphQLID),
      description:
        'The same for good, and unlike that of anything else. ' +
        'Its form may change: do not take it apart.',
    },
  },
});

/** Creates the interface of the events of a subscription. */
export const eventInterface = (
  name: string,
  description: string,
  timeDescription: string,
): GraphQLInterfaceType =>
  new GraphQLInterfaceType({
    name,
    description,
    fields: {
      eventId: {
        type: new GraphQLNonNull(GraphQLString),
        description: 'The same for everybody who hears it (UUID).',
      },
      time: { type: new GraphQLNonNull(dateTimeScalar), description: timeDescription },
    },
  });
