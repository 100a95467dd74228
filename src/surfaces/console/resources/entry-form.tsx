import { z } from 'zod';
import type { Html } from '../../../lib/text/html.ts';
import {
  CheckField,
  Field,
  type FieldOptions,
  SelectField,
  TextField,
} from '../../../platform/ui/components/form.tsx';
import type { Entry, Values } from '../../../platform/resource/resource.ts';
import { unwrapSchema } from '../../../platform/validation/zod-inspection.ts';
import { type FormValues, instantOf, listOf, textOf } from '../forms.ts';
import { type Described, labelOf, valueLabel } from './entry-values.tsx';
import { texts } from './texts/en.ts';

/** From this many characters on, a text gets a field of several lines. */
const longText = 300;

/** Objects and lists of objects have no field. */
function isNested(schema: z.core.$ZodType): boolean {
  const inner = unwrapSchema(schema);
  return inner instanceof z.ZodArray
    ? isNested(inner.element)
    : ['object', 'record', 'union'].includes(inner._zod.def.type);
}
const defaultOf = (schema: z.core.$ZodType): unknown => z.safeParse(schema, undefined).data;
const isRequired = (schema: z.core.$ZodType): boolean => !z.safeParse(schema, undefined).success;
const acceptsNull = (schema: z.core.$ZodType): boolean => z.safeParse(schema, null).success;
const textOfList = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join(', ') : '';
const textOfScalar = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
/** The value of a `datetime-local` field, in UTC. */
const localTime = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.slice(0, 16) : undefined;

interface FieldOf {
  schema: z.core.$ZodType;
  value: unknown;
  /** Of a form that adds an entry. */
  isNew: boolean;
}

function enumField(
  resource: Described,
  member: string,
  { schema, value, field, isNew }: FieldOf & { field: FieldOptions },
): Html {
  const inner = unwrapSchema(schema);
  const options = inner instanceof z.ZodEnum ? inner.options.map(String) : [];
  const given = textOfScalar(value) ?? '';
  // Without an empty choice, the browser chooses the first one for a value that is not listed:
  // right for a new entry that must have one, and wrong for a change.
  const hasEmpty =
    acceptsNull(schema) || !(options.includes(given) || (isNew && isRequired(schema)));
  const unset = isNew ? texts.values.usual : texts.values.unchanged;
  const emptyText = acceptsNull(schema) ? texts.values.none : unset;
  const choices = options.map((each) => [each, valueLabel(resource, member, each)] as const);
  return (
    <SelectField
      {...field}
      options={hasEmpty ? [['', emptyText], ...choices] : choices}
      value={given}
    />
  );
}

function textField(
  schema: z.core.$ZodType,
  { value, field }: { value: unknown; field: FieldOptions },
): Html {
  const inner = unwrapSchema(schema);
  const maxLength = (inner instanceof z.ZodString ? inner.maxLength : undefined) ?? 200;
  const common = { ...field, maxLength, isRequired: isRequired(schema) };
  if (field.name === 'email')
    return <Field {...common} type="email" maxLength={320} value={textOfScalar(value)} />;
  return maxLength > longText ? (
    <TextField {...common} value={textOfScalar(value)} rows={8} />
  ) : (
    <Field {...common} value={textOfScalar(value)} />
  );
}

function memberField(
  resource: Described,
  member: string,
  { schema, value, isNew, idPrefix }: FieldOf & { idPrefix: string },
): Html | undefined {
  if (isNested(schema)) return undefined;
  const inner = unwrapSchema(schema);
  const hint = resource.texts.hints?.[member];
  const field = {
    id: `${idPrefix}-${member}`,
    name: member,
    label: labelOf(resource, member),
    hint,
  };
  if (inner instanceof z.ZodEnum)
    return enumField(resource, member, { schema, value, isNew, field });
  if (inner instanceof z.ZodBoolean) return <CheckField {...field} isChecked={value === true} />;
  if (inner instanceof z.ZodISODateTime)
    return <Field {...field} type="datetime-local" value={localTime(value)} />;
  if (inner instanceof z.ZodNumber)
    return (
      <Field
        {...field}
        type="number"
        value={textOfScalar(value)}
        isRequired={isRequired(schema)}
        attributes={{ step: 'any' }}
      />
    );
  if (inner instanceof z.ZodArray)
    return <Field {...field} hint={hint ?? texts.listHint} value={textOfList(value)} />;
  return inner._zod.def.type === 'string' ? textField(schema, { value, field }) : undefined;
}

/** The fields of a form for a body, filled with the values of an entry. */
export function entryFields(
  resource: Described,
  body: z.ZodObject,
  { entry, idPrefix }: { entry?: Entry; idPrefix: string },
): Html {
  const shape: Readonly<Record<string, z.core.$ZodType>> = body.shape;
  return (
    <>
      {Object.entries(shape).map(([member, schema]) =>
        memberField(resource, member, {
          schema,
          value: entry === undefined ? defaultOf(schema) : entry[member],
          isNew: entry === undefined,
          idPrefix,
        }),
      )}
    </>
  );
}

function memberOfForm(values: FormValues, member: string, schema: z.core.$ZodType): unknown {
  if (isNested(schema)) return undefined;
  const inner = unwrapSchema(schema);
  if (inner instanceof z.ZodBoolean) return textOf(values, member) === 'true';
  if (inner instanceof z.ZodArray)
    return listOf(values, member)
      .flatMap((text) => text.split(','))
      .map((text) => text.trim())
      .filter((text) => text !== '');
  if (inner instanceof z.ZodISODateTime)
    return instantOf(values, member) ?? (acceptsNull(schema) ? null : undefined);
  const text = textOf(values, member);
  if (text === undefined) return acceptsNull(schema) ? null : undefined;
  if (inner instanceof z.ZodNumber) return Number(text);
  return text;
}

/** Converts a form to a body, for its schema to check. Members without a field are left out. */
export function bodyOfForm(values: FormValues, body: z.ZodObject): Values {
  const shape: Readonly<Record<string, z.core.$ZodType>> = body.shape;
  return Object.fromEntries(
    Object.entries(shape).flatMap(([member, schema]) => {
      const value = memberOfForm(values, member, schema);
      return value === undefined ? [] : [[member, value]];
    }),
  );
}
