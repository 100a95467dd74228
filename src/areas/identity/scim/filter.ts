import { type RawBuilder, sql } from 'kysely';
import type { Filter } from 'scim2-parse-filter';
import { emailKey } from '../../../lib/identifiers.ts';
import { isUuid } from '../../../lib/ids.ts';
import { canonicalInstant } from '../../../lib/timestamps.ts';
import { storableText } from '../../../lib/text/storable-text.ts';
import { foldCase } from '../../../platform/database/fold-case.ts';
import { scimErrors } from './errors.ts';
import { parseFilter } from './filter-syntax.ts';
import { comparablePhone } from './phone-uri.ts';

type Condition = RawBuilder<boolean>;
type Value = string | number | boolean | null;

/** An attribute: how its values compare, and the SQL of its value. */
interface Attribute {
  kind: 'text' | 'exact' | 'phone' | 'boolean' | 'time';
  value: RawBuilder<unknown>;
}
type Attributes = Readonly<Record<string, Attribute>>;

const maxComparisons = 20;
const corePrefix = 'urn:ietf:params:scim:schemas:core:2.0:user:';

const name: Attribute = { kind: 'text', value: sql`name` };
const phone: Attribute = { kind: 'phone', value: sql`phone` };

/** The attributes of a user, by lower-case path. */
const ofUser: Attributes = {
  id: { kind: 'exact', value: sql`id::text` },
  username: { kind: 'text', value: sql`user_name` },
  externalid: { kind: 'exact', value: sql`external_id` },
  displayname: name,
  'name.formatted': name,
  'name.givenname': { kind: 'text', value: sql`given_name` },
  'name.familyname': { kind: 'text', value: sql`family_name` },
  active: { kind: 'boolean', value: sql`active` },
  phonenumbers: phone,
  'phonenumbers.value': phone,
  'meta.created': { kind: 'time', value: sql`created_at` },
  'meta.lastmodified': { kind: 'time', value: sql`modified_at` },
};

/** The attributes of one email address, `address` in SQL. */
const ofEmail: Attributes = {
  value: { kind: 'text', value: sql`address.value` },
  type: {
    kind: 'text',
    value: sql`case when address.key = scim_people.email_key then 'work' else 'other' end`,
  },
  primary: { kind: 'boolean', value: sql`address.key = scim_people.email_key` },
};

const ofPhone: Attributes = {
  value: phone,
  type: { kind: 'text', value: sql`case when phone is null then null else 'mobile' end` },
  primary: { kind: 'boolean', value: sql`phone is not null` },
};

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
const orders = { gt: sql`>`, ge: sql`>=`, lt: sql`<`, le: sql`<=` } as const;
const isOrder = (op: string): op is keyof typeof orders => Object.hasOwn(orders, op);

function compareText({ kind, value }: Attribute, op: string, given: Value): Condition {
  if (typeof given !== 'string') throw scimErrors.invalid_filter();
  const fold = kind === 'text' ? foldCase : (text: unknown) => sql`${text}`;
  const plain = storableText(kind === 'phone' ? comparablePhone(given) : given);
  const own = fold(value);
  const text = fold(plain);
  if (op === 'eq') return sql<boolean>`coalesce(${own} = ${text}, false)`;
  if (op === 'ne') return sql<boolean>`${own} is distinct from ${text}`;
  const patterns: Record<string, string> = {
    co: `%${escaped(plain)}%`,
    sw: `${escaped(plain)}%`,
    ew: `%${escaped(plain)}`,
  };
  const pattern = patterns[op];
  if (pattern !== undefined) return sql<boolean>`coalesce(${own} like ${fold(pattern)}, false)`;
  if (!isOrder(op)) throw scimErrors.invalid_filter();
  return sql<boolean>`coalesce(${own} collate "C" ${orders[op]} ${text}, false)`;
}

function compareBoolean({ value }: Attribute, op: string, given: Value): Condition {
  // Entra writes `active eq "True"` at times.
  const text = String(given).toLowerCase();
  if (!['true', 'false'].includes(text) || !['eq', 'ne'].includes(op))
    throw scimErrors.invalid_filter();
  const wanted = (text === 'true') === (op === 'eq');
  return sql<boolean>`coalesce((${value}) = ${wanted}, false)`;
}

function compareTime({ value }: Attribute, op: string, given: Value): Condition {
  const time = typeof given === 'string' ? new Date(canonicalInstant(given)) : undefined;
  if (time === undefined || Number.isNaN(time.getTime()) || Math.abs(time.getTime()) > 2e14)
    throw scimErrors.invalid_filter();
  // What is shown has milliseconds; the database has microseconds.
  const own = sql`date_trunc('milliseconds', ${value})`;
  if (op === 'eq') return sql<boolean>`${own} = ${time}`;
  if (op === 'ne') return sql<boolean>`${own} <> ${time}`;
  if (!isOrder(op)) throw scimErrors.invalid_filter();
  return sql<boolean>`${own} ${orders[op]} ${time}`;
}

function compare(attribute: Attribute, op: string, given: Value): Condition {
  const { kind, value } = attribute;
  if (given === null && op === 'eq') return sql<boolean>`(${value}) is null`;
  if (given === null && op === 'ne') return sql<boolean>`(${value}) is not null`;
  if (kind === 'boolean') return compareBoolean(attribute, op, given);
  return kind === 'time' ? compareTime(attribute, op, given) : compareText(attribute, op, given);
}

/** `userName eq`, which providers ask for each person, through the indexes of its sources. */
function hasUserName(given: string): Condition {
  const name = storableText(given);
  const key = name.toLowerCase();
  const own = isUuid(key) ? sql` or id = ${key}` : sql``;
  // The name of a person whom no provider named is the address, whose domain is in punycode.
  const address = storableText(emailKey(given));
  return sql<boolean>`((id in (
      select user_id from scim_users where user_name_key = ${key}
      union select user_id from identities
        where kind in ('email', 'phone') and key in (${key}, ${address})
    )${own}) and fold_case(user_name) in (fold_case(${name}), fold_case(${address})))`;
}

/** `emails.value eq`, through the index of keys, which are the lower-case addresses. */
const hasEmail = (given: string): Condition => sql<boolean>`id in (
  select user_id from identities
  where kind = 'email' and key = ${storableText(emailKey(given))})`;

const anyEmail = (condition: Condition): Condition => sql<boolean>`exists (
  select from identities as address
  where address.user_id = scim_people.id and address.kind = 'email' and ${condition})`;

type Leaf = (path: string, op: string, value: Value | undefined) => Condition;

/** Conditions on the attributes of a map. Undefined as value: the attribute is present (`pr`). */
const leafOf =
  (attributes: Attributes): Leaf =>
  (path, op, value) => {
    const attribute = Object.hasOwn(attributes, path) ? attributes[path] : undefined;
    if (attribute === undefined) throw scimErrors.invalid_filter();
    return value === undefined
      ? sql<boolean>`(${attribute.value}) is not null`
      : compare(attribute, op, value);
  };

const userLeaf: Leaf = (path, op, value) => {
  if (path === 'username' && op === 'eq' && typeof value === 'string') return hasUserName(value);
  const [, sub] = /^emails(?:\.(\w+))?$/.exec(path) ?? [];
  if (path !== 'emails' && sub === undefined) return leafOf(ofUser)(path, op, value);
  if (value === undefined && sub === undefined) return anyEmail(sql<boolean>`true`);
  if (op === 'eq' && typeof value === 'string' && (sub ?? 'value') === 'value')
    return hasEmail(value);
  return anyEmail(leafOf(ofEmail)(sub ?? 'value', op, value));
};

const pathOf = (attrPath: string): string => {
  const path = attrPath.toLowerCase();
  return path.startsWith(corePrefix) ? path.slice(corePrefix.length) : path;
};

function createWalk() {
  let comparisons = 0;

  function ofList(path: string, filter: Filter): Condition {
    if (path === 'emails') return anyEmail(walk(filter, leafOf(ofEmail)));
    if (path === 'phonenumbers') return walk(filter, leafOf(ofPhone));
    throw scimErrors.invalid_filter();
  }

  function walk(filter: Filter, leaf: Leaf): Condition {
    if ('filters' in filter) {
      const conditions = filter.filters.map((each) => walk(each, leaf));
      return sql<boolean>`(${sql.join(conditions, filter.op === 'and' ? sql` and ` : sql` or `)})`;
    }
    if ('filter' in filter) return sql<boolean>`not (${walk(filter.filter, leaf)})`;
    comparisons += 1;
    if (comparisons > maxComparisons) throw scimErrors.invalid_filter();
    const path = pathOf(filter.attrPath);
    if ('valFilter' in filter) {
      if (leaf !== userLeaf) throw scimErrors.invalid_filter();
      return ofList(path, filter.valFilter);
    }
    return leaf(path, filter.op, 'compValue' in filter ? filter.compValue : undefined);
  }

  return walk;
}

/**
 * Turns a filter (RFC 7644 §3.4.2.2) into a condition on rows of `scim_people`. All values are
 * parameters of the statement. Attributes and operators are case-insensitive. Throws
 * `scim.invalid_filter` for one that is broken, too long or about attributes that do not exist.
 */
export function filterCondition(text: string): RawBuilder<boolean> {
  const filter = parseFilter(text);
  if (filter === undefined) throw scimErrors.invalid_filter();
  return createWalk()(filter, userLeaf);
}
