import {
  type JsonSchema,
  type Media,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  type Parameter,
  type Response,
} from './document.ts';

type Schemas = Record<string, JsonSchema>;

interface ExampleContext {
  schemas: Schemas;
  /** The property or parameter that the schema belongs to; empty at the root. */
  name: string;
  /**
   * True for requests, whose examples have only required properties and those with a declared
   * example.
   */
  isRequest: boolean;
  depth: number;
}

const maxDepth = 12;
const schemaPrefix = '#/components/schemas/';

const formatExamples: Readonly<Record<string, string>> = {
  uuid: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
  'date-time': '2026-05-04T09:30:00.000Z',
  date: '2026-05-04',
  email: 'ada@example.com',
  uri: 'https://platform.example/',
  ipv4: '203.0.113.7',
  ipv6: '2001:db8::7',
};

const mediaExamples: Readonly<Record<string, string>> = {
  'text/html': '<!DOCTYPE html>\n<html lang="en">…</html>',
  'image/svg+xml': '<svg xmlns="http://www.w3.org/2000/svg">…</svg>',
  'text/javascript': '/* … */',
  'text/plain': '# Platform Service\n…',
  'text/markdown': '# Getting started\n\n…',
  'application/xml': '<?xml version="1.0" encoding="utf-8"?>\n…',
  'application/atom+xml':
    '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">…</feed>',
  'application/rss+xml': '<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0">…</rss>',
};

const nested = (context: ExampleContext, name = context.name): ExampleContext => ({
  ...context,
  name,
  depth: context.depth + 1,
});

/** The declared example of a schema: `example`, or the first of `examples`. */
const declaredExample = ({ example, examples = [] }: JsonSchema): unknown => example ?? examples[0];

const hasOwnExample = (schema: JsonSchema): boolean =>
  declaredExample(schema) !== undefined ||
  [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some(hasOwnExample);

function objectExample(
  { properties = {}, required = [], additionalProperties = false }: JsonSchema,
  context: ExampleContext,
): object {
  const shown = Object.entries(properties).filter(
    ([name, property]) => !context.isRequest || required.includes(name) || hasOwnExample(property),
  );
  const isMap = Object.keys(properties).length === 0 && typeof additionalProperties === 'object';
  if (isMap && Object.keys(additionalProperties).length > 0)
    return { example: exampleOf(additionalProperties, nested(context)) };
  return Object.fromEntries(
    shown.map(([name, property]) => [name, exampleOf(property, nested(context, name))]),
  );
}

function stringExample(
  { format = '', minLength = 0, maxLength = 512 }: JsonSchema,
  { name }: ExampleContext,
): string {
  const words = name === '' ? 'text' : name.replaceAll('_', ' ');
  return formatExamples[format] ?? words.padEnd(minLength, '…').slice(0, maxLength);
}

function exampleByType(schema: JsonSchema, context: ExampleContext): unknown {
  const types = [schema.type ?? []].flat();
  switch (types.find((type) => type !== 'null') ?? types[0]) {
    case 'array':
      return schema.items === undefined || 'not' in schema.items
        ? []
        : [exampleOf(schema.items, nested(context))];
    case 'string':
      return stringExample(schema, context);
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, schema.minimum ?? 1), schema.maximum ?? 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return objectExample(schema, context);
  }
}

/**
 * Returns the declared example, else the constant, default or first enum value, else one generated
 * from the schema.
 */
function exampleOf(schema: JsonSchema, context: ExampleContext): unknown {
  const declared = declaredExample(schema);
  if (declared !== undefined) return declared;
  if (context.depth > maxDepth) return null;
  if (schema.$ref !== undefined)
    return exampleOf(
      context.schemas[schema.$ref.slice(schemaPrefix.length)] ?? {},
      nested(context),
    );
  const constant = [schema.const, schema.default, schema.enum?.[0]].find(
    (each) => each !== undefined,
  );
  if (constant !== undefined) return constant;
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined)
    return exampleOf(branches.find(({ type }) => type !== 'null') ?? {}, context);
  if (schema.allOf !== undefined)
    return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, context))) as unknown;
  return exampleByType(schema, context);
}

function addMediaExamples(content: Record<string, Media>, schemas: Schemas, isRequest: boolean) {
  for (const [type, media] of Object.entries(content)) {
    const { schema, example, examples } = media;
    if (schema === undefined || example !== undefined || examples !== undefined) continue;
    const text =
      schema.type === 'string' && !hasOwnExample(schema) ? mediaExamples[type] : undefined;
    const context = { schemas, name: '', isRequest, depth: 0 };
    media.example = text ?? structuredClone(exampleOf(schema, context));
  }
}

function addParameterExample(parameter: Parameter, schemas: Schemas): void {
  const { schema = {}, name } = parameter;
  const context = { schemas, name, isRequest: true, depth: 0 };
  parameter.example ??= structuredClone(exampleOf(schema, context));
}

const addResponseExamples = ({ content = {} }: Response, schemas: Schemas): void =>
  addMediaExamples(content, schemas, false);

function addExamples(
  { parameters = [], requestBody, responses }: Operation,
  schemas: Schemas,
): void {
  for (const parameter of parameters) addParameterExample(parameter, schemas);
  addMediaExamples(requestBody?.content ?? {}, schemas, true);
  for (const response of Object.values(responses)) addResponseExamples(response, schemas);
}

/**
 * Adds an example to every parameter, body and response without one. Areas declare examples with
 * `.meta({ examples })` in their schemas; the others are generated from formats and types. Changes
 * the document, and yields after each operation.
 */
export function* completeExamples({ paths, components }: OpenApiDocument): Generator {
  const { schemas, responses = {} } = components;
  for (const operation of operationsOf({ paths })) {
    addExamples(operation, schemas);
    yield;
  }
  for (const response of Object.values(responses)) addResponseExamples(response, schemas);
}
