import { type DocumentNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql/index.js';
import type { Access } from './access.ts';

type Needed = keyof Pick<Access, 'session' | 'admin' | 'reader'>;

/** What fields of the root types ask of whoever wants them, by their first act. Everybody may have the others. */
export const rootAccess: Readonly<Partial<Record<string, Needed>>> = {
  'query.audit': 'admin', 'query.apiKeys': 'admin', 'query.dashboard': 'reader', 'query.sites': 'reader',
  'mutation.openIncident': 'admin', 'mutation.updateIncident': 'admin', 'mutation.resolveIncident': 'admin',
  'mutation.createApiKey': 'admin', 'mutation.revokeApiKey': 'admin', 'mutation.endSession': 'session', 'mutation.endSessions': 'session',
};

function fieldNames(document: DocumentNode, { selections }: SelectionSetNode, seen: Set<string>): string[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection.name.value];
    if (selection.kind === Kind.INLINE_FRAGMENT) return fieldNames(document, selection.selectionSet, seen);
    const name = selection.name.value;
    const fragment = seen.has(name) ? undefined : document.definitions.find((each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === name);
    seen.add(name);
    return fragment?.kind === Kind.FRAGMENT_DEFINITION ? fieldNames(document, fragment.selectionSet, seen) : [];
  });
}

/** What the fields of an operation ask of whoever sends it, each once, in the order of the fields. */
export function accessNeeded(document: DocumentNode, { operation, selectionSet }: OperationDefinitionNode): Needed[] {
  const needed = fieldNames(document, selectionSet, new Set()).map((name) => rootAccess[`${operation}.${name}`]);
  return [...new Set(needed.filter((each) => each !== undefined))];
}
