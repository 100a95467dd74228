import { z } from 'zod';
import { capitalized, toCamelCase } from '../../../lib/text/case.ts';
import type { BoundOperation } from '../../../platform/operations/bound.ts';
import { inputShape } from '../../../platform/operations/input.ts';
import { unwrapSchema } from '../../../platform/validation/zod-inspection.ts';
import { enumType, objectType, type TypeDefinition } from '../schema/zod-types.ts';

type Names = Map<z.core.$ZodType, string>;

/** `CreateComponent` for `create_component`. */
export const pascalCase = (name: string): string => capitalized(toCamelCase(name));

const describedBy = (schema: z.core.$ZodType): string | undefined =>
  z.globalRegistry.get(schema)?.description;

/** `Expected status.` for `expected_status`. */
export const labelOf = (member: string): string => `${capitalized(member.replaceAll('_', ' '))}.`;

/** The schema inside optional, nullable and list schemas. */
function innermost(schema: z.core.$ZodType): z.core.$ZodType {
  const inner = unwrapSchema(schema);
  return inner instanceof z.ZodArray ? innermost(inner.element) : inner;
}

const isGraphqlName = /^[A-Za-z_]\w*$/;

/** Names an enum like one with the same values, if there is one. Returns whether there is. */
function takesNameOf(names: Names, schema: z.ZodEnum): boolean {
  const values = (each: z.ZodEnum): string => each.options.join();
  for (const [other, name] of names)
    if (other instanceof z.ZodEnum && values(other) === values(schema)) {
      names.set(schema, name);
      return true;
    }
  return false;
}

/** Names a schema. Throws TypeError for a name that another schema has. */
function nameSchema(names: Names, schema: z.core.$ZodType, name: string): void {
  if ([...names.values()].includes(name)) throw new TypeError(`two schemas are named ${name}`);
  names.set(schema, name);
}

function defineEnum(schema: z.ZodEnum, name: string, member: string): TypeDefinition {
  const values = schema.options.map((value) => {
    const text = String(value);
    const valueName = isGraphqlName.test(text) ? text : `_${text.replaceAll(/\W/g, '_')}`;
    return [text, { name: valueName, description: labelOf(text) }] as const;
  });
  return enumType(schema, {
    name,
    description: describedBy(schema) ?? labelOf(member),
    values: Object.fromEntries(values),
  });
}

/** Defines the enums and objects in a schema that have no type yet, named after their owner. */
function defineMembers(schema: z.ZodObject, owner: string, names: Names): TypeDefinition[] {
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  return Object.entries(shape).flatMap(([member, each]) => {
    const inner = innermost(each);
    const name = owner + pascalCase(member);
    if (names.has(inner)) return [];
    if (inner instanceof z.ZodEnum) {
      if (takesNameOf(names, inner)) return [];
      nameSchema(names, inner, name);
      return [defineEnum(inner, name, member)];
    }
    return inner instanceof z.ZodObject ? defineObject(inner, name, names) : [];
  });
}

function defineObject(schema: z.ZodObject, name: string, names: Names): TypeDefinition[] {
  nameSchema(names, schema, name);
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  const undescribed = Object.entries(shape)
    .filter(([, member]) => describedBy(member) === undefined)
    .map(([member]) => [member, labelOf(member)] as const);
  return [
    ...defineMembers(schema, name, names),
    objectType(schema, {
      name,
      description: describedBy(schema) ?? labelOf(name),
      integers: 'Count',
      fields: Object.fromEntries(undescribed),
    }),
  ];
}

/** Objects in input are `JSON`. */
const defineInputEnums = (
  operation: BoundOperation['operation'],
  owner: string,
  names: Names,
): TypeDefinition[] =>
  Object.entries(inputShape(operation)).flatMap(([member, schema]) => {
    const inner = innermost(schema);
    if (!(inner instanceof z.ZodEnum) || names.has(inner) || takesNameOf(names, inner)) return [];
    nameSchema(names, inner, owner + pascalCase(member));
    return [defineEnum(inner, owner + pascalCase(member), member)];
  });

const metaName = (schema: z.ZodObject): string | undefined => z.globalRegistry.get(schema)?.id;

/** The types of GraphQL for operations, and their names by schema. */
export interface OperationTypes {
  definitions: TypeDefinition[];
  names: ReadonlyMap<z.core.$ZodType, string>;
}

/**
 * Defines the types of input and output of operations. Schemas that have a type already, such as
 * the views of resources, keep it.
 */
export function typesOfOperations(
  operations: readonly BoundOperation[],
  known: readonly TypeDefinition[],
): OperationTypes {
  const names: Names = new Map(known.map(({ schema, spec }) => [schema, spec.name]));
  const definitions = operations.flatMap(({ operation, name }) => {
    const { output } = operation;
    const ofOutput =
      output instanceof z.ZodObject && !names.has(output)
        ? defineObject(output, metaName(output) ?? `${pascalCase(name)}Result`, names)
        : [];
    return [...ofOutput, ...defineInputEnums(operation, pascalCase(name), names)];
  });
  return { definitions, names };
}
