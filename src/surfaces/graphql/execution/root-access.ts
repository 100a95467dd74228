import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql/index.js';
import type { Access } from '../context.ts';

export type RequiredAccess = keyof Pick<Access, 'session' | 'admin' | 'reader'>;

/** The access that a field requires. Its resolver enforces it itself. */
const accessOf = (extensions: Readonly<Record<string, unknown>> = {}): RequiredAccess | undefined =>
  (['session', 'admin', 'reader'] as const).find((each) => each === extensions.access);

function fieldNames(
  document: DocumentNode,
  { selections }: SelectionSetNode,
  seen: Set<string>,
): string[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection.name.value];
    if (selection.kind === Kind.INLINE_FRAGMENT)
      return fieldNames(document, selection.selectionSet, seen);
    const name = selection.name.value;
    const fragment = seen.has(name)
      ? undefined
      : document.definitions.find(
          (each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === name,
        );
    seen.add(name);
    return fragment?.kind === Kind.FRAGMENT_DEFINITION
      ? fieldNames(document, fragment.selectionSet, seen)
      : [];
  });
}

/** The access that an operation requires: each kind once, in the order of its root fields. */
export function requiredAccess(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operation, selectionSet }: OperationDefinitionNode,
): RequiredAccess[] {
  const fields = schema.getRootType(operation)?.getFields();
  const required = fieldNames(document, selectionSet, new Set()).map((name) =>
    accessOf(fields?.[name]?.extensions),
  );
  return [...new Set(required.filter((each) => each !== undefined))];
}
