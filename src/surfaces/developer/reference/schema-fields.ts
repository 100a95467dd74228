import { html, type Html } from '../../../lib/text/html.ts';
import type { ApiDocument, JsonSchema } from './openapi-document.ts';
import { formatted } from '../plain-text.ts';

type Resolve = ApiDocument['resolve'];

const deepest = 6;
const widest = 12;

/** What a value is, in a few words: `string (uuid)`, `list of object`, `integer or null`. */
export function typeName(whole: JsonSchema, resolve: Resolve, depth = 0): string {
  const schema = resolve(whole);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined && depth < deepest)
    return [...new Set(variants.map((each) => typeName(each, resolve, depth + 1)))].join(' or ');
  const types = [
    schema.type ??
      (schema.properties === undefined && schema.allOf === undefined
        ? schema.enum === undefined && schema.const === undefined
          ? 'any value'
          : 'string'
        : 'object'),
  ].flat();
  return types
    .map((type) => {
      if (type === 'array')
        return `list of ${
          schema.items === undefined || depth >= deepest
            ? 'values'
            : typeName(schema.items, resolve, depth + 1)
        }`;
      return schema.format === undefined ||
        !['string', 'integer', 'number'].includes(type) ||
        schema.format.includes('int')
        ? type
        : `${type} (${schema.format})`;
    })
    .join(' or ');
}

const shown = (value: unknown): Html =>
  html`<code>${
    typeof value === 'string' ? (value === '' ? '(empty)' : value) : JSON.stringify(value)
  }</code>`;

/** Limits of a value that its type does not tell. */
function limitsOf(whole: JsonSchema, resolve: Resolve): Html[] {
  const schema = resolve(whole);
  const number = (name: string) => {
    const value = schema[name];
    return typeof value === 'number' && Math.abs(value) < 2 ** 53 - 1 ? value : undefined;
  };
  const range = (least: number | undefined, most: number | undefined, unit: string): Html[] => {
    if (least === undefined && most === undefined) return [];
    return [
      least === most
        ? html`exactly ${least}${unit}`
        : least === undefined
          ? html`at most ${most}${unit}`
          : most === undefined
            ? html`at least ${least}${unit}`
            : html`${least} to ${most}${unit}`,
    ];
  };
  const choices = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
  return [
    ...range(number('minLength'), number('maxLength'), ' characters'),
    ...range(number('minimum'), number('maximum'), ''),
    ...range(number('minItems'), number('maxItems'), ' entries'),
    ...(choices.length === 0
      ? []
      : [
          html`${choices.length === 1 ? 'always ' : 'one of '}${choices
            .slice(0, 40)
            .map((each, at) => html`${at === 0 ? '' : ', '}${shown(each)}`)}`,
        ]),
    ...(schema.default === undefined ? [] : [html`default ${shown(schema.default)}`]),
  ];
}

/** The objects that a value is, or consists of: with several, one of them. */
function objectsOf(whole: JsonSchema, resolve: Resolve, depth = 0): JsonSchema[] {
  const schema = resolve(whole);
  if (depth > deepest) return [];
  const inner =
    schema.anyOf ?? schema.oneOf ?? (schema.items === undefined ? undefined : [schema.items]);
  if (inner !== undefined) return inner.flatMap((each) => objectsOf(each, resolve, depth + 1));
  if (schema.allOf !== undefined) {
    const parts = schema.allOf.flatMap((each) => objectsOf(each, resolve, depth + 1));
    return [
      {
        ...schema,
        properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as Record<
          string,
          JsonSchema
        >,
        required: parts.flatMap(({ required = [] }) => required),
      },
    ];
  }
  if (schema.properties !== undefined && Object.keys(schema.properties).length > 0) return [schema];
  return typeof schema.additionalProperties === 'object'
    ? objectsOf(schema.additionalProperties, resolve, depth + 1)
    : [];
}

export interface Field {
  name: string;
  schema: JsonSchema;
  isRequired: boolean;
  description?: string | undefined;
  /** Of a parameter: `path`, `query`, `header` or `cookie`. */
  place?: string;
}

function item(
  { name, schema, isRequired, description, place }: Field,
  resolve: Resolve,
  depth: number,
): Html {
  const limits = limitsOf(schema, resolve);
  const text = description ?? schema.description ?? resolve(schema).description;
  const facts = html`<code>${name}</code>
<span class="type">${typeName(schema, resolve)}</span>${
    isRequired ? html` <span class="must">required</span>` : undefined
  }`;
  const about =
    text === undefined && limits.length === 0
      ? undefined
      : html`\n<p>${text === undefined ? undefined : formatted(text)}${
          limits.length === 0
            ? undefined
            : html`${text === undefined ? '' : ' '}<span
  class="type">${limits.map((each, at) => html`${at === 0 ? '' : '; '}${each}`)}</span>`
        }</p>`;
  const inside = depth >= deepest ? undefined : membersOf(schema, resolve, depth + 1);
  const mark =
    place === undefined
      ? undefined
      : html` data-in="${place}"
data-name="${name}"${isRequired ? html` data-required` : undefined}`;
  return html`\n<li${mark}>${facts}${about}${
    inside === undefined
      ? undefined
      : html`\n<details><summary>Members of ${name}</summary>\n${inside}</details>`
  }</li>`;
}

/** A list of fields. */
export const fieldList = (fields: readonly Field[], resolve: Resolve, depth = 0): Html =>
  html`<ul class="fields">${fields.map((field) => item(field, resolve, depth))}\n</ul>`;

/** The members of a value, with theirs; undefined where it has none. */
export function membersOf(schema: JsonSchema, resolve: Resolve, depth = 0): Html | undefined {
  const objects = objectsOf(schema, resolve).slice(0, widest);
  if (objects.length === 0) return undefined;
  const lists = objects.map(({ properties = {}, required = [] }) =>
    fieldList(
      Object.entries(properties).map(([name, each]) => ({
        name,
        schema: each,
        isRequired: required.includes(name),
      })),
      resolve,
      depth,
    ),
  );
  return lists.length === 1
    ? lists[0]
    : html`${lists.map(
        (list, at) => html`<p class="type">${at === 0 ? 'Either' : 'or'}</p>\n${list}\n`,
      )}`;
}
