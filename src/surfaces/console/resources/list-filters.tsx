import { z } from 'zod';
import type { Html } from '../../../lib/text/html.ts';
import { Field, SelectField } from '../../../platform/ui/components/form.tsx';
import { Tabs } from '../../../platform/ui/components/navigation.tsx';
import {
  type Entry,
  filtersOf,
  type Resource,
  type ResourcePage,
  sortsOf,
} from '../../../platform/resource/resource.ts';
import { unwrapSchema } from '../../../platform/validation/zod-inspection.ts';
import { type AppliedFilter, ListTools } from '../components/list-tools.tsx';
import { withQuery } from '../components/navigation.tsx';
import { isNumberMember, isTimeMember, labelOf, valueLabel } from './entry-values.tsx';
import type { ListFamily } from './list-family.ts';
import { resourcePath } from './resource-paths.ts';
import { texts } from './texts/en.ts';

export interface ResourceListView {
  resource: Resource;
  page: ResourcePage<Entry>;
  /** The filters and the order, as they are in URLs. */
  query: Readonly<Record<string, string | undefined>>;
  /** The search text; sealed in `query`. */
  text: string | undefined;
  cursor: string | undefined;
  done: string | undefined;
  exportLinks: Html;
  /** Pages beside this one, in place of the way back. */
  family?: ListFamily | undefined;
}

const words = texts.list;
const booleanNames: ReadonlyMap<string, string> = new Map([
  ['true', texts.values.yes],
  ['false', texts.values.no],
]);

/** Nobody types an id: links of other pages set such a filter. */
const isId = (inner: z.core.$ZodType | undefined): boolean => inner instanceof z.ZodUUID;

/** Filters without a field, which the form keeps. */
function currentFilters({ resource, query }: ResourceListView): Record<string, string | undefined> {
  const shape: Readonly<Record<string, z.core.$ZodType>> = filtersOf(resource).shape;
  return Object.fromEntries(
    Object.entries(shape)
      .filter(([, schema]) => isId(unwrapSchema(schema)))
      .map(([name]) => [name, query[name]]),
  );
}

function filterField(
  { resource, query }: Pick<ResourceListView, 'resource' | 'query'>,
  member: string,
): Html | undefined {
  const shape: Readonly<Record<string, z.core.$ZodType>> = filtersOf(resource).shape;
  const schema = shape[member];
  const inner = schema && unwrapSchema(schema);
  if (isId(inner)) return undefined;
  const field = { id: `filter-${member}`, name: member, label: labelOf(resource, member) };
  const value = query[member] ?? '';
  if (inner instanceof z.ZodBoolean)
    return (
      <SelectField
        {...field}
        options={[
          ['', words.any],
          ['true', texts.values.yes],
          ['false', texts.values.no],
        ]}
        value={value}
      />
    );
  if (inner instanceof z.ZodEnum)
    return (
      <SelectField
        {...field}
        options={[
          ['', words.any],
          ...inner.options.map(
            (each) => [String(each), valueLabel(resource, member, String(each))] as const,
          ),
        ]}
        value={value}
      />
    );
  return <Field {...field} value={value} />;
}

function sortLabel(resource: Resource, sort: string): string {
  const member = sort.replace(/^-/, '');
  const kinds = isTimeMember(resource, member)
    ? words.orders.time
    : isNumberMember(resource, member)
      ? words.orders.number
      : words.orders.text;
  const order = sort.startsWith('-') ? kinds.descending : kinds.ascending;
  return words.order({ field: labelOf(resource, member), order });
}

/** A filter in words: `Status: Waiting`. Ids and the order are left out. */
function appliedFilters(view: ResourceListView): AppliedFilter[] {
  const { resource, query, text, family } = view;
  const path = resourcePath(resource);
  const shape: Readonly<Record<string, z.core.$ZodType>> = filtersOf(resource).shape;
  const filters = Object.entries(shape).flatMap(([member, schema]) => {
    const value = query[member];
    const isShown = member === family?.quick?.member;
    if (value === undefined || isShown || isId(unwrapSchema(schema))) return [];
    const words = booleanNames.get(value) ?? valueLabel(resource, member, value);
    return {
      text: texts.list.applied({ field: labelOf(resource, member), value: words }),
      href: withQuery(path, { ...query, [member]: undefined }),
    };
  });
  const { find: _, ...others } = query;
  return text === undefined
    ? filters
    : [{ text: texts.list.quoted({ text }), href: withQuery(path, others) }, ...filters];
}

function filterFields({ resource, query }: ResourceListView): Html {
  return (
    <>
      {Object.keys(filtersOf(resource).shape).map((member) =>
        filterField({ resource, query }, member),
      )}
      <SelectField
        id="sort"
        label={words.sort}
        options={sortsOf(resource).map((sort) => [sort, sortLabel(resource, sort)] as const)}
        value={query.sort ?? resource.sorts[0]}
      />
    </>
  );
}

/** Search and filters of a list, and those that apply. */
export function tools(view: ResourceListView): Html {
  const { resource, text } = view;
  const { searches } = resource;
  return (
    <ListTools
      action={`${resourcePath(resource)}/find`}
      values={currentFilters(view)}
      search={searches === undefined ? undefined : words.search({ searches })}
      text={text}
      filters={filterFields(view)}
      applied={appliedFilters(view)}
    />
  );
}

/** The filter that is used most, one click away. */
export function quickFilter({ resource, query, family }: ResourceListView): Html | undefined {
  if (family?.quick === undefined) return undefined;
  const { member, label, all, options } = family.quick;
  const link = (value: string | undefined, text: string) => ({
    href: withQuery(resourcePath(resource), { ...query, [member]: value }),
    text,
    isCurrent: query[member] === value,
  });
  return (
    <div class="toolbar">
      <Tabs
        label={label}
        isCompact
        links={[link(undefined, all), ...options.map(([value, text]) => link(value, text))]}
      />
    </div>
  );
}

/** Whether the list shows a part of all entries. */
export function isFiltered({ query, text }: ResourceListView): boolean {
  const filters = Object.entries(query).filter(([name]) => name !== 'sort');
  return text !== undefined || filters.some(([, value]) => value !== undefined);
}
