import type { Filter } from 'scim2-parse-filter';

/** An entry of a multi-valued attribute: its members by lower-case name. */
export type Entry = Readonly<Record<string, string | undefined>>;

const comparisons: Readonly<Record<string, (own: string, given: string) => boolean>> = {
  eq: (own, given) => own === given,
  co: (own, given) => own.includes(given),
  sw: (own, given) => own.startsWith(given),
  ew: (own, given) => own.endsWith(given),
  gt: (own, given) => own > given,
  ge: (own, given) => own >= given,
  lt: (own, given) => own < given,
  le: (own, given) => own <= given,
};

/**
 * Whether the filter of a path, such as `emails[type eq "work" and primary eq true]`, selects an
 * entry (RFC 7644 §3.5.2). Case is ignored. `comparable` puts the values of `value` into one form.
 */
export function selects(
  filter: Filter,
  entry: Entry,
  comparable: (text: string) => string = (text) => text,
): boolean {
  if ('filters' in filter) {
    const each = filter.filters.map((part) => selects(part, entry, comparable));
    return filter.op === 'and' ? !each.includes(false) : each.includes(true);
  }
  if ('filter' in filter) return !selects(filter.filter, entry, comparable);
  if ('valFilter' in filter) return false;
  const name = filter.attrPath.toLowerCase();
  const own = Object.hasOwn(entry, name) ? entry[name]?.toLowerCase() : undefined;
  if (!('compValue' in filter)) return own !== undefined;
  const text = String(filter.compValue);
  const given = (name === 'value' ? comparable(text) : text).toLowerCase();
  if (filter.op === 'ne') return own !== given;
  return own !== undefined && comparisons[filter.op]?.(own, given) === true;
}
