import type { FastifyInstance } from 'fastify';
import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import { createSerializerCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { once } from '../../lib/memoize.ts';
import { runSchema } from './validation-issues.ts';

/** True when encoding may differ from decoding: the schema contains a codec or transform. */
function isDirectional(value: unknown, seen = new Set<unknown>()): boolean {
  if (typeof value !== 'object' || value === null || seen.has(value)) return false;
  seen.add(value);
  if (!(value instanceof z.core.$ZodType))
    return Object.values(value).some((member) => isDirectional(member, seen));
  const { def } = value._zod;
  if (['pipe', 'transform', 'lazy'].includes(def.type)) return true;
  return Object.values(def).some((member) => isDirectional(member, seen));
}

const directional = new WeakMap<z.core.$ZodType, boolean>();

/** As `isDirectional`. Routes share many schemas, so each is visited once. */
function mayDiffer(schema: z.core.$ZodType): boolean {
  const known = directional.get(schema) ?? isDirectional(schema);
  directional.set(schema, known);
  return known;
}

type Encode = ReturnType<typeof createSerializerCompiler>;

function serializerOf(encode: Encode, route: Parameters<FastifySerializerCompiler<unknown>>[0]) {
  const { schema } = route;
  if (!(schema instanceof z.core.$ZodType) || mayDiffer(schema))
    return encode(route as Parameters<typeof encode>[0]);
  const encodeWithZod = encode({ ...route, schema });
  return (data: unknown): string => {
    const { value, issues } = runSchema(schema, data);
    return issues.length === 0 ? JSON.stringify(value) : encodeWithZod(data);
  };
}

/**
 * Serialises responses by their zod schema. Undeclared members are dropped; an invalid value throws
 * an error with the code FST_ERR_RESPONSE_SERIALIZATION. Schemas without codecs use zod's compiled
 * parser, which is about ten times faster than its encoder and has the same result for them.
 */
export function registerSerialization(app: FastifyInstance): void {
  const encode = createSerializerCompiler({});
  app.setSerializerCompiler((route) => {
    // A route has several answers, most of which are never sent.
    const serializer = once(() => serializerOf(encode, route));
    return (data) => serializer()(data);
  });
}
