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
import { isIntegerSchema, unwrapSchema } from '../../../platform/validation/zod-inspection.ts';
import { toCamelCase } from '../../../lib/text/case.ts';
import { toNodeId } from './node-ids.ts';

/** The description of a field, `false` to omit it, or an object to set its name or type too. */
type FieldSpec = string | false | { name?: string; description?: string; type?: string };

export interface ObjectTypeSpec<Member extends string = string> {
  name: string;
  description: string;
  /** The names of its interfaces. It gets their fields besides those of the view. */
  interfaces?: readonly string[];
  /** Makes it a `Node`: the member of the view that its global id is derived from. */
  nodeId?: Member;
  /** The type of integers. Default: `Int`. */
  integers?: 'Count';
  /**
   * By member of the view. Defaults: the name in camelCase, the description from `.describe()`, and
   * the type of the schema. `type` replaces that type, such as `DeviceState` for a plain string.
   */
  fields?: Readonly<Partial<Record<Member, FieldSpec>>>;
}

export interface EnumTypeSpec<Value extends string = string> {
  name: string;
  description: string;
  /** The description of each value, and a name where the value is not a valid GraphQL name. */
  values: Readonly<Record<Value, string | { name: string; description: string }>>;
}

/** A zod schema and its specification for GraphQL. */
export type TypeDefinition =
  | { kind: 'object'; schema: z.ZodObject<z.core.$ZodShape>; spec: ObjectTypeSpec }
  | { kind: 'enum'; schema: z.ZodEnum; spec: EnumTypeSpec };

export const objectType = <Shape extends z.core.$ZodShape>(
  schema: z.ZodObject<Shape>,
  spec: ObjectTypeSpec<keyof Shape & string>,
): TypeDefinition => ({ kind: 'object', schema, spec });

export const enumType = <Entries extends z.core.util.EnumLike>(
  schema: z.ZodEnum<Entries>,
  spec: EnumTypeSpec<Entries[keyof Entries] & string>,
): TypeDefinition => ({ kind: 'enum', schema, spec });

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

const descriptionOf = (schema: z.core.$ZodType): string | undefined =>
  (z.globalRegistry.get(schema) ?? z.globalRegistry.get(unwrapSchema(schema)))?.description;

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
function createTypeRegistry(
  definitions: readonly TypeDefinition[],
  aliases: ReadonlyMap<z.core.$ZodType, string>,
) {
  const types = new Map<string, GraphQLNamedType>();
  const names = new Map<z.core.$ZodType, string>([
    ...aliases,
    ...definitions.map(({ schema, spec }) => [schema, spec.name] as const),
  ]);
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

/** Converts a member of a view to a field; empty when it is omitted. */
function toFields(
  [member, schema]: [string, z.core.$ZodType],
  spec: ObjectTypeSpec,
  registry: TypeRegistry,
): FieldEntry[] {
  const fieldSpec = spec.fields?.[member] ?? {};
  if (fieldSpec === false) return [];
  const {
    name = toCamelCase(member),
    description = descriptionOf(schema),
    type: typeName,
  } = typeof fieldSpec === 'string' ? { description: fieldSpec } : fieldSpec;
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
  const { name, description } = spec;
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

const toEnumType = ({ name, description, values }: EnumTypeSpec): GraphQLEnumType =>
  new GraphQLEnumType({
    name,
    description,
    values: Object.fromEntries(
      Object.entries(values).map(([value, given]) =>
        typeof given === 'string'
          ? [value, { value, description: given }]
          : [given.name, { value, description: given.description }],
      ),
    ),
  });

/**
 * Builds GraphQL types from zod schemas. Nested schemas are looked up by identity: each object and
 * enum inside a view needs a definition of its own, or the name of its type. `others` are the types
 * that zod cannot express: scalars and interfaces. `aliases` are the names of types for further
 * schemas. Throws TypeError when a type is missing.
 */
export function buildTypes(
  definitions: readonly TypeDefinition[],
  others: readonly GraphQLNamedType[],
  aliases: ReadonlyMap<z.core.$ZodType, string> = new Map(),
): GraphQLNamedType[] {
  const registry = createTypeRegistry(definitions, aliases);
  for (const type of others) registry.add(type);
  for (const { kind, schema, spec } of definitions)
    registry.add(kind === 'enum' ? toEnumType(spec) : toObjectType(schema, spec, registry));
  return [...registry.types.values()];
}
