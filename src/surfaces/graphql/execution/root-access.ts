import {
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql/index.js';
import type { Access } from '../context.ts';

type Needed = keyof Pick<Access, 'session' | 'admin' | 'reader'>;

/** Who may ask for a field of the root types. Everybody may ask for the others. Their resolvers ask the same again. */
export const rootAccess: Readonly<Partial<Record<string, Needed>>> = {
  'query.audit': 'admin',
  'query.apiKeys': 'admin',
  'query.dashboard': 'reader',
  'query.sites': 'reader',
  'mutation.openIncident': 'admin',
  'mutation.updateIncident': 'admin',
  'mutation.resolveIncident': 'admin',
  'mutation.createApiKey': 'admin',
  'mutation.revokeApiKey': 'admin',
  'mutation.endSession': 'session',
  'mutation.endSessions': 'session',
};

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

/** The access that the fields of an operation need, each kind once, in the order of the fields. */
export function accessNeeded(
  document: DocumentNode,
  { operation, selectionSet }: OperationDefinitionNode,
): Needed[] {
  const needed = fieldNames(document, selectionSet, new Set()).map(
    (name) => rootAccess[`${operation}.${name}`],
  );
  return [...new Set(needed.filter((each) => each !== undefined))];
}
