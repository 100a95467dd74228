import { z } from 'zod';
import { capitalized, toCamelCase } from '../../../lib/text/case.ts';
import { filtersOf, type Resource } from '../../../platform/resource/resource.ts';
import { isIntegerSchema, unwrapSchema } from '../../../platform/validation/zod-inspection.ts';
import {
  enumType,
  objectType,
  type ObjectTypeSpec,
  type TypeDefinition,
} from '../schema/zod-types.ts';

type Member = [name: string, schema: z.core.$ZodType];

/** The name of the type of a member: `SavedReplyTopic`. */
const nestedName = ({ type }: Resource, member: string): string =>
  type + capitalized(toCamelCase(member));

/** The schema inside optional, nullable and list schemas. */
function innermost(schema: z.core.$ZodType): z.core.$ZodType {
  const inner = unwrapSchema(schema);
  return inner instanceof z.ZodArray ? innermost(inner.element) : inner;
}

const membersOf = (schema: z.ZodObject | undefined): Member[] =>
  Object.entries(schema?.shape ?? {});

const valueName = (value: string): string => value.replace(/\W/g, '_');

/** The enums in the objects of a view, whose values are their own labels. */
const enumsInside = (resource: Resource, member: string, inner: z.ZodObject): TypeDefinition[] =>
  membersOf(inner).flatMap(([name, schema]) => {
    const values = innermost(schema);
    if (!(values instanceof z.ZodEnum)) return [];
    const label = capitalized(name).replaceAll('_', ' ');
    return [
      enumType(values, {
        name: nestedName(resource, member) + capitalized(toCamelCase(name)),
        description: `${label}.`,
        values: Object.fromEntries(
          values.options.map((value) => [
            value,
            { name: valueName(String(value)), description: `${String(value)}.` },
          ]),
        ),
      }),
    ];
  });

function enumOf(resource: Resource, member: string, schema: z.ZodEnum): TypeDefinition {
  const labels = resource.texts.values?.[member] ?? {};
  return enumType(schema, {
    name: nestedName(resource, member),
    description: `${resource.texts.fields[member] ?? capitalized(member)}.`,
    values: Object.fromEntries(
      schema.options.map((value) => [
        value,
        { name: valueName(String(value)), description: `${labels[value] ?? String(value)}.` },
      ]),
    ),
  });
}

/** The types of GraphQL for a resource, and the names of its enums by schema. */
export interface ResourceTypes {
  definitions: TypeDefinition[];
  enumNames: ReadonlyMap<z.core.$ZodType, string>;
}

/** Descriptions of the members that have none of their own. */
function descriptionsOf(
  { view, texts }: Resource,
  idName: string,
): NonNullable<ObjectTypeSpec['fields']> {
  const fields: Record<string, string | { name: string; description: string }> = {
    id: { name: idName, description: 'Id in the REST API.' },
  };
  for (const [member, schema] of membersOf(view))
    if (member !== 'id' && z.globalRegistry.get(schema)?.description === undefined)
      fields[member] = `${texts.fields[member] ?? member}.`;
  return fields;
}

function nestedObjects(resource: Resource): TypeDefinition[] {
  return membersOf(resource.view).flatMap(([member, schema]) => {
    const inner = innermost(schema);
    if (!(inner instanceof z.ZodObject)) return [];
    const description = `${resource.texts.fields[member] ?? member}.`;
    const fields = Object.fromEntries(
      membersOf(inner).map(([name, each]) => [
        name,
        z.globalRegistry.get(each)?.description ?? `${capitalized(name).replaceAll('_', ' ')}.`,
      ]),
    );
    return [
      ...enumsInside(resource, member, inner),
      objectType(inner, { name: nestedName(resource, member), description, fields }),
    ];
  });
}

/** Makes the types of a resource: its view, with the enums and objects in it. */
export function typesOfResource(resource: Resource): ResourceTypes {
  const { view, create, update, type, texts } = resource;
  const enumNames = new Map<z.core.$ZodType, string>();
  const enums = new Map<string, TypeDefinition>();
  for (const [member, schema] of [view, filtersOf(resource), create, update].flatMap(membersOf)) {
    const inner = innermost(schema);
    if (!(inner instanceof z.ZodEnum)) continue;
    const definition = enumOf(resource, member, inner);
    // The view comes first: bodies and filters with the same values use its type.
    if (!enums.has(definition.spec.name)) enums.set(definition.spec.name, definition);
    enumNames.set(inner, definition.spec.name);
  }
  const object = objectType(view, {
    name: type,
    description: texts.description,
    nodeId: 'id',
    fields: descriptionsOf(
      resource,
      `${toCamelCase(type.replace(/^./, (c) => c.toLowerCase()))}Id`,
    ),
  });
  return { definitions: [...enums.values(), ...nestedObjects(resource), object], enumNames };
}

/** The GraphQL type of an argument or a member of an input, without `!`. */
export function inputTypeOf(schema: z.core.$ZodType, { enumNames }: ResourceTypes): string {
  const inner = unwrapSchema(schema);
  if (inner instanceof z.ZodArray)
    return `[${inputTypeOf(inner.element, { definitions: [], enumNames })}!]`;
  const enumName = enumNames.get(inner);
  if (enumName !== undefined) return enumName;
  if (inner instanceof z.ZodISODateTime) return 'DateTime';
  const { type } = inner._zod.def;
  if (type === 'number') return isIntegerSchema(inner) ? 'Int' : 'Float';
  if (type === 'boolean') return 'Boolean';
  return type === 'string' ? 'String' : 'JSON';
}
