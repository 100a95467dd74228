import type { z } from 'zod';

interface Inspectable {
  _zod: { def: object };
}

function formatOf({ _zod: { def } }: Inspectable): string {
  return 'format' in def ? String(def.format) : '';
}

/** True for `z.int()`, `z.number().int()` and other integer schemas. */
export function isIntegerSchema(schema: Inspectable): boolean {
  const { def } = schema._zod;
  const checks: readonly Inspectable[] =
    'checks' in def && Array.isArray(def.checks) ? def.checks : [];
  return [schema, ...checks].some((part) => formatOf(part).includes('int'));
}

/**
 * Unwraps optional, default, nullable and similar schemas. For a codec, returns the input schema.
 */
export function unwrapSchema(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = schema._zod;
  if ('innerType' in def) return unwrapSchema(def.innerType as z.core.$ZodType);
  return def.type === 'pipe' ? unwrapSchema((def as z.core.$ZodPipeDef).in) : schema;
}
