import { html } from '../../../lib/text/html.ts';
import type { DashboardView } from '../../../areas/analytics/figures/schemas.dashboard.ts';
import { addressOf, type AnalyticsAddress, analyticsHome } from './analytics-address.ts';
import { filterText, siteTabs } from './analytics-frame.ts';
import { type ListName, listTable, listTitle } from './analytics-lists.ts';
import type { ConsolePage } from '../layout.ts';
import { count } from '../numbers.ts';
import { pager, panel } from '../parts.ts';

/** Rows of a page. */
const perPage = 100;

/** Rows that the API gives of a list at most. */
export const longestList = 1000;

export interface ListView {
  address: AnalyticsAddress;
  name: ListName;
  /** With as many rows of each list as there can be. */
  view: DashboardView;
  /** Rows before the first one shown. */
  skip: number;
}

/** One list of the dashboard with all its rows, a hundred to a page. */
export function analyticsListPage({ address, name, view, skip }: ListView): ConsolePage {
  const all = view[name].length;
  const from = skip < all ? skip : 0;
  const part = { ...view, [name]: view[name].slice(from, from + perPage) };
  const place = (more: Record<string, string | undefined> = {}) =>
    addressOf(address, `${analyticsHome}/list`, { list: name, ...more });
  const to = Math.min(all, from + perPage);
  const most =
    all === longestList ? ' The list ends here: narrow it with a filter to see the others.' : '';
  const shown =
    all === 0
      ? 'Nothing in this period.'
      : `${count(from + 1)} to ${count(to)} of ${count(all)}.${most}`;
  const pages = pager({
    first: from === 0 ? undefined : place(),
    next: to < all ? place({ skip: String(to) }) : undefined,
    shown,
  });
  const { from: begin, to: end, timezone } = view.period;
  const filters = address.filters.map(filterText).join('; ');
  const hint = `${begin.slice(0, 16).replace('T', ' ')} to ${end.slice(0, 16).replace('T', ' ')}, ${timezone}.${filters === '' ? '' : ` Only: ${filters}.`}`;
  return {
    section: 'analytics',
    title: `${address.site}, ${listTitle(name).toLowerCase()}`,
    actions: html`<a href="${addressOf(address)}">Back to the dashboard</a>`,
    body: html`${siteTabs(address, '')}
${panel({ id: 'list', title: listTitle(name), hint, body: html`${listTable(name, part, address)}${pages}` })}`,
  };
}
