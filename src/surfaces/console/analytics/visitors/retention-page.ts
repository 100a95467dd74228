import { html, type Html } from '../../../../lib/text/html.ts';
import type { RetentionView } from '../../../../areas/analytics/figures/schemas.retention.ts';
import { viewUrl, type ViewParams, analyticsPath } from '../view-params.ts';
import { siteChooser, type SiteEntry, siteTabs } from '../view-controls.ts';
import type { ConsolePage } from '../../layout.ts';
import { count, percent } from '../../components/number-format.ts';
import { emptyState, panel } from '../../components/elements.ts';
import { tabs } from '../../components/navigation.ts';

const units = [
  ['day', 'Days'],
  ['week', 'Weeks'],
  ['month', 'Months'],
] as const;

/** A share as a shade: five steps, and the number stands in it in any case. */
const shade = (share: number | null): string =>
  share === null || share === 0 ? 'share-0' : `share-${Math.min(5, Math.ceil(share / 20))}`;

/** A share; that of a unit which still runs is marked, and has no shade to be compared by. */
function shareCell(
  { returned, visitors, partial }: RetentionView['cohorts'][number],
  at: number,
): Html {
  if (at >= returned.length) return html`<td></td>`;
  const share = returned[at] ?? null;
  const seen = count(visitors[at] ?? 0);
  const isPartial = partial && at > 0 && at === returned.length - 1;
  return isPartial
    ? html`<td class="number-cell partial" title="${seen} so far: not over yet">${percent(share)}<span class="spoken"> so far</span>…</td>`
    : html`<td class="number-cell ${shade(share)}" title="${seen}">${percent(share)}</td>`;
}

function cohortTable({ cohorts, unit }: RetentionView): Html {
  const steps = cohorts.map((_, at) => at);
  const rows = cohorts.map(
    (cohort) => html`
<tr><th scope="row">${cohort.start.slice(0, 10)}</th><td class="number-cell">${count(cohort.size)}</td>${steps.map((at) => shareCell(cohort, at))}</tr>`,
  );
  return html`<div class="scroll" role="region" aria-label="Retention by ${unit}" tabindex="0"><table class="cohorts"><caption class="spoken">Persons seen again, by the ${unit} in which they were first seen</caption>
<thead><tr><th scope="col">First seen in the ${unit} of</th><th scope="col" class="number-cell">Persons</th>${steps.map((at) => html`<th scope="col" class="number-cell">${at === 0 ? 'Same' : `+${at}`}</th>`)}</tr></thead>
<tbody>${rows}
</tbody></table></div>
`;
}

const named =
  'Only persons whom the site names are in it: nobody else can be recognised from one day to the next.';

/** How many come back. */
export function retentionPage({
  address,
  sites,
  view,
}: {
  address: ViewParams;
  sites: readonly SiteEntry[];
  view: RetentionView;
}): ConsolePage {
  const place = `${analyticsPath}/retention`;
  const isEmpty = view.cohorts.every(({ size }) => size === 0);
  const body = html`${siteTabs(address, '/retention')}
${tabs(
  'By',
  units.map(([unit, text]) => ({
    href: viewUrl(address, place, { unit }),
    text,
    isCurrent: unit === view.unit,
  })),
)}
${panel({
  id: 'cohorts',
  title: 'Who comes back',
  hint: `Figures with … are of the ${view.unit} that still runs: they go up until it ends. ${named}`,
  body: isEmpty
    ? emptyState({
        text: 'No named person has been seen. Name who has signed in:',
        call: "svc('login', { user_id: 'user-4711' })",
        link: { href: '/developer/guides/website-script', text: 'Guide to the script' },
      })
    : cohortTable(view),
})}`;
  return {
    section: 'analytics',
    title: `${address.site}, retention`,
    actions: siteChooser(address, sites, '/retention'),
    body,
  };
}
