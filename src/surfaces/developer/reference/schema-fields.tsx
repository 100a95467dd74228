import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { rich } from '../../../lib/text/rich.ts';
import { formatted } from '../plain-text.tsx';
import { texts } from '../texts/en/reference.ts';
import type { JsonSchema } from '../../../platform/openapi/document.ts';
import type { ApiDocument } from './openapi-document.ts';

type Resolve = ApiDocument['resolve'];

const maxDepth = 6;
const maxVariants = 12;

/** A short name of a type: `string (uuid)`, `array of object`, `integer or null`. */
export function typeName(schemaOrRef: JsonSchema, resolve: Resolve, depth = 0): string {
  const schema = resolve(schemaOrRef);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined && depth < maxDepth)
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
        return `array of ${
          schema.items === undefined || depth >= maxDepth
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

const codeOf = (value: unknown): Html => (
  <code safe>
    {typeof value === 'string'
      ? value === ''
        ? texts.limits.empty
        : value
      : JSON.stringify(value)}
  </code>
);

type RangeTexts = typeof texts.limits.value;

function rangeText(
  min: number | undefined,
  max: number | undefined,
  { exactly, atMost, atLeast, between }: RangeTexts,
): string[] {
  if (min !== undefined && max !== undefined)
    return [min === max ? exactly({ count: min }) : between({ min, max })];
  if (max !== undefined) return [atMost({ count: max })];
  return min === undefined ? [] : [atLeast({ count: min })];
}

const choiceList = (choices: readonly unknown[]): Html => (
  <>
    {choices.slice(0, 40).map((each, at) => (
      <>
        {escapeHtml(at === 0 ? '' : ', ')}
        {codeOf(each)}
      </>
    ))}
  </>
);

/** The constraints of a value besides its type. */
function limitsOf(schemaOrRef: JsonSchema, resolve: Resolve): Html[] {
  const schema = resolve(schemaOrRef);
  const { value, characters, items, always, oneOf, default: initially } = texts.limits;
  const real = (limit = Infinity) => (Math.abs(limit) < 2 ** 53 - 1 ? limit : undefined);
  const ranges = [
    ...rangeText(real(schema.minLength), real(schema.maxLength), characters),
    ...rangeText(real(schema.minimum), real(schema.maximum), value),
    ...rangeText(real(schema.minItems), real(schema.maxItems), items),
  ].map((text) => escapeHtml(text));
  const choices = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
  if (choices.length === 1) ranges.push(rich(always, { value: () => codeOf(choices[0]) }));
  if (choices.length > 1) ranges.push(rich(oneOf, { values: () => choiceList(choices) }));
  if (schema.default !== undefined)
    ranges.push(rich(initially, { value: () => codeOf(schema.default) }));
  return ranges;
}

/** The object schemas of a value or of its entries. Several are alternatives. */
function objectsOf(schemaOrRef: JsonSchema, resolve: Resolve, depth = 0): JsonSchema[] {
  const schema = resolve(schemaOrRef);
  if (depth > maxDepth) return [];
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
  /** The location of a parameter: `path`, `query`, `header` or `cookie`. */
  location?: string;
}

function item(
  { name, schema, isRequired, description, location }: Field,
  resolve: Resolve,
  depth: number,
): Html {
  const limits = limitsOf(schema, resolve);
  const text = description ?? schema.description ?? resolve(schema).description;
  const facts = (
    <>
      <code safe>{name}</code> <small safe>{typeName(schema, resolve)}</small>
      {isRequired ? (
        <>
          {' '}
          <em safe>{texts.operation.required}</em>
        </>
      ) : undefined}
    </>
  );
  const about =
    text === undefined && limits.length === 0 ? undefined : (
      <p>
        {text === undefined ? undefined : formatted(text)}
        {limits.length === 0 ? undefined : (
          <>
            {escapeHtml(text === undefined ? '' : ' ')}
            <small>
              {limits.map((each, at) => (
                <>
                  {escapeHtml(at === 0 ? '' : '; ')}
                  {each}
                </>
              ))}
            </small>
          </>
        )}
      </p>
    );
  const inside = depth >= maxDepth ? undefined : membersOf(schema, resolve, depth + 1);
  const mark =
    location === undefined
      ? undefined
      : {
          'data-in': location,
          'data-name': name,
          'data-required': isRequired,
        };
  return (
    <li {...mark}>
      {facts}
      {about}
      {inside === undefined ? undefined : (
        <details>
          <summary safe>{texts.operation.members({ name })}</summary>
          {inside}
        </details>
      )}
    </li>
  );
}

/** A list of fields, with their nested members. */
export const fieldList = (fields: readonly Field[], resolve: Resolve, depth = 0): Html => (
  <ul class="fields">{fields.map((field) => item(field, resolve, depth))}</ul>
);

/** The nested lists of the members of a value; undefined when it has none. */
export function membersOf(schema: JsonSchema, resolve: Resolve, depth = 0): Html | undefined {
  const objects = objectsOf(schema, resolve).slice(0, maxVariants);
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
  return lists.length === 1 ? (
    lists[0]
  ) : (
    <>
      {lists.map((list, at) => (
        <>
          <p class="hint" safe>
            {at === 0 ? texts.operation.either : texts.operation.or}
          </p>
          {list}
        </>
      ))}
    </>
  );
}
