import { z } from 'zod';
import { capitalized } from '../../../lib/text/case.ts';
import { consolePath } from '../../../lib/site-paths.ts';
import type { Html } from '../../../lib/text/html.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../platform/ui/components/feedback.tsx';
import { Field, SelectField } from '../../../platform/ui/components/form.tsx';
import { Dialog } from '../../../platform/ui/components/overlay.tsx';
import { type Column, Table } from '../../../platform/ui/components/table.tsx';
import {
  type Entry,
  filtersOf,
  type Resource,
  type ResourcePage,
  sortsOf,
} from '../../../platform/resource/resource.ts';
import { unwrapSchema } from '../../../platform/validation/zod-inspection.ts';
import { ConsoleForm } from '../components/console-form.tsx';
import { cursorPager } from '../components/navigation.tsx';
import { doneNotice } from '../components/notices.tsx';
import type { ConsolePage } from '../layout.tsx';
import { allFields } from '../forms/schema-fields.tsx';
import {
  cellHtml,
  columnsOf,
  isNumberMember,
  isTimeMember,
  labelOf,
  valueLabel,
} from './entry-values.tsx';
import { hasImportPage, importPath, resourcePath } from './resource-paths.ts';
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
}

const words = texts.list;

function tableColumns(resource: Resource): Column<Entry>[] {
  const [first = 'id', ...others] = columnsOf(resource);
  return [
    {
      title: labelOf(resource, first),
      cell: (entry) => (
        <a href={`${resourcePath(resource)}/${entry.id}`}>{cellHtml(resource, entry, first)}</a>
      ),
    },
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

function filterField({ resource, query }: ResourceListView, member: string): Html | undefined {
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

function filterForm(view: ResourceListView): Html {
  const { resource, query, text } = view;
  const { searches } = resource;
  return (
    <ConsoleForm
      action={`${resourcePath(resource)}/find`}
      isInline
      values={currentFilters(view)}
      submit={{ label: words.apply, kind: 'secondary' }}
      attributes={{ role: 'search', 'aria-label': words.filters }}
    >
      {searches !== undefined && (
        <Field id="text" label={words.search({ searches })} type="search" value={text} />
      )}
      {Object.keys(filtersOf(resource).shape).map((member) => filterField(view, member))}
      <SelectField
        id="sort"
        label={words.sort}
        options={sortsOf(resource).map((sort) => [sort, sortLabel(resource, sort)] as const)}
        value={query.sort ?? resource.sorts[0]}
      />
    </ConsoleForm>
  );
}

function createDialog(resource: Resource): Html | undefined {
  const { create, texts: named } = resource;
  if (create === undefined) return undefined;
  const label = words.create({ one: named.one });
  return (
    <Dialog id="create" title={label} open={label} close={words.close} icon="plus" kind="primary">
      <ConsoleForm action={resourcePath(resource)} submit={{ label }}>
        {allFields(create, { texts: named, idPrefix: 'new', rows: 8 })}
      </ConsoleForm>
    </Dialog>
  );
}

const pageLinks = ({ pages = [] }: Resource): Html => (
  <>
    {pages.map(({ path, text }) => (
      <Button label={text} href={consolePath + path} />
    ))}
  </>
);

/** Leads to the page that imports entries, if there is one. */
export const importLink = (resource: Resource): Html | undefined =>
  hasImportPage(resource) ? (
    <Button label={texts.import.open} href={importPath(resource)} />
  ) : undefined;

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
  return <EmptyState icon="list" text={resource.texts.none} />;
}

/** A page of a resource's list, with its filters, a form for a new entry, and exports. */
export function resourceListPage(view: ResourceListView): ConsolePage {
  const { resource, page, query, cursor, done, exportLinks } = view;
  return {
    section: 'records',
    title: capitalized(resource.texts.many),
    breadcrumbs: [
      { href: resourcePath(resource).replace(/\/[^/]+$/, ''), text: texts.index.title },
    ],
    notice: doneNotice(texts.notices, done),
    actions: (
      <>
        {exportLinks}
        {pageLinks(resource)}
        {importLink(resource)}
        {createDialog(resource)}
      </>
    ),
    body: (
      <>
        {filterForm(view)}
        <Card id="entries" title={(isFiltered(view) ? words.matching : words.all)(resource.texts)}>
          <Table
            caption={resource.texts.many}
            columns={tableColumns(resource)}
            rows={page.data}
            rowId={({ id }) => id}
            empty={emptyState(view)}
          />
          {page.data.length > 0 &&
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
