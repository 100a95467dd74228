import { type AttributePath, type Current, type Draft, readParts, setAttribute } from './draft.ts';
import { toError } from '../../../lib/to-error.ts';
import { scimErrors } from './errors.ts';
import { parseFilter } from './filter-syntax.ts';
import { PatchOperation } from './schemas.ts';

const corePrefix = 'urn:ietf:params:scim:schemas:core:2.0:user';
const pathPattern = /^([a-z][\w$-]*)(?:\[(.*)\])?(?:\.([$a-z][\w$-]*))?$/is;

/**
 * Reads an attribute path. Undefined for an attribute of another schema, such as the enterprise
 * extension, which is ignored. Throws `scim.invalid_path`.
 */
function readPath(text: string): AttributePath | undefined {
  const isCore = text.toLowerCase().startsWith(corePrefix);
  const own = isCore ? text.slice(corePrefix.length).replace(/^:/, '') : text;
  if (/^urn:/i.test(own) || (isCore && own === '')) return undefined;
  const match = pathPattern.exec(own.trim());
  if (match === null) throw scimErrors.invalid_path();
  const [, attribute = '', selection, sub] = match;
  const filter = selection === undefined ? undefined : parseFilter(selection);
  if (selection !== undefined && filter === undefined) throw scimErrors.invalid_path();
  return { attribute: attribute.toLowerCase(), sub: sub?.toLowerCase(), filter };
}

/** The members of an operation without a path. Entra names some of them by paths. */
function membersOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw scimErrors.invalid_value({
      detail: 'value: must be an object when the operation has no path.',
    });
  return Object.entries(value);
}

/** Throws `scim.invalid_value`. */
function readOperation(given: unknown, at: number): PatchOperation {
  const { data, error } = PatchOperation.safeParse(given);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  const path = ['Operations', at, ...(issue?.path ?? [])].join('.');
  throw scimErrors.invalid_value({ detail: `${path}: ${issue?.message ?? 'is not valid'}` });
}

type Part = () => Promise<void>;

/** The attributes that an operation sets, one by one. */
function partsOf(draft: Draft, operation: PatchOperation, current: Current): Part[] {
  const isRemoval = operation.op.toLowerCase() === 'remove';
  const partOf =
    (name: string, value: unknown): Part =>
    async () => {
      const path = readPath(name);
      if (path !== undefined)
        await setAttribute(draft, path, isRemoval ? null : value, { current, isWhole: false });
    };
  if (operation.path !== undefined && operation.path !== '')
    return [partOf(operation.path, operation.value)];
  if (isRemoval) throw scimErrors.no_target();
  return membersOf(operation.value).flatMap(([name, value]) =>
    name.toLowerCase() === corePrefix
      ? membersOf(value).map(([own, each]) => partOf(own, each))
      : [partOf(name, value)],
  );
}

/**
 * What a PatchOp (RFC 7644 §3.5.2) changes. The last of several operations on an attribute counts.
 * One that locks someone out takes effect even if other values can't be read.
 * Throws `scim.invalid_path`, `.invalid_value`, `.no_target`, `.mutability`.
 */
export async function draftOfPatch(
  operations: readonly unknown[],
  current: Current,
): Promise<Draft> {
  const draft: Draft = {};
  return readParts(
    draft,
    operations.flatMap((operation, at) => {
      try {
        return partsOf(draft, readOperation(operation, at), current);
      } catch (error) {
        return [() => Promise.reject(toError(error))];
      }
    }),
  );
}
