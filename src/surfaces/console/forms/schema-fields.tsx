import { z } from 'zod';
import type { Attributes, Content, Html } from '../../../lib/text/html.ts';
import {
  CheckField,
  Field,
  type FieldOptions,
  type InputOptions,
  LinesField,
  SelectField,
  type SelectOptions,
  TextField,
} from '../../../platform/ui/components/form.tsx';
import { isIntegerSchema, unwrapSchema } from '../../../platform/validation/zod-inspection.ts';
import { texts as common } from '../resources/texts/en.ts';

/** The words of a form, by member: `settings.interval_s` is a member of a member. */
interface FieldTexts {
  fields: Readonly<Record<string, string>>;
  hints?: Readonly<Record<string, string>>;
  /** Labels of the values of enums; the one of `''` is for none. */
  values?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface FieldsOptions {
  texts: FieldTexts;
  /** The start of the ids of the fields. */
  idPrefix: string;
  /** The present values. Unset: the defaults of the schema. */
  entry?: Readonly<Record<string, unknown>> | undefined;
  /** Of fields with several lines. */
  rows?: number;
}

/** What one field has besides what its schema says. */
export interface FieldSettings {
  value?: unknown;
  hint?: string;
  type?: InputOptions['type'];
  /** Some of the values of an enum, with their labels. */
  options?: SelectOptions['options'];
  isRequired?: boolean;
  /** A long text, but of one line. */
  isLine?: boolean;
  /** A list with one value on each line. */
  isLines?: boolean;
  maxLength?: number;
  rows?: number;
  attributes?: Attributes;
}

type Schema = z.core.$ZodType;

/** From this many characters on, a text gets a field of several lines. */
const longText = 300;

/** Objects and lists of objects have no field. */
export function isNested(schema: Schema): boolean {
  const inner = unwrapSchema(schema);
  return inner instanceof z.ZodArray
    ? isNested(inner.element)
    : ['object', 'record', 'union'].includes(inner._zod.def.type);
}

const accepts = (schema: Schema, value: unknown): boolean => z.safeParse(schema, value).success;
export const acceptsNull = (schema: Schema): boolean => accepts(schema, null);

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** The schema of a member, by its path. */
function schemaAt(body: Schema, member: string): Schema {
  let schema = body;
  for (const name of member.split('.')) {
    const inner = unwrapSchema(schema);
    const shape: Readonly<Record<string, Schema>> = inner instanceof z.ZodObject ? inner.shape : {};
    const next = shape[name];
    if (next === undefined) throw new TypeError(`The form has no member ${member}`);
    schema = next;
  }
  return schema;
}

function valueAt(entry: unknown, member: string): unknown {
  let value = entry;
  for (const name of member.split('.'))
    value =
      typeof value === 'object' && value !== null
        ? new Map<string, unknown>(Object.entries(value)).get(name)
        : undefined;
  return value;
}

interface Control {
  schema: Schema;
  value: unknown;
  /** Of a form that adds an entry. */
  isNew: boolean;
  field: FieldOptions;
  settings: FieldSettings;
  rows: number | undefined;
}

/** A field whose value can't be left out; in a form for changes, what can't be made empty. */
const isRequired = ({ schema, value, isNew, settings }: Control): boolean =>
  settings.isRequired ??
  (isNew
    ? !accepts(schema, undefined)
    : !acceptsNull(schema) && !accepts(schema, '') && (textOf(value) ?? '') !== '');

function enumField(control: Control, inner: z.ZodEnum, words: FieldTexts['values']): Html {
  const { schema, value, isNew, field, settings } = control;
  const labels = words?.[field.name ?? ''] ?? {};
  const given = textOf(value) ?? '';
  const all =
    settings.options ?? inner.options.map((each) => [String(each), labels[each] ?? String(each)]);
  // Without an empty choice, the browser chooses the first one for a value that is not listed:
  // right for a new entry that must have one, and wrong for a change.
  const hasEmpty =
    settings.options === undefined &&
    (acceptsNull(schema) ||
      !(inner.options.includes(given) || (isNew && !accepts(schema, undefined))));
  const unset = isNew ? common.values.usual : common.values.unchanged;
  const emptyText = labels[''] ?? (acceptsNull(schema) ? common.values.none : unset);
  return (
    <SelectField {...field} options={hasEmpty ? [['', emptyText], ...all] : all} value={given} />
  );
}

/** The bounds of a number. Those that every integer has are left out. */
function numberAttributes(inner: z.ZodNumber): Attributes {
  const bound = (value: number | null): number | undefined =>
    value === null || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? undefined : value;
  return {
    min: bound(inner.minValue),
    max: bound(inner.maxValue),
    step: isIntegerSchema(inner) ? undefined : 'any',
  };
}

function textField(control: Control, inner: Schema): Html {
  const { value, field, settings, rows } = control;
  const isEmail = field.name === 'email';
  const own = inner instanceof z.ZodString ? inner.maxLength : null;
  const maxLength = settings.maxLength ?? (isEmail ? 320 : (own ?? 200));
  const { attributes = {} } = settings;
  const input = { ...field, maxLength, attributes, value: textOf(value) };
  const required = isRequired(control);
  if (!isEmail && maxLength > longText && settings.isLine !== true)
    return <TextField {...input} isRequired={required} rows={settings.rows ?? rows ?? 4} />;
  const type = settings.type ?? (isEmail ? 'email' : 'text');
  return <Field {...input} type={type} isRequired={required} />;
}

function listField({ value, field, settings }: Control): Html {
  const values = textsOf(value);
  if (settings.isLines === true) return <LinesField {...field} values={values} />;
  return <Field {...field} hint={field.hint ?? common.listHint} value={values.join(', ')} />;
}

function controlOf(control: Control, words: FieldTexts['values']): Html | undefined {
  const { schema, value, field, settings } = control;
  const inner = unwrapSchema(schema);
  if (inner instanceof z.ZodEnum) return enumField(control, inner, words);
  if (inner instanceof z.ZodBoolean) return <CheckField {...field} isChecked={value === true} />;
  if (inner instanceof z.ZodISODateTime) {
    const local = textOf(value)?.slice(0, 16);
    const required = isRequired(control);
    const { attributes = {} } = settings;
    const input = { ...field, attributes, value: local, isRequired: required };
    return <Field {...input} type="datetime-local" />;
  }
  if (inner instanceof z.ZodNumber) {
    const attributes = { ...numberAttributes(inner), ...settings.attributes };
    const input = { ...field, attributes, value: textOf(value), isRequired: isRequired(control) };
    return <Field {...input} type="number" />;
  }
  if (inner instanceof z.ZodArray) return listField(control);
  return inner._zod.def.type === 'string' ? textField(control, inner) : undefined;
}

/**
 * Returns the function that renders the fields of a form for a body, one at a time: by the name of
 * a member, or its path (`settings.interval_s`). Type, length, bounds, choices and whether it is
 * required come from the schema, the words from `texts`. Undefined for nested members.
 */
export function fieldsOf(
  body: z.ZodObject,
  { texts, idPrefix, entry, rows }: FieldsOptions,
): (member: string, settings?: FieldSettings) => Html | undefined {
  return (member, settings = {}) => {
    const schema = schemaAt(body, member);
    if (isNested(schema)) return undefined;
    const initial =
      entry === undefined ? z.safeParse(schema, undefined).data : valueAt(entry, member);
    const field = {
      id: `${idPrefix}-${member.replaceAll('.', '-')}`,
      name: member,
      label: texts.fields[member] ?? member,
      hint: settings.hint ?? texts.hints?.[member],
    };
    const value = 'value' in settings ? settings.value : initial;
    const isNew = entry === undefined;
    return controlOf({ schema, value, isNew, field, settings, rows }, texts.values);
  };
}

/** All fields of a form for a body, in the order of its schema. */
export const allFields = (body: z.ZodObject, options: FieldsOptions): Content =>
  Object.keys(body.shape).map((member) => fieldsOf(body, options)(member));
