import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { Pager } from '../../../../platform/ui/components/navigation.tsx';
import { texts as consoleTexts } from '../../texts/en.ts';
import type { DashboardView } from '../../../../areas/analytics/figures/schemas.dashboard.ts';
import { viewUrl, type ViewParams, analyticsPath } from '../view-params.ts';
import { formatFilter, siteTabs } from '../view-controls.tsx';
import { type BreakdownName, breakdownTable, breakdownTitle } from './breakdowns.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { texts } from '../texts/en.ts';
import { count } from '../../components/number-format.ts';
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
  const filters = address.filters.map(formatFilter).join('; ');
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
  const title = breakdownTitle(name);
  return {
    section: 'analytics',
    title: texts.breakdowns.title({ site: address.site, list: title.toLowerCase() }),
    actions: <Button label={texts.breakdowns.back} href={viewUrl(address)} icon="arrow-left" />,
    body: (
      <>
        {siteTabs(address, '')}
        <Card id="list" title={title} hint={hintText(list)}>
          {breakdownTable(name, part, address)}
          <Pager
            label={consoleTexts.pager.label}
            summary={all === 0 ? texts.breakdowns.empty : range}
            previous={from === 0 ? undefined : listUrl()}
            next={to < all ? listUrl({ skip: String(to) }) : undefined}
            previousLabel={consoleTexts.pager.first}
            nextLabel={consoleTexts.pager.next}
          />
        </Card>
      </>
    ),
  };
}
