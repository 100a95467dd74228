import { type OpenApiDocument, operationsOf, partsOf } from './document.ts';

const schemaPrefix = '#/components/schemas/';
/** Ends the names of schemas of requests, while the document is built. */
export const requestSuffix = 'Input';

/** Returns the names of the schemas that `value` refers to. */
export function referencesIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, member] of Object.entries(value)) {
    if (key === '$ref' && typeof member === 'string' && member.startsWith(schemaPrefix))
      found.add(member.slice(schemaPrefix.length));
    else referencesIn(member, found);
  }
  return found;
}

/** Maps names such as `SignupBodyInput` to `SignupBody` where the document has no `SignupBody`. */
function shortNames(used: ReadonlySet<string>): Map<string, string> {
  const inputs = [...used].filter((name) => name.endsWith(requestSuffix));
  return new Map(
    inputs
      .map((name): [string, string] => [name, name.slice(0, -requestSuffix.length)])
      .filter(([, short]) => !used.has(short)),
  );
}

function renameReferences(value: unknown, names: ReadonlyMap<string, string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key !== '$ref' || typeof member !== 'string' || !member.startsWith(schemaPrefix)) {
      renameReferences(member, names);
      continue;
    }
    const name = names.get(member.slice(schemaPrefix.length));
    if (name !== undefined) Reflect.set(value, key, `${schemaPrefix}${name}`);
  }
}

const int32 = 2 ** 31;

function integerFormat({ minimum, maximum }: { minimum?: unknown; maximum?: unknown }): string {
  return typeof minimum === 'number' &&
    typeof maximum === 'number' &&
    minimum >= -int32 &&
    maximum < int32
    ? 'int32'
    : 'int64';
}

/** Sets the `format` of every integer (OpenAPI Format Registry); removes redundant names. */
function tidySchema(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const schema = value as {
    type?: unknown;
    format?: string;
    minimum?: unknown;
    maximum?: unknown;
    propertyNames?: unknown;
  };
  if ([schema.type].flat().includes('integer')) schema.format ??= integerFormat(schema);
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames;
  for (const member of Object.values(value)) tidySchema(member);
}

/**
 * Removes `additionalProperties: false`: responses get new members over time, and generated clients
 * that check it would break on them.
 */
function openObjects(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const schema = value as { additionalProperties?: unknown };
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  for (const member of Object.values(value)) openObjects(member);
}

/**
 * Opens the objects of all responses in place. Requests keep theirs: unknown members are refused.
 * Yields after each part.
 */
export function* openResponses({ paths, components }: OpenApiDocument): Generator {
  for (const { responses } of operationsOf({ paths })) {
    openObjects(responses);
    yield;
  }
  openObjects(components.responses);
  for (const [name, schema] of Object.entries(components.schemas))
    if (!name.endsWith(requestSuffix)) openObjects(schema);
}

/**
 * Tidies the schemas of an OpenAPI document in place, and yields after each part. A named schema is
 * there as `Name` for responses and `NameInput` for requests: unused ones are removed, and
 * `NameInput` gets the plain name if that is free. Every integer gets a `format` (OpenAPI Format
 * Registry), and redundant `propertyNames` are removed.
 */
export function* tidyComponents(document: OpenApiDocument, used: ReadonlySet<string>): Generator {
  const names = shortNames(used);
  const { components } = document;
  const keptSchemas = Object.entries(components.schemas)
    .filter(([name]) => used.has(name))
    .map(([name, schema]) => [names.get(name) ?? name, schema] as const)
    .sort(([a], [b]) => a.localeCompare(b));
  components.schemas = Object.fromEntries(keptSchemas);
  for (const part of partsOf(document)) {
    renameReferences(part, names);
    tidySchema(part);
    yield;
  }
}
