import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { RetentionView } from '../../../../areas/analytics/figures/schemas.retention.ts';
import { viewUrl, type ViewParams, analyticsPath } from '../view-params.ts';
import { siteChooser, type SiteEntry, siteTabs } from '../view-controls.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { count, percent } from '../../components/number-format.ts';
import { emptyState, panel } from '../../components/elements.tsx';
import { tabs } from '../../components/navigation.tsx';
import { ScrollRegion } from '../../../../platform/ui/components/table.tsx';
import { texts } from '../texts/en.ts';
import { formatDate } from '../../../../platform/i18n/dates.ts';

const { retention } = texts;

const units = [
  ['day', retention.units.day],
  ['week', retention.units.week],
  ['month', retention.units.month],
] as const;

/** The CSS class of a cell: one of six shades for a share of 0 to 100 per cent. */
const shade = (share: number | null): string =>
  share === null || share === 0 ? 'share-0' : `share-${Math.min(5, Math.ceil(share / 20))}`;

/**
 * The share of a cohort that came back. A unit in progress is marked and has no shade; before
 * anybody has come back it has a dash, since nothing can be said yet.
 */
function shareCell(
  { returned, visitors, partial }: RetentionView['cohorts'][number],
  at: number,
): Html {
  if (at >= returned.length) return <td></td>;
  const share = returned[at] ?? null;
  const seen = count(visitors[at] ?? 0);
  const isPartial = partial && at > 0 && at === returned.length - 1;
  if (!isPartial)
    return (
      <td class={`number-cell ${shade(share)}`} title={seen} safe>
        {percent(share)}
      </td>
    );
  const cell = { class: 'number-cell partial', title: retention.soFarTitle({ visitors: seen }) };
  if (share === null || share === 0)
    return (
      <td {...cell} safe>
        {percent(null)}
      </td>
    );
  return (
    <td {...cell}>
      {escapeHtml(percent(share))}{' '}
      <span class="visually-hidden" safe>
        {retention.soFar}
      </span>
      …
    </td>
  );
}

function cohortTable({ cohorts, unit }: RetentionView): Html {
  const steps = cohorts.map((_, at) => at);
  const number = (text: string) => (
    <td class="number-cell" safe>
      {text}
    </td>
  );
  const heading = (text: string) => (
    <th scope="col" class="number-cell" safe>
      {text}
    </th>
  );
  const rows = cohorts.map((cohort) => {
    const shares = steps.map((at) => shareCell(cohort, at));
    const start = (
      <th scope="row" safe>
        {formatDate(cohort.start.slice(0, 10))}
      </th>
    );
    return (
      <tr>
        {start}
        {number(count(cohort.size))}
        {shares}
      </tr>
    );
  });
  const headings = [
    retention.visitors,
    ...steps.map((at) => (at === 0 ? retention.sameUnit : retention.later({ units: at }))),
  ].map(heading);
  return (
    <ScrollRegion label={retention.region({ unit })}>
      <table class="table cohorts">
        <caption class="visually-hidden" safe>
          {retention.caption({ unit })}
        </caption>
        <thead>
          <tr>
            <th scope="col" safe>
              {retention.firstSeen({ unit })}
            </th>
            {headings}
          </tr>
        </thead>
        <tbody>{rows}</tbody>
      </table>
    </ScrollRegion>
  );
}

const retentionPath = `${analyticsPath}/retention`;

export interface RetentionPageView {
  address: ViewParams;
  sites: readonly SiteEntry[];
  view: RetentionView;
}

/** Retention: how many visitors come back. */
export function retentionPage({ address, sites, view }: RetentionPageView): ConsolePage {
  const isEmpty = view.cohorts.every(({ size }) => size === 0);
  const unitTabs = units.map(([unit, text]) => ({
    href: viewUrl(address, retentionPath, { unit }),
    text,
    isCurrent: unit === view.unit,
  }));
  const cohorts = panel({
    id: 'cohorts',
    title: retention.heading,
    hint: retention.hint({ unit: view.unit }),
    body: isEmpty
      ? emptyState({
          text: retention.empty,
          call: "svc('login', { user_id: 'user-4711' })",
          link: { href: '/developer/guides/website-script', text: retention.guide },
        })
      : cohortTable(view),
  });
  return {
    section: 'analytics',
    title: retention.title({ site: address.site }),
    actions: siteChooser(address, sites, '/retention'),
    body: [siteTabs(address, '/retention'), tabs(retention.units.label, unitTabs), cohorts],
  };
}
