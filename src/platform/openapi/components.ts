import { type OpenApiDocument, operationsOf } from './document.ts';

interface Document {
  components?: { schemas?: Record<string, unknown> };
}

const prefix = '#/components/schemas/';
/** Ends the names of schemas of requests, while the document is built. */
const requestSuffix = 'Input';

function referencesIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, member] of Object.entries(value)) {
    if (key === '$ref' && typeof member === 'string' && member.startsWith(prefix))
      found.add(member.slice(prefix.length));
    else referencesIn(member, found);
  }
  return found;
}

function referencedSchemas(document: Document, schemas: Record<string, unknown>): Set<string> {
  const { components, ...rest } = document;
  const found = referencesIn([rest, { ...components, schemas: undefined }]);
  for (const name of found) {
    for (const inner of referencesIn(schemas[name])) found.add(inner);
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

function renameReferences(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((member) => renameReferences(member, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (key !== '$ref' || typeof member !== 'string' || !member.startsWith(prefix))
        return [key, renameReferences(member, names)];
      const name = member.slice(prefix.length);
      return [key, `${prefix}${names.get(name) ?? name}`];
    }),
  );
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

/**
 * Completes the schemas of a document in place: sets the `format` of every integer (OpenAPI Format
 * Registry) and removes redundant `propertyNames`.
 */
export function tidySchemas(value: unknown): void {
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
  for (const member of Object.values(value)) tidySchemas(member);
}

/**
 * Removes `additionalProperties: false`: answers get new members with time, and a generated client
 * that checks this would break on them.
 */
function openObjects(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const schema = value as { additionalProperties?: unknown };
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  for (const member of Object.values(value)) openObjects(member);
}

/** Opens the objects of all answers in place. Requests keep theirs: unknown members are refused. */
export function openAnswers({
  paths,
  components,
}: Pick<OpenApiDocument, 'paths' | 'components'>): void {
  for (const { responses } of operationsOf({ paths })) openObjects(responses);
  openObjects(components.responses);
  for (const [name, schema] of Object.entries(components.schemas))
    if (!name.endsWith(requestSuffix)) openObjects(schema);
}

/**
 * Tidies the shared schemas of an OpenAPI document. The zod transform adds each named schema twice,
 * as `Name` for answers and `NameInput` for requests. Unused ones are removed, and `NameInput` gets
 * the plain name if that is free.
 */
export function tidyComponents<T extends object>(whole: T): T {
  const document: Document = whole;
  const schemas = document.components?.schemas ?? {};
  const used = referencedSchemas(document, schemas);
  const names = shortNames(used);
  const keptSchemas = Object.entries(schemas)
    .filter(([name]) => used.has(name))
    .map(([name, schema]) => [names.get(name) ?? name, schema] as const)
    .sort(([a], [b]) => a.localeCompare(b));
  const tidied = {
    ...document,
    components: { ...document.components, schemas: Object.fromEntries(keptSchemas) },
  };
  return renameReferences(tidied, names) as T;
}
