import type { FastifySchema, RouteOptions } from 'fastify';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { referencesIn, requestSuffix } from './components.ts';
import { type JsonSchema, type OpenApiDocument, partsOf } from './document.ts';

const toJsonSchemas = createJsonSchemaTransform({ skipList: [] });

/** Returns the schema without its name, which would be converted to a reference. */
function unnamed(schema: z.core.$ZodType): z.core.$ZodType {
  const copy = z.clone(schema, schema._zod.def);
  copy._zod.parent = schema._zod.parent;
  const { id: _id, ...meta } = z.globalRegistry.get(schema) ?? {};
  z.globalRegistry.add(copy, meta);
  return copy;
}

interface Converted {
  body?: JsonSchema;
  response?: Record<string, JsonSchema>;
}

function convert(schema: FastifySchema): Converted {
  const route = {} as RouteOptions;
  const input = { schema, url: '/', route, openapiObject: { openapi: '3.1.0' } };
  return toJsonSchemas(input).schema as Converted;
}

/** Converts the schema with this name of the document; undefined when there is none. */
function convertNamed(name: string): JsonSchema | undefined {
  const { _idmap: schemas } = z.globalRegistry;
  const answer = schemas.get(name);
  if (answer !== undefined) return convert({ response: { 200: unnamed(answer) } }).response?.[200];
  const body = schemas.get(name.slice(0, -requestSuffix.length));
  return body && convert({ body: unnamed(body) }).body;
}

/**
 * Adds the named schemas that the document refers to, and those that they refer to, unless they are
 * there. Yields after each part of the document and each schema. Returns the names that it found.
 */
export function* addNamedSchemas(document: OpenApiDocument): Generator<unknown, Set<string>> {
  const { schemas, ...others } = document.components;
  const names = new Set<string>();
  for (const part of partsOf({ ...document, components: { ...others, schemas: {} } })) {
    referencesIn(part, names);
    yield;
  }
  for (const name of names) {
    const schema = (schemas[name] ??= convertNamed(name) ?? {});
    referencesIn(schema, names);
    yield;
  }
  return names;
}
