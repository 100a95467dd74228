import type { DashboardView } from '../../../../areas/analytics/figures/schemas.dashboard.ts';
import { viewUrl, type ViewParams, analyticsPath } from '../view-params.ts';
import { filterText, siteTabs } from '../view-controls.tsx';
import { type BreakdownName, breakdownTable, breakdownTitle } from './breakdowns.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { texts } from '../texts/en.ts';
import { count } from '../../components/number-format.ts';
import { pager } from '../../components/navigation.tsx';
import { panel } from '../../components/elements.tsx';
import { formatDateTimeRange } from '../../../../platform/i18n/dates.ts';

/** Rows per page. */
const perPage = 100;

/** The maximum number of rows of a list in the API. */
export const maxRows = 1000;

export interface ListView {
  address: ViewParams;
  name: BreakdownName;
  /** With up to `maxRows` rows of each list. */
  view: DashboardView;
  /** Rows before the first one shown. */
  skip: number;
}

function hintText({ address, view: { period } }: ListView): string {
  const filters = address.filters.map(filterText).join('; ');
  const { from, to, timezone: timeZone } = period;
  const range = texts.breakdowns.range({ period: formatDateTimeRange(from, to, { timeZone }) });
  return filters === '' ? range : texts.breakdowns.filtered({ range, filters });
}

/** One list of the dashboard with all its rows, a hundred per page. */
export function breakdownPage(list: ListView): ConsolePage {
  const { address, name, view, skip } = list;
  const all = view[name].length;
  const from = skip < all ? skip : 0;
  const to = Math.min(all, from + perPage);
  const part = { ...view, [name]: view[name].slice(from, to) };
  const listUrl = (more: Record<string, string | undefined> = {}) =>
    viewUrl(address, `${analyticsPath}/list`, { list: name, ...more });
  const rows = texts.breakdowns.rows({
    first: count(from + 1),
    last: count(to),
    all: count(all),
  });
  const range = all === maxRows ? texts.breakdowns.cut({ rows }) : rows;
  const pages = pager({
    first: from === 0 ? undefined : listUrl(),
    next: to < all ? listUrl({ skip: String(to) }) : undefined,
    shown: all === 0 ? texts.breakdowns.empty : range,
  });
  const title = breakdownTitle(name);
  return {
    section: 'analytics',
    title: texts.breakdowns.title({ site: address.site, list: title.toLowerCase() }),
    actions: (
      <a href={viewUrl(address)} safe>
        {texts.breakdowns.back}
      </a>
    ),
    body: [
      siteTabs(address, ''),
      panel({
        id: 'list',
        title,
        hint: hintText(list),
        body: [breakdownTable(name, part, address), pages],
      }),
    ],
  };
}
