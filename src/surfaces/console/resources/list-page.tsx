import { z } from 'zod';
import { capitalized } from '../../../lib/text/case.ts';
import { consolePath } from '../../../lib/site-paths.ts';
import type { Html } from '../../../lib/text/html.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../platform/ui/components/feedback.tsx';
import { Field, SelectField } from '../../../platform/ui/components/form.tsx';
import { Menu } from '../../../platform/ui/components/overlay.tsx';
import { type Column, Table } from '../../../platform/ui/components/table.tsx';
import {
  type Entry,
  filtersOf,
  type Resource,
  type ResourcePage,
  sortsOf,
} from '../../../platform/resource/resource.ts';
import { unwrapSchema } from '../../../platform/validation/zod-inspection.ts';
import { DrawerLink } from '../components/drawer-link.tsx';
import { type AppliedFilter, ListTools } from '../components/list-tools.tsx';
import { cursorPager, textLink, withQuery } from '../components/navigation.tsx';
import { doneNotice } from '../components/notices.tsx';
import type { ConsolePage } from '../layout.tsx';
import { entryTexts } from './entry-texts.tsx';
import type { ListFamily } from './list-family.ts';
import { Person } from '../people/person.tsx';
import {
  cellHtml,
  columnsOf,
  isEmpty,
  isNumberMember,
  isTimeMember,
  labelOf,
  valueLabel,
} from './entry-values.tsx';
import { aboveList } from './resource-links.ts';
import {
  entryPath,
  hasImportPage,
  importPath,
  newEntryPath,
  resourcePath,
  sectionOf,
} from './resource-paths.ts';
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

/** What names the row: a person, or the first member. */
function firstCell(resource: Resource, entry: Entry, member: string): Html {
  const href = entryPath(resource, entry.id);
  if (member !== 'email') return <a href={href}>{cellHtml(resource, entry, member)}</a>;
  const { name } = entry;
  const email = String(entry.email);
  const isNamed = typeof name === 'string' && name !== '';
  return <Person name={isNamed ? name : email} detail={isNamed ? email : undefined} href={href} />;
}

/** Columns that say something of an entry of the page. */
function tableColumns(resource: Resource, entries: readonly Entry[]): Column<Entry>[] {
  const [first = 'id', ...all] = columnsOf(resource);
  const others = all.filter(
    (member) =>
      !(first === 'email' && member === 'name') && entries.some((entry) => !isEmpty(entry[member])),
  );
  return [
    { title: labelOf(resource, first), cell: (entry) => firstCell(resource, entry, first) },
    ...others.map((member, at) => ({
      title: labelOf(resource, member),
      cell: (entry: Entry) => cellHtml(resource, entry, member),
      isNumber: isNumberMember(resource, member),
      isMinor: at > 1,
    })),
  ];
}

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
  const { resource, query, text } = view;
  const path = resourcePath(resource);
  const shape: Readonly<Record<string, z.core.$ZodType>> = filtersOf(resource).shape;
  const filters = Object.entries(shape).flatMap(([member, schema]) => {
    const value = query[member];
    if (value === undefined || isId(unwrapSchema(schema))) return [];
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

function tools(view: ResourceListView): Html {
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

/** Leads to the form for a new entry, if entries can be added. */
const addButton = (resource: Resource): Html | undefined =>
  resource.create && (
    <DrawerLink
      label={words.create({ one: resource.texts.one })}
      href={newEntryPath(resource)}
      icon="plus"
      kind="primary"
    />
  );

const pageLinks = ({ pages = [] }: Resource): Html => (
  <>
    {pages.map(({ path, text }) => (
      <Button label={text} href={consolePath + path} />
    ))}
  </>
);

/** Leads to the page that imports entries, if there is one. */
const importItem = (resource: Resource): Html[] =>
  hasImportPage(resource) ? [textLink(importPath(resource), texts.import.open)] : [];

function isFiltered({ query, text }: ResourceListView): boolean {
  const filters = Object.entries(query).filter(([name]) => name !== 'sort');
  return text !== undefined || filters.some(([, value]) => value !== undefined);
}

function emptyState(view: ResourceListView): Html {
  const { resource } = view;
  if (isFiltered(view))
    return (
      <EmptyState
        icon="search"
        text={words.noMatch({ many: resource.texts.many })}
        action={<Button label={words.clear} href={resourcePath(resource)} />}
      />
    );
  return <EmptyState icon="list" text={resource.texts.none} action={addButton(resource)} />;
}

const entryTable = (view: ResourceListView): Html => (
  <Table
    caption={view.resource.texts.many}
    columns={tableColumns(view.resource, view.page.data)}
    rows={view.page.data}
    rowId={({ id }) => id}
    empty={emptyState(view)}
  />
);

/** A page of a resource's list, with search, filters and exports. */
export function resourceListPage(view: ResourceListView): ConsolePage {
  const { resource, page, query, cursor, done, exportLinks, family } = view;
  return {
    section: sectionOf(resource),
    title: family?.title ?? capitalized(resource.texts.many),
    breadcrumbs: family === undefined ? aboveList(resource) : [],
    notice: doneNotice(texts.notices, done),
    actions: (
      <>
        <Menu
          id="list-menu"
          label={words.more}
          isIconOnly
          items={[...importItem(resource), exportLinks]}
        />
        {pageLinks(resource)}
        {addButton(resource)}
      </>
    ),
    body: (
      <>
        {family?.tabs}
        {tools(view)}
        <Card id="entries" title={(isFiltered(view) ? words.matching : words.all)(resource.texts)}>
          {resource.isReadInFull === true && page.data.length > 0
            ? entryTexts(resource, page.data)
            : entryTable(view)}
          {(cursor !== undefined || page.next_cursor !== null) &&
            cursorPager({
              path: resourcePath(resource),
              query,
              isFirst: cursor === undefined,
              next: page.next_cursor,
              shown: words.shown({ count: formatNumber(page.data.length) }),
            })}
        </Card>
      </>
    ),
  };
}
