import { z } from 'zod';
import { filtersOf, type Resource } from '../../../platform/resource/resource.ts';
import {
  enumType,
  innermost,
  labelOf,
  objectType,
  pascalCase,
  type TypeDefinition,
  type TypeNames,
  withMembers,
} from '../schema/type-definitions.ts';

/** Names the enums of a resource. The view comes first: equal names elsewhere are its types. */
function defineEnums(resource: Resource, names: TypeNames): TypeDefinition[] {
  const { view, create, update, type, texts } = resource;
  const enums = new Map<string, TypeDefinition>();
  for (const schema of [view, filtersOf(resource), create, update])
    for (const [member, each] of Object.entries<z.core.$ZodType>(schema?.shape ?? {})) {
      const inner = innermost(each);
      if (!(inner instanceof z.ZodEnum)) continue;
      const name = type + pascalCase(member);
      const description = labelOf(member, texts.fields);
      if (!enums.has(name))
        enums.set(name, enumType(inner, { name, description, labels: texts.values?.[member] }));
      names.set(inner, name);
    }
  return [...enums.values()];
}

/** Defines the types of a resource: its view, and the enums and objects in it. Adds their names. */
export function typesOfResource(resource: Resource, names: TypeNames): TypeDefinition[] {
  const { view, type, texts } = resource;
  const enums = defineEnums(resource, names);
  names.set(view, type);
  const object = objectType(view, {
    name: type,
    description: texts.description,
    nodeId: 'id',
    labels: texts.fields,
  });
  return [...enums, ...withMembers([object], names)];
}
