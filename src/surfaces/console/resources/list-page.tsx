import { capitalized } from '../../../lib/text/case.ts';
import { consolePath } from '../../../lib/site-paths.ts';
import type { Html } from '../../../lib/text/html.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../platform/ui/components/feedback.tsx';
import { Menu } from '../../../platform/ui/components/overlay.tsx';
import { type Column, Table } from '../../../platform/ui/components/table.tsx';
import type { Entry, Resource } from '../../../platform/resource/resource.ts';
import { BulkList, RowCheck } from '../components/bulk-list.tsx';
import { DrawerLink } from '../components/drawer-link.tsx';
import { cursorPager, textLink } from '../components/navigation.tsx';
import { doneNotice } from '../components/notices.tsx';
import type { ConsolePage } from '../layout.tsx';
import { entryTexts } from './entry-texts.tsx';
import { Person } from '../people/person.tsx';
import { cellHtml, columnsOf, isEmpty, isNumberMember, labelOf } from './entry-values.tsx';
import { isFiltered, quickFilter, type ResourceListView, tools } from './list-filters.tsx';
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

const words = texts.list;

/** What names the row: a person, or the first member. */
function nameCell(resource: Resource, entry: Entry, member: string): Html {
  const href = entryPath(resource, entry.id);
  if (member !== 'email') return <a href={href}>{cellHtml(resource, entry, member)}</a>;
  const { name } = entry;
  const email = String(entry.email);
  const isNamed = typeof name === 'string' && name !== '';
  return (
    <Person
      name={isNamed ? name : email}
      detail={isNamed ? email : undefined}
      href={href}
      id={`name-${entry.id}`}
    />
  );
}

const listId = 'entry-list';

/** The same, after a checkbox where several entries can be chosen. */
const firstCell = ({ resource, family }: ResourceListView, entry: Entry, member: string): Html =>
  family?.bulk === undefined ? (
    nameCell(resource, entry, member)
  ) : (
    <div class="pick">
      <RowCheck
        list={listId}
        name={family.bulk.name}
        value={entry.id}
        labelledBy={`name-${entry.id}`}
      />
      {nameCell(resource, entry, member)}
    </div>
  );

/** Columns that say something of an entry of the page. */
function tableColumns(view: ResourceListView): Column<Entry>[] {
  const { resource } = view;
  const entries = view.page.data;
  const [first = 'id', ...all] = columnsOf(resource);
  const others = all.filter(
    (member) =>
      !(first === 'email' && member === 'name') && entries.some((entry) => !isEmpty(entry[member])),
  );
  return [
    {
      title: first === 'email' ? words.person : labelOf(resource, first),
      cell: (entry) => firstCell(view, entry, first),
    },
    ...others.map((member, at) => ({
      title: labelOf(resource, member),
      cell: (entry: Entry) => cellHtml(resource, entry, member),
      isNumber: isNumberMember(resource, member),
      isMinor: at > 1,
    })),
  ];
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

function entryTable(view: ResourceListView): Html {
  const { resource, page, family } = view;
  const table = (
    <Table
      caption={resource.texts.many}
      columns={tableColumns(view)}
      rows={page.data}
      rowId={({ id }) => id}
      empty={emptyState(view)}
    />
  );
  return family?.bulk === undefined ? (
    table
  ) : (
    <BulkList id={listId} action={family.bulk.action} actions={family.bulk.buttons}>
      {table}
    </BulkList>
  );
}

/** A page of a resource's list, with search, filters and exports. */
export function resourceListPage(view: ResourceListView): ConsolePage {
  const { resource, page, query, cursor, done, exportLinks, family } = view;
  return {
    section: sectionOf(resource),
    title: family?.title ?? capitalized(resource.texts.many),
    breadcrumbs: family === undefined ? aboveList(resource) : [],
    notice: doneNotice({ ...texts.notices, ...family?.notices }, done),
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
        {quickFilter(view)}
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
