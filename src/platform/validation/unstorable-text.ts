import type { JsonPath } from '../../lib/json/repeated-members.ts';
import { isStorable } from '../../lib/text/storable-text.ts';
import type { RequestPart } from './pydantic-errors.ts';
import {
  detailLimit,
  RequestValidationError,
  type ValidationDetail,
  valueError,
} from './validation-error.ts';

const rule = 'must be well-formed Unicode, without NUL or lone surrogates';

const escapes = /\\u(?:0000|[dD][89a-fA-F])/;

/** False when no string of a JSON text, which was decoded strictly, can be unstorable. */
export const mayHoldUnstorable = (json: string): boolean => escapes.test(json);

function collect(value: unknown, path: JsonPath, found: JsonPath[]): void {
  if (found.length >= detailLimit) return;
  if (typeof value === 'string') {
    if (!isStorable(value)) found.push(path);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collect(item, [...path, index], found);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (isStorable(name)) collect(member, [...path, name], found);
    else found.push([...path, name]);
  }
}

/**
 * Describes the strings and names of members that no store can keep: with NUL, which PostgreSQL
 * refuses, or with lone surrogates, which UTF-8 cannot encode. At most 100.
 */
export function unstorableTexts(
  value: unknown,
  part: RequestPart,
  base: JsonPath = [],
): ValidationDetail[] {
  const paths: JsonPath[] = [];
  collect(value, [], paths);
  return paths.map((path) => valueError([part, ...base, ...path], rule));
}

/** Throws a RequestValidationError that names the unstorable strings of a value. */
export function refuseUnstorable(value: unknown, part: RequestPart): void {
  const details = unstorableTexts(value, part);
  if (details.length > 0) throw new RequestValidationError(details);
}
