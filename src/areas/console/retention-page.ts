import { html, type Html } from '../../lib/html.ts';
import type { RetentionView } from '../analytics/schemas.retention.ts';
import { addressOf, type AnalyticsAddress, analyticsHome } from './analytics-address.ts';
import { siteChooser, type SiteEntry, siteTabs } from './analytics-frame.ts';
import type { ConsolePage } from './layout.ts';
import { count, percent } from './numbers.ts';
import { emptyState, panel, tabs } from './parts.ts';

const units = [['day', 'Days'], ['week', 'Weeks'], ['month', 'Months']] as const;

/** A share as a shade: five steps, and the number stands in it in any case. */
const shade = (share: number | null): string => (share === null || share === 0 ? 'share-0' : `share-${Math.min(5, Math.ceil(share / 20))}`);

function cohortTable({ cohorts, unit }: RetentionView): Html {
  const steps = cohorts.map((_, at) => at);
  const rows = cohorts.map(({ start, size, returned, visitors }) => html`
<tr><th scope="row">${start.slice(0, 10)}</th><td class="number-cell">${count(size)}</td>${steps.map((at) => (at < returned.length
    ? html`<td class="number-cell ${shade(returned[at] ?? null)}" title="${count(visitors[at] ?? 0)}">${percent(returned[at] ?? null)}</td>` : html`<td></td>`))}</tr>`);
  return html`<div class="scroll" role="region" aria-label="Retention by ${unit}" tabindex="0"><table class="cohorts"><caption class="spoken">Persons seen again, by the ${unit} in which they were first seen</caption>
<thead><tr><th scope="col">First seen in the ${unit} of</th><th scope="col" class="number-cell">Persons</th>${steps.map((at) => html`<th scope="col" class="number-cell">${at === 0 ? 'Same' : `+${at}`}</th>`)}</tr></thead>
<tbody>${rows}
</tbody></table></div>
`;
}

/** How many come back. */
export function retentionPage({ address, sites, view }: { address: AnalyticsAddress; sites: readonly SiteEntry[]; view: RetentionView }): ConsolePage {
  const place = `${analyticsHome}/retention`;
  const isEmpty = view.cohorts.every(({ size }) => size === 0);
  const body = html`${siteTabs(address, '/retention')}
${tabs('By', units.map(([unit, text]) => ({ href: addressOf(address, place, { unit }), text, isNow: unit === view.unit })))}
${panel({
    id: 'cohorts', title: 'Who comes back', hint: 'Only persons whom the site names are in it: others cannot be recognised from one day to the next, and nobody should pretend to.',
    body: isEmpty ? emptyState({ text: 'No named person has been seen. Name who has signed in:', call: "svc('login', { user_id: 'user-4711' })", link: { href: '/developer/guides/website-script', text: 'Guide to the script' } }) : cohortTable(view),
  })}`;
  return { section: 'analytics', title: `${address.site}, retention`, actions: siteChooser(address, sites, '/retention'), body };
}
