import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  print,
} from 'graphql/index.js';

interface Described {
  name: string;
  description: string;
}

export interface DescribedField extends Described {
  type: {
    /** `[Incident!]!` */
    text: string;
    /** `Incident` */
    name: string;
    /** False for scalars of the specification, which the page does not describe. */
    isDescribed: boolean;
  };
  args: readonly (Omit<DescribedField, 'args'> & { defaultValue: string | undefined })[];
}

export interface DescribedType extends Described {
  kind: string;
  interfaces: readonly string[];
  fields: readonly DescribedField[];
  values: readonly Described[];
}

/** The content of the schema page as plain data, so that the page does not load graphql-js. */
export interface DescribedSchema {
  types: readonly DescribedType[];
}

const roots = ['Query', 'Mutation', 'Subscription'];

function kindOf(type: GraphQLNamedType): string {
  if (isInputObjectType(type)) return 'Input';
  if (isEnumType(type)) return 'Enum';
  if (isScalarType(type)) return 'Scalar';
  return isInterfaceType(type) ? 'Interface' : 'Type';
}

function referenceTo(type: GraphQLType): DescribedField['type'] {
  const named = getNamedType(type);
  return { text: String(type), name: named.name, isDescribed: !isSpecifiedScalarType(named) };
}

const describe = ({
  name,
  description,
}: Pick<GraphQLNamedType, 'name' | 'description'>): Described => ({
  name,
  description: description ?? '',
});

function describeArgument(argument: GraphQLArgument | GraphQLInputField) {
  const { type } = argument;
  const value = astFromValue(argument.defaultValue, type);
  const defaultValue = value == null ? undefined : print(value);
  return { ...describe(argument), type: referenceTo(type), defaultValue };
}

function describeFields(type: GraphQLNamedType): DescribedField[] {
  if (isInputObjectType(type))
    return Object.values(type.getFields()).map((field) => ({
      ...describeArgument(field),
      args: [],
    }));
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).map((field) => ({
    ...describe(field),
    type: referenceTo(field.type),
    args: field.args.map(describeArgument),
  }));
}

const describeType = (type: GraphQLNamedType): DescribedType => ({
  ...describe(type),
  kind: kindOf(type),
  interfaces:
    isObjectType(type) || isInterfaceType(type) ? type.getInterfaces().map(({ name }) => name) : [],
  fields: describeFields(type),
  values: isEnumType(type) ? type.getValues().map(describe) : [],
});

/** Sorts root types first, then the others by name. */
function compareTypes(a: DescribedType, b: DescribedType): number {
  const rankOf = ({ name }: DescribedType) =>
    roots.includes(name) ? roots.indexOf(name) : roots.length;
  return rankOf(a) - rankOf(b) || (a.name < b.name ? -1 : 1);
}

/** Describes the types of a schema, except introspection and specified scalars. */
export const describeSchema = (schema: GraphQLSchema): DescribedSchema => ({
  types: Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
    .map(describeType)
    .sort(compareTypes),
});
