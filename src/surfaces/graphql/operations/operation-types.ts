import { z } from 'zod';
import type { BoundOperation } from '../../../platform/operations/bound.ts';
import { inputShape } from '../../../platform/operations/input.ts';
import {
  describedBy,
  enumType,
  innermost,
  labelOf,
  nameOfAlike,
  nameSchema,
  objectType,
  pascalCase,
  type TypeDefinition,
  type TypeNames,
  withMembers,
} from '../schema/type-definitions.ts';

/** The enums in a schema, at any depth. */
const enumsIn = (schema: z.ZodObject): z.core.$ZodType[] =>
  Object.values<z.core.$ZodType>(schema.shape).flatMap((member) => {
    const inner = innermost(member);
    return inner instanceof z.ZodObject ? enumsIn(inner) : [inner];
  });

function defineOutput({ operation, name }: BoundOperation, names: TypeNames): TypeDefinition[] {
  const { output } = operation;
  if (!(output instanceof z.ZodObject) || names.has(output)) return [];
  for (const each of enumsIn(output)) {
    const alike = nameOfAlike(names, each);
    if (alike !== undefined && !names.has(each)) names.set(each, alike);
  }
  const typeName = z.globalRegistry.get(output)?.id ?? `${pascalCase(name)}Result`;
  nameSchema(names, output, typeName);
  return withMembers([objectType(output, { name: typeName, integers: 'Count' })], names);
}

const defineInputEnums = (
  { operation, name }: BoundOperation,
  names: TypeNames,
): TypeDefinition[] =>
  Object.entries(inputShape(operation)).flatMap(([member, schema]) => {
    const inner = innermost(schema);
    const alike = nameOfAlike(names, inner);
    if (!(inner instanceof z.ZodEnum) || alike !== undefined) return [];
    const enumName = pascalCase(name) + pascalCase(member);
    nameSchema(names, inner, enumName);
    return [
      enumType(inner, { name: enumName, description: describedBy(inner) ?? labelOf(member) }),
    ];
  });

/**
 * Defines the types of input and output of operations, and adds their names. Schemas that have a
 * type already, such as the views of resources, keep it.
 */
export const typesOfOperations = (
  operations: readonly BoundOperation[],
  names: TypeNames,
): TypeDefinition[] =>
  operations.flatMap((bound) => [...defineOutput(bound, names), ...defineInputEnums(bound, names)]);
