import type { JsonPath } from '../../../lib/json/repeated-members.ts';
import {
  RequestValidationError,
  valueError,
} from '../../../platform/validation/validation-error.ts';

const names = new Map(
  [
    'schemas',
    'id',
    'userName',
    'externalId',
    'displayName',
    'name',
    'formatted',
    'givenName',
    'familyName',
    'emails',
    'phoneNumbers',
    'value',
    'type',
    'primary',
    'active',
    'Operations',
    'op',
    'path',
  ].map((name) => [name.toLowerCase(), name]),
);

/** From the body to a member of an entry: `Operations`, its index, `value`, `emails`, its index. */
const deepest = 6;

const repeated = (path: JsonPath): Error =>
  new RequestValidationError([
    valueError(['body', ...path], 'must be given once, in whichever case'),
  ]);

function memberNames(value: object, path: JsonPath): object {
  const renamed = new Map<string, unknown>();
  for (const [given, member] of Object.entries(value)) {
    const name = names.get(given.toLowerCase()) ?? given;
    if (renamed.has(name)) throw repeated([...path, name]);
    renamed.set(name, withMemberNames(member, [...path, name]));
  }
  return Object.fromEntries(renamed);
}

/**
 * A request with the names of its members as the schemas spell them: attribute names have no case
 * (RFC 7643 §2.1). Unknown members keep theirs. Throws a RequestValidationError for a member that
 * is given twice.
 */
export function withMemberNames(value: unknown, path: JsonPath = []): unknown {
  if (typeof value !== 'object' || value === null || path.length > deepest) return value;
  return Array.isArray(value)
    ? value.map((entry, index) => withMemberNames(entry, [...path, index]))
    : memberNames(value, path);
}
