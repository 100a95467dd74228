import {
  GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedOutputType,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  getNullableType,
  isInterfaceType,
  isOutputType,
} from 'graphql/index.js';
import { z } from 'zod';
import { isIntegerSchema } from '../../../platform/validation/zod-inspection.ts';
import { toCamelCase } from '../../../lib/text/case.ts';
import { toNodeId } from './node-ids.ts';
import {
  describedBy,
  type EnumTypeSpec,
  labelOf,
  type ObjectTypeSpec,
  type TypeDefinition,
  type TypeNames,
} from './type-definitions.ts';

type View = Readonly<Record<string, unknown>>;
type FieldEntry = [name: string, field: GraphQLFieldConfig<View, unknown>];

const scalarNames: Readonly<Partial<Record<string, string>>> = {
  boolean: 'Boolean',
  number: 'Float',
  record: 'JSON',
  string: 'String',
  union: 'JSON',
};

function scalarNameOf(schema: z.core.$ZodType, integers = 'Int'): string | undefined {
  if (schema instanceof z.ZodISODateTime) return 'DateTime';
  if (schema instanceof z.ZodLiteral && typeof schema.value === 'boolean') return 'Boolean';
  const { type } = schema._zod.def;
  return type === 'number' && isIntegerSchema(schema) ? integers : scalarNames[type];
}

/** Converts lists and nullability; `typeOf` returns the named type inside. Optional is nullable. */
function toOutputType(
  schema: z.core.$ZodType,
  typeOf: (schema: z.core.$ZodType) => GraphQLNamedOutputType,
): GraphQLOutputType {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return getNullableType(toOutputType(schema.unwrap(), typeOf));
  return new GraphQLNonNull(
    schema instanceof z.ZodArray
      ? new GraphQLList(toOutputType(schema.element, typeOf))
      : typeOf(schema),
  );
}

/** The types by name, and their names by schema. */
function createTypeRegistry(names: TypeNames) {
  const types = new Map<string, GraphQLNamedType>();
  return {
    types,
    add: (type: GraphQLNamedType) => types.set(type.name, type),
    nameOf: (schema: z.core.$ZodType, { integers }: ObjectTypeSpec) =>
      names.get(schema) ?? scalarNameOf(schema, integers),

    /** Returns an output type by its name. Throws TypeError when it is missing. */
    outputType: (name: string | undefined): GraphQLNamedOutputType => {
      const type = types.get(name ?? '');
      if (!isOutputType(type)) throw new TypeError(`there is no output type ${name}`);
      return type;
    },
  };
}

type TypeRegistry = ReturnType<typeof createTypeRegistry>;

/** The name of a member: the `id` of an incident is `incidentId`, beside the global `id`. */
const nameOfMember = (member: string, { name, nodeId }: ObjectTypeSpec): string =>
  member === 'id' && nodeId === 'id'
    ? `${name.charAt(0).toLowerCase()}${name.slice(1)}Id`
    : toCamelCase(member);

/** Converts a member of a view to a field; empty when it is omitted. */
function toFields(
  [member, schema]: [string, z.core.$ZodType],
  spec: ObjectTypeSpec,
  registry: TypeRegistry,
): FieldEntry[] {
  const given = spec.fields?.[member] ?? {};
  if (given === false) return [];
  const fieldSpec = typeof given === 'string' ? { name: given } : given;
  const { name = nameOfMember(member, spec), type: typeName } = fieldSpec;
  const isRawId = member === 'id' && name !== 'id';
  const text = fieldSpec.description ?? describedBy(schema);
  const description = isRawId
    ? ['ID in the REST API.', text].join(' ').trim()
    : (text ?? labelOf(member, spec.labels));
  const type = toOutputType(schema, (inner) =>
    registry.outputType(typeName ?? registry.nameOf(inner, spec)),
  );
  const field = { description, type };
  return [[name, name === member ? field : { ...field, resolve: (view) => view[member] }]];
}

/** The fields of an interface. For `Node`, `id` resolves to the global id. */
function inheritedFields(
  type: GraphQLInterfaceType,
  { name, nodeId }: ObjectTypeSpec,
): FieldEntry[] {
  const fields = Object.entries(type.toConfig().fields);
  if (nodeId === undefined || type.name !== 'Node') return fields;
  const resolve = (view: View) => toNodeId(name, String(view[nodeId]));
  return fields.map(([field, config]) => [
    field,
    { type: config.type, description: 'Global id.', resolve },
  ]);
}

function toObjectType(
  schema: z.ZodObject<z.core.$ZodShape>,
  spec: ObjectTypeSpec,
  registry: TypeRegistry,
): GraphQLObjectType<View, unknown> {
  const { name, description = describedBy(schema) ?? labelOf(name) } = spec;
  const interfaces = () =>
    [...(spec.nodeId === undefined ? [] : ['Node']), ...(spec.interfaces ?? [])]
      .map(registry.outputType)
      .filter(isInterfaceType);
  return new GraphQLObjectType<View, unknown>({
    name,
    description,
    interfaces,
    // Lazy, because types refer to one another.
    fields: () =>
      Object.fromEntries([
        ...interfaces().flatMap((type) => inheritedFields(type, spec)),
        ...Object.entries(schema.shape).flatMap((member) => toFields(member, spec, registry)),
      ]),
  });
}

/** A value as a name: with `_` for what GraphQL does not allow. */
const nameOfValue = (value: string): string => value.replaceAll(/\W/g, '_').replace(/^(?=\d)/, '_');

function toEnumType(schema: z.ZodEnum, spec: EnumTypeSpec): GraphQLEnumType {
  const { name, labels = {}, names = {} } = spec;
  const values = schema.options.map((option) => {
    const value = String(option);
    const given = names[value];
    const description = labelOf(value in labels ? value : (given ?? value).toLowerCase(), labels);
    return [given ?? nameOfValue(value), { value, description }] as const;
  });
  const description = spec.description ?? describedBy(schema) ?? labelOf(name);
  return new GraphQLEnumType({ name, description, values: Object.fromEntries(values) });
}

/**
 * Builds GraphQL types from zod schemas. Nested schemas are looked up by identity: each object and
 * enum inside a view needs a name in `names`. `others` are the types that zod cannot express:
 * scalars and interfaces. Throws TypeError when a type is missing.
 */
export function buildTypes(
  definitions: readonly TypeDefinition[],
  others: readonly GraphQLNamedType[],
  names: TypeNames,
): GraphQLNamedType[] {
  const registry = createTypeRegistry(names);
  for (const type of others) registry.add(type);
  for (const { kind, schema, spec } of definitions)
    registry.add(kind === 'enum' ? toEnumType(schema, spec) : toObjectType(schema, spec, registry));
  return [...registry.types.values()];
}
