import {
  type GraphQLSchema,
  type IntrospectionField,
  type IntrospectionInputValue,
  type IntrospectionType,
  type IntrospectionTypeRef,
  introspectionFromSchema,
} from 'graphql/index.js';

interface DescribedTypeRef {
  /** `[Incident!]!` */
  text: string;
  /** `Incident` */
  name: string;
  /** It stands on the page. */
  isOurs: boolean;
}

export interface DescribedField {
  name: string;
  description: string;
  type: DescribedTypeRef;
  args: readonly {
    name: string;
    description: string;
    type: DescribedTypeRef;
    initially: string | undefined;
  }[];
}

export interface DescribedType {
  name: string;
  kind: string;
  description: string;
  interfaces: readonly string[];
  fields: readonly DescribedField[];
  values: readonly { name: string; description: string }[];
}

export interface DescribedSchema {
  types: readonly DescribedType[];
}

const specified = ['Boolean', 'Float', 'ID', 'Int', 'String'];
const roots = ['Query', 'Mutation', 'Subscription'];
const kinds: Readonly<Partial<Record<string, string>>> = {
  INPUT_OBJECT: 'Input',
  ENUM: 'Enum',
  SCALAR: 'Scalar',
  INTERFACE: 'Interface',
};
const text = (description: string | null | undefined): string => description ?? '';

function reference(type: IntrospectionTypeRef): DescribedTypeRef {
  if (type.kind === 'NON_NULL' || type.kind === 'LIST') {
    const inner = reference(type.ofType);
    return { ...inner, text: type.kind === 'LIST' ? `[${inner.text}]` : `${inner.text}!` };
  }
  return { text: type.name, name: type.name, isOurs: !specified.includes(type.name) };
}

const toArgument = ({ name, description, type, defaultValue }: IntrospectionInputValue) => ({
  name,
  description: text(description),
  type: reference(type),
  initially: defaultValue ?? undefined,
});

const toField = ({ name, description, type, args }: IntrospectionField): DescribedField => ({
  name,
  description: text(description),
  type: reference(type),
  args: args.map(toArgument),
});

const toInput = (value: IntrospectionInputValue): DescribedField => ({
  ...toArgument(value),
  args: [],
});

// By their kind: a type has null for what its kind has not.
function fieldsOf(type: IntrospectionType): DescribedField[] {
  if (type.kind === 'OBJECT' || type.kind === 'INTERFACE') return type.fields.map(toField);
  return type.kind === 'INPUT_OBJECT' ? type.inputFields.map(toInput) : [];
}

function toType(type: IntrospectionType): DescribedType {
  return {
    name: type.name,
    kind: kinds[type.kind] ?? 'Type',
    description: text(type.description),
    interfaces:
      type.kind === 'OBJECT' || type.kind === 'INTERFACE'
        ? type.interfaces.map(({ name }) => name)
        : [],
    fields: fieldsOf(type),
    values:
      type.kind === 'ENUM'
        ? type.enumValues.map(({ name, description }) => ({ name, description: text(description) }))
        : [],
  };
}

/** The roots first, then the others by name. */
function inOrder(a: DescribedType, b: DescribedType): number {
  const [first, second] = [a, b].map(({ name }) => roots.indexOf(name));
  if (first === -1 && second === -1) return a.name < b.name ? -1 : 1;
  return (
    (first === -1 ? roots.length : (first ?? 0)) - (second === -1 ? roots.length : (second ?? 0))
  );
}

/** The schema as a page shows it. */
export function describeSchema(schema: GraphQLSchema): DescribedSchema {
  const { types } = introspectionFromSchema(schema).__schema;
  return {
    types: types
      .filter(({ name }) => !name.startsWith('__') && !specified.includes(name))
      .map(toType)
      .sort(inOrder),
  };
}
