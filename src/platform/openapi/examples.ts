import { exampleFormats, exampleValues } from './example-values.ts';
import {
  type JsonSchema,
  type Media,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  type Parameter,
  type Response,
} from './document.ts';

interface Place {
  schemas: Record<string, JsonSchema>;
  /** Of the member or parameter. */
  name: string;
  /** Requests show what is needed and what has an example of its own; answers show everything. */
  isRequest: boolean;
  depth: number;
}

const deepest = 12;
const schemaPrefix = '#/components/schemas/';

function typesOf({ type }: JsonSchema): string[] {
  return type === undefined ? [] : [type].flat();
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

function fitsText(
  text: string,
  { pattern, minLength = 0, maxLength = Infinity, format }: JsonSchema,
): boolean {
  if (text.length < minLength || text.length > maxLength) return false;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) return false;
  return format !== 'uri' || URL.canParse(text);
}

/** Whether a value may stand where the schema is: looked at as far as values of `exampleValues` need it. */
function fits(value: unknown, schema: JsonSchema, schemas: Place['schemas']): boolean {
  if (schema.$ref !== undefined)
    return fits(value, schemas[schema.$ref.slice(schemaPrefix.length)] ?? {}, schemas);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return branches.some((branch) => fits(value, branch, schemas));
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) return false;
  if (schema.enum !== undefined && !schema.enum.includes(value)) return false;
  if (schema.const !== undefined && schema.const !== value) return false;
  if (typeof value === 'string') return fitsText(value, schema);
  if (typeof value === 'number')
    return value >= (schema.minimum ?? -Infinity) && value <= (schema.maximum ?? Infinity);
  if (Array.isArray(value)) return value.every((item) => fits(item, schema.items ?? {}, schemas));
  if (typeof value !== 'object' || value === null || schema.properties === undefined)
    return types.length > 0;
  const given = Object.entries(value);
  return (
    given.every(([name, member]) => fits(member, schema.properties?.[name] ?? {}, schemas)) &&
    (schema.required ?? []).every((name) => Object.hasOwn(value, name))
  );
}

function hasOwnExample(schema: JsonSchema): boolean {
  return (
    schema.example !== undefined ||
    schema.examples !== undefined ||
    [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some(hasOwnExample)
  );
}

function exampleObject(
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  place: Place,
): unknown {
  const shown = Object.entries(properties).filter(
    ([name, member]) => !place.isRequest || required.includes(name) || hasOwnExample(member),
  );
  const members = shown.map(([name, member]) => [
    name,
    exampleOf(member, { ...place, name, depth: place.depth + 1 }),
  ]);
  const isMap =
    Object.keys(properties).length === 0 &&
    typeof additionalProperties === 'object' &&
    Object.keys(additionalProperties).length > 0;
  return Object.fromEntries(
    isMap
      ? [['example', exampleOf(additionalProperties, { ...place, depth: place.depth + 1 })]]
      : members,
  );
}

function exampleText(
  { format, minLength = 0, maxLength = 512 }: JsonSchema,
  { name }: Place,
): string {
  const known = exampleFormats[format ?? ''];
  if (known !== undefined) return known;
  const words = name === '' ? 'text' : name.replaceAll('_', ' ');
  return words.padEnd(minLength, '…').slice(0, maxLength);
}

function exampleOfType(type: string | undefined, schema: JsonSchema, place: Place): unknown {
  switch (type) {
    case 'object':
      return exampleObject(schema, place);
    case 'array':
      return schema.items === undefined || 'not' in schema.items
        ? []
        : [exampleOf(schema.items, { ...place, depth: place.depth + 1 })];
    case 'string':
      return exampleText(schema, place);
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, schema.minimum ?? 1), schema.maximum ?? 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return schema.properties === undefined ? {} : exampleObject(schema, place);
  }
}

/**
 * An example of a schema: its own one, else one by the name of the place, else its constant or default, else one made of
 * the examples of its parts.
 */
function exampleOf(schema: JsonSchema, place: Place): unknown {
  const { schemas, name, depth } = place;
  if (schema.example !== undefined) return schema.example;
  if (schema.examples !== undefined && schema.examples.length > 0) return schema.examples[0];
  if (depth > deepest) return null;
  const known = (Object.hasOwn(exampleValues, name) ? exampleValues[name] : undefined)?.find(
    (value) => fits(value, schema, schemas),
  );
  if (known !== undefined) return known;
  if (schema.$ref !== undefined)
    return exampleOf(schemas[schema.$ref.slice(schemaPrefix.length)] ?? {}, {
      ...place,
      depth: depth + 1,
    });
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined)
    return exampleOf(branches.find((branch) => branch.type !== 'null') ?? {}, place);
  if (schema.allOf !== undefined)
    return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, place))) as unknown;
  return exampleOfType(
    typesOf(schema).find((type) => type !== 'null') ?? typesOf(schema)[0],
    schema,
    place,
  );
}

const texts: Readonly<Record<string, string>> = {
  'text/html': '<!DOCTYPE html>\n<html lang="en">…</html>',
  'image/svg+xml': '<svg xmlns="http://www.w3.org/2000/svg">…</svg>',
  'text/javascript': '/* … */',
  'application/atom+xml':
    '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">…</feed>',
  'application/rss+xml': '<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0">…</rss>',
};

function giveExample(type: string, media: Media, place: Place): void {
  const { schema } = media;
  if (schema === undefined || media.example !== undefined || media.examples !== undefined) return;
  const text = schema.type === 'string' && !hasOwnExample(schema) ? texts[type] : undefined;
  media.example = text ?? structuredClone(exampleOf(schema, place));
}

function giveParameterExample(parameter: Parameter, schemas: Place['schemas']): void {
  const { schema = {}, name } = parameter;
  parameter.example ??= structuredClone(
    exampleOf(schema, { schemas, name, isRequest: true, depth: 0 }),
  );
}

function giveAnswerExamples({ content = {} }: Response, schemas: Place['schemas']): void {
  for (const [type, media] of Object.entries(content))
    giveExample(type, media, { schemas, name: '', depth: 0, isRequest: false });
}

function giveExamples(
  { parameters = [], requestBody, responses }: Operation,
  schemas: Place['schemas'],
): void {
  const place = { schemas, name: '', depth: 0 };
  for (const parameter of parameters) giveParameterExample(parameter, schemas);
  for (const [type, media] of Object.entries(requestBody?.content ?? {}))
    giveExample(type, media, { ...place, isRequest: true });
  for (const response of Object.values(responses)) giveAnswerExamples(response, schemas);
}

/** Gives every parameter, body and answer of a document that is its caller's own an example, where it has none. */
export function completeExamples(document: OpenApiDocument): void {
  const { schemas, responses = {} } = document.components;
  for (const operation of operationsOf(document)) giveExamples(operation, schemas);
  for (const response of Object.values(responses)) giveAnswerExamples(response, schemas);
}
