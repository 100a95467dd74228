import type { ScimPerson } from './store.ts';
import {
  type Current,
  type Draft,
  isEmpty,
  isObject,
  mobileEntries,
  readParts,
  setAttribute,
  singleValue,
} from './draft.ts';
import { scimErrors } from './errors.ts';

/** A whole person, as POST and PUT send it. */
export interface FullDraft {
  draft: Draft;
  /** What the request names, but nobody can read. */
  unread: ReadonlySet<keyof Draft>;
}

const nobody: Current = { id: undefined, email: undefined, mobile: undefined };

const single = new Map<string, keyof Draft>([
  ['externalid', 'externalId'],
  ['displayname', 'displayName'],
  ['emails', 'email'],
]);
const nameParts = new Map<string, keyof Draft>([
  ['formatted', 'formatted'],
  ['givenname', 'givenName'],
  ['familyname', 'familyName'],
]);

/** Whether a value has a mobile number, or something else than entries. */
const namesMobile = (value: unknown): boolean =>
  mobileEntries(value).length > 0 ||
  [value].flat().some((entry) => !isEmpty(entry) && !isObject(entry));

function namedInName(value: unknown): (keyof Draft)[] {
  if (!isObject(value)) return [...nameParts.values()];
  return Object.keys(value).flatMap((part) => nameParts.get(part.toLowerCase()) ?? []);
}

/** The members of a draft that an attribute names. */
function namedBy(attribute: string, value: unknown): (keyof Draft)[] {
  if (attribute === 'name') return namedInName(singleValue(value));
  if (attribute === 'phonenumbers') return namesMobile(value) ? ['mobile'] : [];
  const member = single.get(attribute);
  return member === undefined ? [] : [member];
}

/** An empty member of a whole person is the same as none, but for those that must have a value. */
function isGiven(attribute: string, value: unknown): boolean {
  if (attribute === 'username') return true;
  if (attribute === 'active') return value !== null && value !== undefined;
  return !isEmpty(value) && !(Array.isArray(value) && value.length === 0);
}

/** Reads a whole person. Throws `scim.invalid_value`. */
export async function draftOf(body: Readonly<Record<string, unknown>>): Promise<FullDraft> {
  const draft: Draft = {};
  const given = Object.entries({ userName: undefined, ...body })
    .map(([name, value]) => ({ attribute: name.toLowerCase(), value }))
    .filter(({ attribute, value }) => isGiven(attribute, value));
  const parts = given.map(({ attribute, value }) => {
    const path = { attribute, sub: undefined, filter: undefined };
    return () => setAttribute(draft, path, value, { current: nobody, isWhole: true });
  });
  await readParts(draft, parts);
  const named = given.flatMap(({ attribute, value }) => namedBy(attribute, value));
  return { draft, unread: new Set(named.filter((member) => draft[member] === undefined)) };
}

/**
 * Reads someone who is created. There is nobody to lock out yet, so the user name must be
 * readable. Throws `scim.invalid_value`.
 */
export async function draftOfNew(body: Readonly<Record<string, unknown>>): Promise<Draft> {
  const { draft } = await draftOf(body);
  if (draft.userName === undefined)
    throw scimErrors.invalid_value({ detail: 'userName: must be one line of text.' });
  return draft;
}

/** What PUT removes because the request does not name it. `active` and the address stay. */
const removable = ['externalId', 'givenName', 'familyName', 'mobile'] as const;

/**
 * What a whole person changes when it replaces another. What it leaves out is removed, and what it
 * names in a way that nobody can read stays as it is.
 */
export function replacementOf(
  { draft, unread }: FullDraft,
  before: Pick<ScimPerson, 'name' | 'emails'>,
): Draft {
  const left = removable.filter((member) => !unread.has(member));
  const email = before.emails.find(({ primary }) => primary)?.value;
  const isNameUnread = unread.has('displayName') || unread.has('formatted');
  return {
    ...Object.fromEntries(left.map((member) => [member, null])),
    ...draft,
    // Otherwise the parts of the name, or the user name, would take the place of what stays.
    ...(isNameUnread && draft.displayName === undefined ? { displayName: before.name } : {}),
    ...(unread.has('email') && email !== undefined ? { email } : {}),
  };
}
