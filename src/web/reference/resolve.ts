const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The part of a document at a path; undefined if there is none. */
export function at(document: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((part, key) => (isObject(part) ? part[key] : undefined), document);
}

const keysOf = (reference: string): string[] =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .map((key) => decodeURIComponent(key).replace(/~1/g, '/').replace(/~0/g, '~'));

/**
 * A part of an OpenAPI document with its references replaced by what they mean. A reference to
 * something that it is within stays.
 */
export function resolved(
  part: unknown,
  document: unknown,
  within: readonly string[] = [],
): unknown {
  if (Array.isArray(part)) return part.map((each) => resolved(each, document, within));
  if (!isObject(part)) return part;
  const { $ref: reference, ...others } = part;
  const own = Object.fromEntries(
    Object.entries(others).map(([key, value]) => [key, resolved(value, document, within)]),
  );
  if (typeof reference !== 'string') return own;
  if (!reference.startsWith('#/') || within.includes(reference)) return part;
  const target = resolved(at(document, keysOf(reference)), document, [...within, reference]);
  return isObject(target) ? { ...target, ...own } : target;
}
