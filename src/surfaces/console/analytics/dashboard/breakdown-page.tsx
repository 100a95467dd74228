import type { Html } from '../../../../lib/text/html.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { Pager } from '../../../../platform/ui/components/navigation.tsx';
import { texts as consoleTexts } from '../../texts/en.ts';
import type { DashboardView } from '../../../../areas/analytics/figures/schemas.dashboard.ts';
import { viewUrl, viewValues, type ViewParams, analyticsPath } from '../view-params.ts';
import { Field, Form } from '../../../../platform/ui/components/form.tsx';
import { type NamedGoal, viewBar } from '../view-bar.tsx';
import { type SiteEntry, siteTabs } from '../view-controls.tsx';
import { type BreakdownName, rowName } from './breakdown-lists.ts';
import { breakdownTable } from './breakdowns.tsx';
import {
  listColumns,
  type ListOrder,
  type ListRow,
  orderText,
  readOrder,
  sortRows,
} from './list-columns.ts';
import type { ConsolePage } from '../../layout.tsx';
import { texts } from '../texts/en.ts';
import { count } from '../../components/number-format.ts';
import { formatDateRange } from '../../../../platform/i18n/dates.ts';

/** Rows per page. */
const perPage = 100;

/** The maximum number of rows of a list in the API. */
export const maxRows = 1000;

export interface ListView {
  address: ViewParams;
  sites: readonly SiteEntry[];
  goals: readonly NamedGoal[];
  isAdmin: boolean;
  /** What orders the rows, as in the address. */
  sort: string | undefined;
  name: BreakdownName;
  /** With up to `maxRows` rows of each list. */
  view: DashboardView;
  /** Only rows with this text, in any case. */
  search: string;
  /** Rows before the first one shown. */
  skip: number;
}

/** The days of the list, with the time zone in which they begin. */
const hintText = ({ view: { period } }: ListView): string =>
  texts.breakdowns.range({
    period: formatDateRange(period.from, Date.parse(period.to) - 1, { timeZone: period.timezone }),
    zone: period.timezone,
  });

const searchForm = ({ address, name, search, sort }: ListView): Html => (
  <Form
    action={`${analyticsPath}/list`}
    method="get"
    isInline
    values={{ ...viewValues(address), list: name, sort }}
    submit={{ label: texts.breakdowns.search, kind: 'secondary', icon: 'search', isIconOnly: true }}
  >
    <Field
      id="q"
      type="search"
      label={texts.breakdowns.searchIn({ list: texts.breakdowns.titles[name].toLowerCase() })}
      isLabelHidden
      value={search}
      attributes={{
        placeholder: texts.breakdowns.searchIn({
          list: texts.breakdowns.titles[name].toLowerCase(),
        }),
      }}
    />
  </Form>
);

/** The rows of a list that have the searched text in their name or value, in order. */
function foundRows({ name, view, search }: ListView, order: ListOrder): ListRow[] {
  const wanted = search.toLowerCase();
  const rows: readonly ListRow[] = view[name];
  const found = rows.filter(({ value }) =>
    `${rowName(name, value)}\n${value ?? ''}`.toLowerCase().includes(wanted),
  );
  return sortRows(found, name, order);
}

const orderOf = ({ name, address, sort }: ListView): ListOrder => {
  const columns = listColumns(name, address.goal !== undefined);
  const usual = { by: columns[0]?.figure ?? 'name', isReversed: false } as const;
  return readOrder(sort, columns) ?? usual;
};

/** One list of the dashboard with all its rows, a hundred per page. */
export function breakdownPage(list: ListView): ConsolePage {
  const { address, name, view, search, skip, sort, sites, goals, isAdmin } = list;
  const order = orderOf(list);
  const found = foundRows(list, order);
  const all = found.length;
  const from = skip < all ? skip : 0;
  const to = Math.min(all, from + perPage);
  const part = { ...view, [name]: found.slice(from, to) };
  const listUrl = (more: Record<string, string | undefined> = {}) =>
    viewUrl(address, `${analyticsPath}/list`, { list: name, q: search, sort, ...more });
  const rows = texts.breakdowns.rows({
    first: count(from + 1),
    last: count(to),
    all: count(all),
  });
  const ordered = {
    order,
    href: (by: ListOrder) => listUrl({ sort: orderText(by) }),
  };
  const isCut = view[name].length === maxRows;
  const title = texts.breakdowns.titles[name];
  return {
    section: 'analytics',
    title: texts.breakdowns.title({ site: address.site, list: title.toLowerCase() }),
    actions: <Button label={texts.breakdowns.back} href={viewUrl(address)} icon="arrow-left" />,
    body: (
      <>
        {siteTabs(address, '')}
        {viewBar({
          address,
          sites,
          tab: '',
          goals,
          place: { path: `${analyticsPath}/list`, values: { list: name } },
          isAdmin,
        })}
        <Card id="list" title={title} hint={hintText(list)} actions={searchForm(list)}>
          {breakdownTable(name, part, address, ordered)}
          {all > 0 && (all > perPage || isCut) && (
            <Pager
              label={consoleTexts.pager.label}
              summary={isCut ? texts.breakdowns.cut({ rows }) : rows}
              previous={from === 0 ? undefined : listUrl()}
              next={to < all ? listUrl({ skip: String(to) }) : undefined}
              previousLabel={consoleTexts.pager.first}
              nextLabel={consoleTexts.pager.next}
            />
          )}
        </Card>
      </>
    ),
  };
}
