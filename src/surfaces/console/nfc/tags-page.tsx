import type { NfcTagView } from '../../../areas/nfc/schemas.ts';
import { nfcTagResource } from '../../../areas/nfc/tags/resource.ts';
import type { Html } from '../../../lib/text/html.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import { Sparkline } from '../../../platform/ui/charts/sparkline.tsx';
import { Badge } from '../../../platform/ui/components/badge.tsx';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Banner, EmptyState } from '../../../platform/ui/components/feedback.tsx';
import { SelectField } from '../../../platform/ui/components/form.tsx';
import { type Column, Table } from '../../../platform/ui/components/table.tsx';
import { type AppliedFilter, listMenu, ListTools } from '../components/list-tools.tsx';
import { MenuLink } from '../components/menu-link.tsx';
import { cursorPager, withQuery } from '../components/navigation.tsx';
import { doneNotice } from '../components/notices.tsx';
import { OptionalTime } from '../components/optional-time.tsx';
import type { ConsolePage } from '../layout.tsx';
import { importPath } from '../resources/resource-paths.ts';
import { alarmsPath, newTagPath, tagPath, tagsPath } from './nfc-paths.ts';
import { chipNames, kindOf, leadsTo, protectionNames, stateBadge } from './tag-words.tsx';
import { texts } from './texts/en.ts';

export interface TagsView {
  tags: readonly NfcTagView[];
  nextCursor: string | null;
  cursor: string | undefined;
  /** The filters and the order, as they are in the URL. */
  query: Readonly<Record<string, string | undefined>>;
  /** The search text; sealed in `query`. */
  text: string | undefined;
  /** Taps of the last 30 days, oldest first, by code. */
  trends: ReadonlyMap<string, readonly number[]>;
  /** Open alarms, by the id of their tag. */
  alarms: ReadonlyMap<string | null, number>;
  done: string | undefined;
  /** Items of the menu. */
  exports: readonly Html[];
}

const words = texts.list;
type FilterName = 'chip' | 'mode' | 'active';

const filterNames: Readonly<Record<FilterName, Readonly<Record<string, string>>>> = {
  chip: chipNames,
  mode: protectionNames,
  active: { true: texts.states.active, false: texts.states.paused },
};
const filters = ['chip', 'mode', 'active'] as const;

const filterFields = (query: TagsView['query']): Html => (
  <>
    {filters.map((name) => (
      <SelectField
        id={`filter-${name}`}
        name={name}
        label={words[name]}
        options={[['', words.any], ...Object.entries(filterNames[name])]}
        value={query[name] ?? ''}
      />
    ))}
    <SelectField
      id="sort"
      label={words.sort}
      options={Object.entries(words.sorts)}
      value={query.sort ?? '-created_at'}
    />
  </>
);

function applied({ query }: TagsView): AppliedFilter[] {
  return filters.flatMap((name) => {
    const value = filterNames[name][query[name] ?? ''];
    return value === undefined
      ? []
      : {
          text: words.filter({ field: words[name], value }),
          href: withQuery(tagsPath, { ...query, [name]: undefined }),
        };
  });
}

const isNarrowed = (view: TagsView): boolean => view.text !== undefined || applied(view).length > 0;

const addButton = (): Html => (
  <Button label={texts.add} href={newTagPath} icon="plus" kind="primary" />
);

function emptyState(view: TagsView): Html {
  if (!isNarrowed(view)) return <EmptyState icon="tag" text={words.none} action={addButton()} />;
  return (
    <EmptyState
      icon="search"
      text={words.noMatch}
      action={<Button label={words.clear} href={tagsPath} />}
    />
  );
}

const nameCell = (tag: NfcTagView): Html => (
  <>
    <a class="row-link" href={tagPath(tag.id)} safe>
      {tag.name}
    </a>
    <span class="hint row-hint" safe>
      {leadsTo(tag)}
    </span>
  </>
);

const trendCell = (days: readonly number[] | undefined): Html | undefined =>
  days && (
    <span class="cell-trend">
      <Sparkline
        values={days}
        label={words.trend({ count: days.reduce((sum, each) => sum + each, 0) })}
      />
    </span>
  );

function columnsOf({ alarms, trends }: TagsView): readonly Column<NfcTagView>[] {
  const { columns } = words;
  return [
    { title: columns.name, cell: nameCell },
    { title: columns.chip, text: kindOf, isMinor: true },
    { title: columns.taps, text: ({ taps }) => formatNumber(taps), isNumber: true },
    {
      title: columns.trend,
      cell: ({ code }) => trendCell(trends.get(code)),
      isMinor: true,
    },
    {
      title: columns.last,
      cell: ({ last_tapped_at: at }) => <OptionalTime at={at} none={texts.never} />,
      isMinor: true,
    },
    {
      title: columns.state,
      cell: (tag) => (
        <>
          {stateBadge(tag)} {alarms.has(tag.id) && <Badge text={texts.states.alarm} tone="bad" />}
        </>
      ),
    },
  ];
}

function alarmLine({ alarms }: TagsView): Html | undefined {
  const count = [...alarms.values()].reduce((sum, each) => sum + each, 0);
  return count === 0 ? undefined : (
    <Banner
      tone="bad"
      text={words.waiting({ count })}
      action={<Button label={words.look} href={alarmsPath} size="small" />}
    />
  );
}

const moreItems = ({ exports }: TagsView): Html[] => [
  <MenuLink href={alarmsPath} icon="alert" label={texts.alarms} />,
  <MenuLink href={importPath(nfcTagResource)} icon="upload" label={words.import} />,
  ...exports,
];

/** The list of NFC tags, with the alarms that wait. */
export function tagsPage(view: TagsView): ConsolePage {
  const { tags, nextCursor, cursor, query, text, done } = view;
  const hasTools = tags.length > 0 || isNarrowed(view);
  return {
    section: 'nfc',
    title: texts.title,
    notice: doneNotice(texts.notices, done),
    actions: hasTools ? undefined : listMenu(moreItems(view)),
    body: (
      <>
        {alarmLine(view)}
        {hasTools && (
          <ListTools
            action={`${tagsPath}/find`}
            search={words.search}
            text={text}
            filters={filterFields(query)}
            applied={applied(view)}
            clear={withQuery(tagsPath, { ...query, find: undefined })}
            more={moreItems(view)}
            primary={addButton()}
          />
        )}
        <section class="tile" id="tags" aria-label={texts.title}>
          <Table
            caption={words.caption}
            columns={columnsOf(view)}
            rows={tags}
            rowId={({ id }) => `tag-${id}`}
            empty={emptyState(view)}
          />
          {(cursor !== undefined || nextCursor !== null) &&
            cursorPager({
              path: tagsPath,
              query,
              isFirst: cursor === undefined,
              next: nextCursor,
              shown: words.shown({ count: tags.length }),
            })}
        </section>
      </>
    ),
  };
}
