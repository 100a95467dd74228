import { referencesIn } from './components.ts';
import { type JsonSchema, type OpenApiDocument, operationsOf } from './document.ts';

const textOf = (value: unknown): string =>
  typeof value === 'string' && value !== '' ? value : JSON.stringify(value);

/** Says the default of a member in its description. */
function describeDefault(schema: JsonSchema): void {
  const { default: value, description } = schema;
  delete schema.default;
  const isTold = value === null || description?.includes('Default: ') === true;
  if (isTold) return;
  const sentence = `Default: \`${textOf(value)}\`.`;
  schema.description = description === undefined ? sentence : `${description} ${sentence}`;
}

function walk(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { properties = {} } = value as JsonSchema;
  for (const property of Object.values(properties))
    if ('default' in property) describeDefault(property);
  for (const member of Object.values(value)) walk(member);
}

/**
 * Replaces `default` in the bodies of requests by a sentence, in place: generators take a member
 * with a default for one that is always there, and would require it of callers. Yields after each
 * part.
 */
export function* describeRequestDefaults({ paths, components }: OpenApiDocument): Generator {
  const names = new Set<string>();
  for (const { requestBody } of operationsOf({ paths })) {
    walk(requestBody);
    referencesIn(requestBody, names);
    yield;
  }
  for (const name of names) {
    const schema = components.schemas[name];
    walk(schema);
    referencesIn(schema, names);
    yield;
  }
}
