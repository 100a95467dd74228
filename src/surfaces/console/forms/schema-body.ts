import { z } from 'zod';
import type { Values } from '../../../platform/resource/resource.ts';
import { unwrapSchema } from '../../../platform/validation/zod-inspection.ts';
import { type FormValues, instantOf, listOf, textOf } from '../forms.ts';
import { acceptsNull, isNested } from './schema-fields.tsx';

type Schema = z.core.$ZodType;

/** The values of a list: checkboxes (`name[]`), or one field with commas or lines between them. */
function listAt(values: FormValues, name: string, schema: Schema, element: Schema): unknown {
  const items = [...listOf(values, `${name}[]`), ...listOf(values, name)]
    .flatMap((text) => text.split(/[\n,]/))
    .map((text) => text.trim())
    .filter((text) => text !== '');
  if (items.length === 0 && acceptsNull(schema)) return null;
  return unwrapSchema(element) instanceof z.ZodNumber ? items.map(Number) : items;
}

function memberOfForm(values: FormValues, name: string, schema: Schema): unknown {
  const inner = unwrapSchema(schema);
  if (inner instanceof z.ZodObject) {
    const isPosted = Object.keys(values).some((posted) => posted.startsWith(`${name}.`));
    return isPosted ? bodyOfForm(values, inner, `${name}.`) : undefined;
  }
  if (isNested(schema)) return undefined;
  if (inner instanceof z.ZodBoolean) return listOf(values, name).includes('true');
  if (inner instanceof z.ZodArray) return listAt(values, name, schema, inner.element);
  const text = inner instanceof z.ZodISODateTime ? instantOf(values, name) : textOf(values, name);
  if (text === undefined) return acceptsNull(schema) ? null : undefined;
  return inner instanceof z.ZodNumber ? Number(text) : text;
}

/**
 * Converts a form, whose fields have the names of `fieldsOf`, to a body for its schema to check.
 * Empty fields and members without a field are left out, or null where the schema accepts that.
 */
export function bodyOfForm(values: FormValues, body: z.ZodObject, prefix = ''): Values {
  const shape: Readonly<Record<string, Schema>> = body.shape;
  return Object.fromEntries(
    Object.entries(shape).flatMap(([member, schema]) => {
      const value = memberOfForm(values, prefix + member, schema);
      return value === undefined ? [] : [[member, value]];
    }),
  );
}
