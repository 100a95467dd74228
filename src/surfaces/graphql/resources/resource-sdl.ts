import { z } from 'zod';
import { toCamelCase } from '../../../lib/text/case.ts';
import { filtersOf, type Resource } from '../../../platform/resource/resource.ts';
import { connectionSdl } from '../schema/connections.ts';
import { accessNote, described, membersSdl, pageArguments } from '../schema/sdl.ts';
import { labelOf, type TypeNames } from '../schema/type-definitions.ts';

/** The names of a resource's fields in GraphQL. */
export const fieldNamesOf = ({ name, type }: Resource) => ({
  list: name,
  get: type.charAt(0).toLowerCase() + type.slice(1),
  create: `create${type}`,
  update: `update${type}`,
  delete: `delete${type}`,
});

/** The arguments for the path parameters before the id of an entry. */
const parentsSdl = ({ parents }: Resource): string =>
  Object.keys(parents?.shape ?? {})
    .map((member) => `  ${described(labelOf(member))}\n  ${toCamelCase(member)}: ID!\n`)
    .join('');

function querySdl(resource: Resource, typeNames: TypeNames): string {
  const { texts, type, sorts, searches } = resource;
  const names = fieldNamesOf(resource);
  const search =
    searches === undefined ? '' : `\n  ${described(`Text in the ${searches}.`)}\n  q: String`;
  return `
extend type Query {
  ${described(`A page of ${texts.many}. ${accessNote(resource.scope)}`)}
  ${names.list}(
${parentsSdl(resource)}${pageArguments(20)}
  ${described(`Order: ${sorts.join(', ')}; \`-\` sorts in descending order.`)}
  sort: String = "${sorts[0]}"${search}
${membersSdl(filtersOf(resource), { names: typeNames, labels: texts.fields })}
  ): ${type}Connection!
  ${described(`The entry with this id, or null. ${accessNote(resource.scope)}`)}
  ${names.get}(
${parentsSdl(resource)}  """The \`id\` of the entry."""
  id: ID!
  ): ${type}
}`;
}

/** What creating an entry returns besides it. */
const shownOnce = ({ created, view }: Resource): [string, z.core.$ZodType][] =>
  Object.entries<z.core.$ZodType>(created?.shape ?? {}).filter(([name]) => !(name in view.shape));

function payloadSdl(
  name: string,
  { type, texts }: Resource,
  others: readonly [string, z.core.$ZodType][] = [],
): string {
  const field = type.charAt(0).toLowerCase() + type.slice(1);
  const more = others.map(([member, schema]) => {
    const text = z.globalRegistry.get(schema)?.description ?? labelOf(member);
    return `\n  ${described(text)}\n  ${toCamelCase(member)}: String!`;
  });
  return `
"""Result of the mutation."""
type ${name} {
  ${described(`The entry after the change: ${texts.one}.`)}
  ${field}: ${type}!${more.join('')}
}`;
}

function changeSdl(
  resource: Resource,
  typeNames: TypeNames,
  { verb, body }: { verb: 'Create' | 'Update'; body: z.ZodObject | undefined },
): string {
  if (body === undefined) return '';
  const { type, texts } = resource;
  const id = verb === 'Update' ? '"""The `id` of the entry."""\n  id: ID!\n  ' : '';
  const others = verb === 'Create' ? shownOnce(resource) : [];
  return `
extend type Mutation {
  ${described(`${verb}s ${texts.one}. ${accessNote(resource.scope)}`)}
  ${verb.toLowerCase()}${type}(
${parentsSdl(resource)}  ${id}"""The members to set."""
  input: ${verb}${type}Input!
  ): ${verb}${type}Payload!
}
${described(`Members of ${texts.one}.`)}
input ${verb}${type}Input {
${membersSdl(body, { names: typeNames, labels: texts.fields })}
}
${payloadSdl(`${verb}${type}Payload`, resource, others)}`;
}

function deleteSdl(resource: Resource): string {
  const { type, texts, canDelete = true } = resource;
  if (!canDelete) return '';
  return `
extend type Mutation {
  ${described(`Deletes ${texts.one}. This cannot be undone. ${accessNote(resource.scope)}`)}
  delete${type}(
${parentsSdl(resource)}  """The \`id\` of the entry."""
  id: ID!
  ): Delete${type}Payload!
}
"""Result of the mutation."""
type Delete${type}Payload {
  """The \`id\` of the deleted entry."""
  deletedId: ID!
}`;
}

function totalSdl({ type, hasTotal = false }: Resource): string {
  if (!hasTotal) return '';
  return `
extend type ${type}Connection {
  """Number of entries on all pages."""
  totalCount: Int!
}`;
}

/** The queries and mutations of a resource, with their inputs, payloads and connection. */
export const sdlOfResource = (resource: Resource, typeNames: TypeNames): string =>
  [
    querySdl(resource, typeNames),
    changeSdl(resource, typeNames, { verb: 'Create', body: resource.create }),
    changeSdl(resource, typeNames, { verb: 'Update', body: resource.update }),
    deleteSdl(resource),
    connectionSdl(resource.type, resource.type, resource.texts.many),
    totalSdl(resource),
  ].join('\n');
