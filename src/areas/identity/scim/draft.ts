import type { Filter } from 'scim2-parse-filter';
import { emailIdentity } from '../../../lib/identifiers.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import { lineText } from '../../../platform/validation/text-schemas.ts';
import { scimErrors } from './errors.ts';
import { comparablePhone, readPhone } from './phone-uri.ts';
import { selects } from './value-filter.ts';

/**
 * What a request says about a person. A member that is missing stays as it is, and null removes it.
 */
export interface Draft {
  userName?: string;
  externalId?: string | null;
  displayName?: string | null;
  formatted?: string | null;
  givenName?: string | null;
  familyName?: string | null;
  /** As entered. */
  email?: string;
  /** E.164. */
  mobile?: string | null;
  active?: boolean;
}

/** The address and number of a person before the request, to which a path may refer. */
export interface Current {
  id: string | undefined;
  email: string | undefined;
  mobile: string | undefined;
}

/** An attribute path (RFC 7644 §3.5.2), its names in lower case. */
export interface AttributePath {
  attribute: string;
  sub: string | undefined;
  filter: Filter | undefined;
}

const Text = lineText(200);
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '';

function invalid(attribute: string, rule: string): Error {
  return scimErrors.invalid_value({ detail: `${attribute}: ${rule}` });
}

function readText(attribute: string, value: unknown): string {
  const { data } = Text.safeParse(value);
  if (data === undefined)
    throw invalid(attribute, 'must be one line of 1 to 200 characters without control characters.');
  return data;
}

const readOptional = (attribute: string, value: unknown): string | null =>
  isEmpty(value) ? null : readText(attribute, value);

function readBoolean(attribute: string, given: unknown): boolean {
  const value = isObject(given) && 'value' in given ? given.value : given;
  // Entra sends "False".
  const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (text === true || text === 'true') return true;
  if (text === false || text === 'false') return false;
  throw invalid(attribute, 'must be true or false.');
}

function readEmail(value: unknown): string {
  const identity = typeof value === 'string' ? emailIdentity(value) : undefined;
  if (identity === undefined)
    throw invalid('emails', 'must have an email address. It can be replaced, but not removed.');
  return identity.value;
}

const typeOf = (entry: Record<string, unknown>): string =>
  typeof entry.type === 'string' ? entry.type.toLowerCase() : '';
const isPrimary = ({ primary }: Record<string, unknown>): boolean =>
  String(primary).toLowerCase() === 'true';

/** The entries of a multi-valued attribute: a list, a single entry or only its value. */
const entriesOf = (value: unknown): Record<string, unknown>[] =>
  [value].flat().flatMap((entry) => {
    if (typeof entry === 'string') return [{ value: entry }];
    return isObject(entry) && !isEmpty(entry.value) ? [entry] : [];
  });

/** The address to use: the primary one, else that of work, else, of a whole person, the first. */
function chooseEmail(value: unknown, isWhole: boolean): unknown {
  const entries = entriesOf(value);
  const chosen =
    entries.find(isPrimary) ?? entries.find((entry) => ['', 'work'].includes(typeOf(entry)));
  return (chosen ?? (isWhole ? entries[0] : undefined))?.value;
}

/** Only mobile numbers: an office number that people share must not sign anybody in. */
export const mobileEntries = (value: unknown): Record<string, unknown>[] =>
  entriesOf(value).filter((entry) => ['', 'mobile'].includes(typeOf(entry)));

/** Whether a path means the one entry that a person has, or gets. */
const refersTo = (
  filter: Filter | undefined,
  type: string,
  value: string | undefined,
  comparable?: (text: string) => string,
): boolean => filter === undefined || selects(filter, { type, primary: 'true', value }, comparable);

/** Entra's older form of a single value: a list with one entry. */
export const singleValue = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 && isObject(value[0]) && 'value' in value[0]
    ? value[0].value
    : value;

async function setEmail(
  draft: Draft,
  { sub, filter }: AttributePath,
  value: unknown,
  { current, isWhole }: { current: Current; isWhole: boolean },
): Promise<void> {
  if (!refersTo(filter, 'work', current.email) || ![undefined, 'value'].includes(sub)) return;
  if (isEmpty(value)) throw invalid('emails', 'can be replaced, but not removed.');
  const chosen = chooseEmail(value, isWhole || filter !== undefined);
  if (chosen !== undefined) draft.email = readEmail(chosen);
}

/**
 * Sets the first number that can be read. What is no number is ignored: another attribute, such as
 * `active`, must not wait for it.
 */
async function setMobile(
  draft: Draft,
  { sub, filter }: AttributePath,
  value: unknown,
  current: Current,
): Promise<void> {
  if (!refersTo(filter, 'mobile', current.mobile, comparablePhone)) return;
  if (![undefined, 'value'].includes(sub)) return;
  if (isEmpty(value)) {
    draft.mobile = null;
    return;
  }
  const entries = filter === undefined ? mobileEntries(value) : entriesOf(value).slice(0, 1);
  for (const entry of entries) {
    const number = await readPhone(entry.value);
    if (number === undefined) continue;
    draft.mobile = number;
    return;
  }
}

const nameParts = {
  formatted: 'formatted',
  givenname: 'givenName',
  familyname: 'familyName',
} as const;
const isNamePart = (part: string): part is keyof typeof nameParts => Object.hasOwn(nameParts, part);

function setName(draft: Draft, sub: string | undefined, value: unknown): void {
  if (sub !== undefined) {
    const part = sub.toLowerCase();
    if (isNamePart(part)) draft[nameParts[part]] = readOptional(`name.${nameParts[part]}`, value);
    return;
  }
  if (isEmpty(value)) {
    for (const part of Object.values(nameParts)) draft[part] = null;
    return;
  }
  if (!isObject(value)) throw invalid('name', 'must be an object.');
  const errors: unknown[] = [];
  for (const [part, each] of Object.entries(value)) {
    try {
      setName(draft, part, each);
    } catch (error) {
      errors.push(error);
    }
  }
  // Thrown last: a part that can't be read keeps no other from its place.
  if (errors.length > 0) throw errors[0];
}

/**
 * Adds one attribute to a draft; an empty value removes it. Attributes that are not supported, such
 * as roles, groups and titles, are ignored. `isWhole`: the request describes the whole person.
 * Throws `scim.invalid_value`, `.mutability`.
 */
export async function setAttribute(
  draft: Draft,
  path: AttributePath,
  given: unknown,
  context: { current: Current; isWhole: boolean },
): Promise<void> {
  const { attribute, sub } = path;
  if (attribute === 'emails') return setEmail(draft, path, given, context);
  if (attribute === 'phonenumbers') return setMobile(draft, path, given, context.current);
  const value = singleValue(given);
  if (attribute === 'username') draft.userName = readText('userName', value);
  else if (attribute === 'externalid') draft.externalId = readOptional('externalId', value);
  else if (attribute === 'displayname') draft.displayName = readOptional('displayName', value);
  else if (attribute === 'name') setName(draft, sub, value);
  else if (attribute === 'active') draft.active = readBoolean('active', value);
  else if (attribute === 'id' && !context.isWhole && value !== context.current.id)
    throw scimErrors.mutability();
}

/**
 * Reads the parts of a request into a draft. What can't be read refuses the request, unless it
 * locks someone out: that takes effect, with everything else that can be read.
 */
export async function readParts(
  draft: Draft,
  parts: readonly (() => Promise<void>)[],
): Promise<Draft> {
  let refusal: AppError | undefined;
  for (const read of parts) {
    try {
      await read();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refusal ??= error;
    }
  }
  if (refusal !== undefined && draft.active !== false) throw refusal;
  return draft;
}

/** The name to show: `displayName`, else `name.formatted`, else its parts; undefined: no change. */
export function shownName(
  { displayName, formatted, givenName, familyName }: Draft,
  before: { givenName: string | null; familyName: string | null },
): string | null | undefined {
  if (displayName !== undefined && displayName !== null) return displayName;
  if (formatted !== undefined && formatted !== null) return formatted;
  const hasParts = givenName !== undefined || familyName !== undefined;
  if (!hasParts) return displayName === null || formatted === null ? null : undefined;
  const parts = [
    givenName === undefined ? before.givenName : givenName,
    familyName === undefined ? before.familyName : familyName,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(' ').slice(0, 200);
}
