import { z } from 'zod';
import { capitalized, toCamelCase, toSnakeCase } from '../../../lib/text/case.ts';
import { unwrapSchema } from '../../../platform/validation/zod-inspection.ts';

/** A member of a view: its name, `false` to omit it, or what differs from the schema. */
type FieldSpec = string | false | { name?: string; description?: string; type?: string };

/** Texts for what has no description, by member or value, without a full stop. */
type Labels = Readonly<Partial<Record<string, string>>>;

export interface ObjectTypeSpec<Member extends string = string> {
  name: string;
  /** Default: the schema's `.describe()`, then the name. */
  description?: string | undefined;
  /** The names of its interfaces. It gets their fields besides those of the view. */
  interfaces?: readonly string[];
  /** Makes it a `Node`: the member of the view that its global id is derived from. */
  nodeId?: Member;
  /** The type of integers. Default: `Int`. */
  integers?: 'Count' | undefined;
  labels?: Labels | undefined;
  /**
   * By member of the view. Defaults: the name in camelCase (`incidentId` for the `id` of an
   * incident), the description from `.describe()`, and the type of the schema. `type` replaces that
   * type, such as `DeviceState` for a plain string.
   */
  fields?: Readonly<Partial<Record<Member, FieldSpec>>>;
}

export interface EnumTypeSpec<Value extends string = string> {
  name: string;
  description?: string | undefined;
  labels?: Labels | undefined;
  /** The names of values. Default: the value, with `_` for what GraphQL does not allow. */
  names?: Readonly<Partial<Record<Value, string>>>;
}

interface ObjectDefinition {
  kind: 'object';
  schema: z.ZodObject<z.core.$ZodShape>;
  spec: ObjectTypeSpec;
}

/** A zod schema and its specification for GraphQL. */
export type TypeDefinition =
  ObjectDefinition | { kind: 'enum'; schema: z.ZodEnum; spec: EnumTypeSpec };

/** The names of types by schema. */
export type TypeNames = Map<z.core.$ZodType, string>;

export const objectType = <Shape extends z.core.$ZodShape>(
  schema: z.ZodObject<Shape>,
  spec: ObjectTypeSpec<keyof Shape & string>,
): TypeDefinition => ({ kind: 'object', schema, spec });

export const enumType = <Entries extends z.core.util.EnumLike>(
  schema: z.ZodEnum<Entries>,
  spec: EnumTypeSpec<Entries[keyof Entries] & string>,
): TypeDefinition => ({ kind: 'enum', schema, spec });

/** `CreateComponent` for `create_component`. */
export const pascalCase = (name: string): string => capitalized(toCamelCase(name));

/** Words of names that are not spelled as the words of a sentence. */
const spellings: Labels = {
  api: 'API',
  http: 'HTTP',
  id: 'ID',
  ios: 'iOS',
  ms: '(ms)',
  os: 'operating system',
  tcp: 'TCP',
  url: 'URL',
  webauthn: 'WebAuthn',
};

/** Members that many views have. */
const usualLabels: Labels = {
  created_at: 'Creation time',
  updated_at: 'Time of the last change',
  expires_at: 'Expiry time',
  from: 'Start, inclusive',
  to: 'End, exclusive',
};

/** `Expected status.` for `expected_status` and `ExpectedStatus`, or the label. */
export function labelOf(name: string, labels: Labels = {}): string {
  const words = toSnakeCase(name).split('_');
  const text = words.map((word) => spellings[word] ?? word).join(' ');
  const label = labels[name] ?? usualLabels[name];
  return `${label ?? (text.startsWith('iOS') ? text : capitalized(text))}.`;
}

/** The text of a schema's `.describe()`, also inside optional and nullable schemas. */
export const describedBy = (schema: z.core.$ZodType): string | undefined =>
  (z.globalRegistry.get(schema) ?? z.globalRegistry.get(unwrapSchema(schema)))?.description;

/** The schema inside optional, nullable and list schemas. */
export function innermost(schema: z.core.$ZodType): z.core.$ZodType {
  const inner = unwrapSchema(schema);
  return inner instanceof z.ZodArray ? innermost(inner.element) : inner;
}

/** The name of an enum with the same values; undefined if there is none. */
export function nameOfAlike(names: TypeNames, schema: z.core.$ZodType): string | undefined {
  if (!(schema instanceof z.ZodEnum)) return undefined;
  const values = schema.options.join();
  for (const [other, name] of names)
    if (other instanceof z.ZodEnum && other.options.join() === values) return name;
  return undefined;
}

/** Names a schema. Throws TypeError for a name that another schema has. */
export function nameSchema(names: TypeNames, schema: z.core.$ZodType, name: string): void {
  if ([...names.values()].includes(name)) throw new TypeError(`two schemas are named ${name}`);
  names.set(schema, name);
}

/** Defines the type of a member's schema, if it needs one and has none. */
function defineMember(
  schema: z.core.$ZodType,
  spec: Pick<ObjectTypeSpec, 'name' | 'description' | 'integers'>,
  names: TypeNames,
): TypeDefinition[] {
  if (names.has(schema)) return [];
  const isEnum = schema instanceof z.ZodEnum;
  if (!isEnum && !(schema instanceof z.ZodObject)) return [];
  nameSchema(names, schema, spec.name);
  return isEnum ? [enumType(schema, spec)] : withMembers([objectType(schema, spec)], names);
}

function membersOf({ schema, spec }: ObjectDefinition, names: TypeNames): TypeDefinition[] {
  return Object.entries(schema.shape).flatMap(([member, each]) => {
    const given = spec.fields?.[member];
    if (given === false || (typeof given === 'object' && given.type !== undefined)) return [];
    const inner = innermost(each);
    return defineMember(
      inner,
      {
        name: spec.name + pascalCase(member),
        description: describedBy(inner) ?? labelOf(member, spec.labels),
        integers: spec.integers,
      },
      names,
    );
  });
}

/**
 * Returns the definitions, and those of the enums and objects inside them that have no name yet.
 * They are named after their owner: `QrCodeStyle` for `style` of `QrCode`.
 */
export const withMembers = (
  definitions: readonly TypeDefinition[],
  names: TypeNames,
): TypeDefinition[] =>
  definitions.flatMap((each) =>
    each.kind === 'enum' ? [each] : [...membersOf(each, names), each],
  );
