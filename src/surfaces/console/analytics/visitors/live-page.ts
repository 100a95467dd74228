import { html, type Html } from '../../../../lib/text/html.ts';
import type { DashboardView } from '../../../../areas/analytics/figures/schemas.dashboard.ts';
import type { ViewParams } from '../view-params.ts';
import { siteChooser, type SiteEntry, siteTabs } from '../view-controls.ts';
import { ranking } from '../../components/ranking.ts';
import { countryName } from '../../../../lib/places/country-names.ts';
import type { ConsolePage } from '../../layout.ts';
import { count } from '../../components/number-format.ts';
import { cards, emptyState, panel } from '../../components/elements.ts';

interface Row {
  value: string | null;
  visitors: number;
}

function list(
  rows: readonly Row[],
  heading: string,
  none: string,
  nameOf: (value: string) => string = (value) => value,
): Html {
  if (rows.length === 0) return emptyState({ text: 'Nobody in the last 30 minutes.' });
  return ranking({
    caption: `${heading}, last 30 minutes`,
    heading,
    columns: ['Visitors'],
    rows: rows.map(({ value, visitors }) => ({
      text: value === null ? none : nameOf(value),
      value: visitors,
      cells: [count(visitors)],
    })),
  });
}

/** Where the script writes events as they come. */
const feedPanel = (site: string): Html =>
  panel({
    id: 'feed',
    title: 'Events as they come',
    hint: 'The last hundred, without anything that tells who it was. Where many come at once, some are left out and counted.',
    body: html`<p id="feed-state" class="hint" role="status"><noscript>This list needs JavaScript. The figures on this page are those of when it was loaded.</noscript></p><ol class="feed" data-feed="analytics:${site}" tabindex="0" aria-label="Events, newest first"></ol>`,
  });

/** Who is on a site at this moment. `view`: of the last 30 minutes. */
export function livePage({
  address,
  sites,
  view,
}: {
  address: ViewParams;
  sites: readonly SiteEntry[];
  view: DashboardView;
}): ConsolePage {
  const { site } = address;
  const body = html`${siteTabs(address, '/realtime')}
${cards('live-totals', 'Right now', [
  { name: 'Visitors now', value: count(view.visitors_now), note: 'in the last 5 minutes' },
  { name: 'Visitors', value: count(view.totals.visitors), note: 'in the last 30 minutes' },
  { name: 'Page views', value: count(view.totals.pageviews), note: 'in the last 30 minutes' },
  { name: 'Events', value: count(view.totals.events), note: 'in the last 30 minutes' },
])}
<div class="columns">${feedPanel(site)}${panel({ id: 'live-pages', title: 'Pages', live: true, body: list(view.pages, 'Page', '') })}</div>
<div class="columns">${panel({ id: 'live-places', title: 'Countries', live: true, body: list(view.countries, 'Country', 'Not known', (code) => countryName(code) ?? code) })}${panel({ id: 'live-sources', title: 'Sources', live: true, body: list(view.sources, 'Source', 'Direct') })}</div>`;
  return {
    section: 'analytics',
    title: `${site}, right now`,
    actions: siteChooser(address, sites, '/realtime'),
    body,
    channels: [`analytics:${site}`],
    every: 15,
  };
}
