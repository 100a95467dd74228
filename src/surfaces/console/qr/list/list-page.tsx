import type { QrCodeView } from '../../../../areas/qr/schemas.ts';
import { codeTypes } from '../../../../areas/qr/tables.ts';
import { qrCodeResource } from '../../../../areas/qr/resource.ts';
import { readableUrl } from '../../../../lib/net/readable-url.ts';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { formatNumber } from '../../../../platform/i18n/numbers.ts';
import { Badge } from '../../../../platform/ui/components/badge.tsx';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { Field, SelectField } from '../../../../platform/ui/components/form.tsx';
import { Sparkline } from '../../../../platform/ui/charts/sparkline.tsx';
import { type Column, Table } from '../../../../platform/ui/components/table.tsx';
import { Icon } from '../../../../platform/ui/icon.tsx';
import { BulkList, RowCheck } from '../../components/bulk-list.tsx';
import { ActionButton } from '../../components/console-form.tsx';
import { type AppliedFilter, listMenu, ListTools } from '../../components/list-tools.tsx';
import { MenuLink } from '../../components/menu-link.tsx';
import { cursorPager, withQuery } from '../../components/navigation.tsx';
import { doneNotice } from '../../components/notices.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { contentLine } from '../code/content-facts.ts';
import { typeIcons } from '../contents/content-types.ts';
import { filesPath } from '../files/file-paths.ts';
import { labelsPath } from '../labels/label-form.tsx';
import { logosPath } from '../logos/logo-picture.tsx';
import { codePath, newQrPath, qrPath } from '../qr-paths.ts';
import { Thumbnail } from './thumbnail.tsx';
import { texts } from '../texts/en.ts';
import type { ListFilters } from './list-query.ts';

export interface QrListView {
  codes: readonly QrCodeView[];
  /** Scans by day, oldest first, by the short code. */
  trends: ReadonlyMap<string, readonly number[]>;
  filters: ListFilters;
  /** The sealed search term, for URLs. */
  find: string | undefined;
  text: string | undefined;
  sites: readonly string[];
  isFirst: boolean;
  next: string | null;
  done: string | undefined;
  changed: readonly string[];
}

const words = texts.list;
const listId = 'codes';

/** Without its scheme. Where it has to break, it does so before the code. */
function shortLink(url: string): Html {
  const [, host = '', path = ''] = /^https?:\/\/(.*\/)([^/]+)$/.exec(url) ?? [];
  return (
    <span>
      {escapeHtml(host)}
      <wbr />
      <span class="unbroken">{escapeHtml(path)}</span>
    </span>
  );
}

const nameCell = (code: QrCodeView): Html => (
  <div class="code-row">
    <RowCheck list={listId} name="id" value={code.id} label={words.select({ name: code.name })} />
    <Thumbnail code={code} />
    <span class="code-names">
      <a href={codePath(code.id)} safe>
        {code.name}
      </a>
      {code.short_url === null ? (
        <span class="hint">
          <Icon name={typeIcons[code.type]} />
          {escapeHtml(texts.content[code.type].name)}
        </span>
      ) : (
        <span class="copy-inline" data-copy>
          <input type="hidden" value={code.short_url} />
          {shortLink(code.short_url)}
        </span>
      )}
    </span>
  </div>
);

const targetText = ({ url, content }: QrCodeView): string =>
  content === null ? readableUrl(url ?? '').replace(/^https?:\/\//, '') : contentLine(content);

const scansCell = (code: QrCodeView): Html =>
  code.scans === null ? (
    <span class="hint">{escapeHtml(code.dynamic ? words.noFigures : words.notCounted)}</span>
  ) : (
    <>{escapeHtml(formatNumber(code.scans))}</>
  );

const trendCell = (days: readonly number[] | undefined): Html | undefined =>
  days && (
    <span class="cell-trend">
      <Sparkline values={days} label={words.trend} />
    </span>
  );

const statusCell = ({ status, dynamic }: QrCodeView): Html =>
  dynamic ? (
    <Badge
      text={texts.code.states[status]}
      tone={qrCodeResource.tones?.status?.[status] ?? 'neutral'}
    />
  ) : (
    <Badge text={words.fixed} />
  );

const columnsOf = ({ trends }: QrListView): readonly Column<QrCodeView>[] => [
  { title: words.columns.name, cell: nameCell },
  {
    title: words.columns.target,
    cell: (code) => <span class="cut">{escapeHtml(targetText(code))}</span>,
    isMinor: true,
  },
  {
    title: words.columns.scans,
    cell: scansCell,
    isNumber: true,
  },
  {
    title: words.columns.trend,
    cell: ({ code }) => trendCell(trends.get(code)),
    isMinor: true,
  },
  { title: words.columns.status, cell: statusCell },
];

/** What the filters that apply say, each with a link that removes it. */
function applied({ filters, find }: QrListView): AppliedFilter[] {
  const { type, active, site_id: site, utm_campaign: campaign, batch_id: file, logo } = filters;
  const all: (readonly [keyof ListFilters, string])[] = [
    ...(type === undefined ? [] : [['type', texts.content[type].name] as const]),
    ...(active === undefined ? [] : [['active', words.active[active]] as const]),
    ...(site === undefined ? [] : [['site_id', site] as const]),
    ...(campaign === undefined ? [] : [['utm_campaign', words.campaign({ campaign })] as const]),
    ...(file === undefined ? [] : [['batch_id', words.ofFile] as const]),
    ...(logo === undefined ? [] : [['logo', words.withLogo] as const]),
  ];
  return all.map(([name, text]) => ({
    text,
    href: withQuery(qrPath, { ...filters, find, [name]: undefined }),
  }));
}

const filterFields = ({ filters, sites }: QrListView): Html => (
  <>
    <SelectField
      id="filter-type"
      name="type"
      label={words.filter.type}
      value={filters.type ?? ''}
      options={[
        ['', words.filter.any],
        ...codeTypes.map((type) => [type, texts.content[type].name] as const),
      ]}
    />
    <SelectField
      id="filter-active"
      name="active"
      label={words.filter.status}
      value={filters.active ?? ''}
      options={[
        ['', words.filter.any],
        ['true', words.active.true],
        ['false', words.active.false],
      ]}
    />
    <Field
      id="filter-campaign"
      name="utm_campaign"
      label={words.filter.campaign}
      value={filters.utm_campaign}
    />
    <SelectField
      id="filter-site"
      name="site_id"
      label={words.filter.site}
      value={filters.site_id ?? ''}
      options={[['', words.filter.any], ...sites.map((key) => [key, key] as const)]}
    />
    <SelectField
      id="filter-sort"
      name="sort"
      label={words.filter.sort}
      value={filters.sort ?? '-created_at'}
      options={[
        ['-created_at', words.sorts.newest],
        ['-updated_at', words.sorts.changed],
        ['name', words.sorts.name],
      ]}
    />
  </>
);

const moreItems = (): Html[] => [
  <MenuLink href={filesPath} icon="upload" label={words.files} />,
  <MenuLink href={labelsPath} icon="print" label={words.labels} />,
  <MenuLink href={logosPath} icon="image" label={words.logos} />,
];

/** One search over everything, and one button with all filters. */
const tools = (view: QrListView): Html => (
  <ListTools
    action={`${qrPath}/find`}
    values={{ batch_id: view.filters.batch_id, logo: view.filters.logo }}
    search={words.search}
    text={view.text}
    clear={withQuery(qrPath, view.filters)}
    filters={filterFields(view)}
    applied={applied(view)}
    more={moreItems()}
    primary={newButton()}
  />
);

/** Buttons for the chosen rows. */
const bulkActions = (): Html => (
  <>
    <Button
      label={words.bulk.pictures}
      icon="download"
      size="small"
      attributes={{ formmethod: 'get', formaction: `${qrPath}/pictures` }}
    />
    <Button
      label={words.bulk.labels}
      icon="download"
      size="small"
      attributes={{ formmethod: 'get', formaction: labelsPath, name: 'layout', value: 'l7160' }}
    />
    <Button
      label={words.bulk.pause}
      icon="pause"
      size="small"
      attributes={{ formaction: `${qrPath}/pause` }}
    />
    <Button
      label={words.bulk.delete}
      icon="trash"
      size="small"
      attributes={{ formmethod: 'get', formaction: `${qrPath}/delete` }}
    />
  </>
);

const isNarrowed = ({ filters, text }: QrListView): boolean =>
  text !== undefined ||
  Object.entries(filters).some(([name, value]) => name !== 'sort' && value !== undefined);

const newButton = (): Html => (
  <Button label={words.add} kind="primary" icon="plus" href={newQrPath} />
);

const emptyState = (view: QrListView): Html =>
  isNarrowed(view) ? (
    <EmptyState
      icon="search"
      text={words.noMatch}
      action={<Button label={words.showAll} href={qrPath} />}
    />
  ) : (
    <EmptyState icon="qr" text={words.none} action={newButton()} />
  );

const list = (view: QrListView): Html => (
  <BulkList id={listId} action={`${qrPath}/pause`} actions={bulkActions()}>
    <Table
      caption={words.title}
      columns={columnsOf(view)}
      rows={view.codes}
      rowId={({ id }) => id}
    />
  </BulkList>
);

const undo = ({ done, changed }: QrListView): Html | undefined =>
  changed.length === 0 || (done !== 'paused' && done !== 'resumed') ? undefined : (
    <ActionButton
      action={`${qrPath}/${done === 'paused' ? 'resume' : 'pause'}`}
      label={texts.code.undo}
      kind="ghost"
      icon="undo"
      values={{ id: changed }}
    />
  );

/** All codes: search, filter, and what can be done with several at once. */
export function qrListPage(view: QrListView): ConsolePage {
  const { codes, filters, find, isFirst, next } = view;
  const isEmpty = codes.length === 0 && !isNarrowed(view);
  return {
    section: 'qr',
    title: words.title,
    notice: doneNotice(words.notices, view.done, { undo: undo(view) }),
    actions: isEmpty ? listMenu(moreItems()) : undefined,
    body: (
      <>
        {!isEmpty && tools(view)}
        <section class="tile" aria-label={words.title}>
          {codes.length === 0 ? emptyState(view) : list(view)}
          {(next !== null || !isFirst) &&
            cursorPager({
              path: qrPath,
              query: { ...filters, find },
              isFirst,
              next,
              shown: words.shown({ count: formatNumber(codes.length) }),
            })}
        </section>
      </>
    ),
  };
}
