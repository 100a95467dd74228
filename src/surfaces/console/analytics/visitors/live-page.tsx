import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { DashboardView } from '../../../../areas/analytics/figures/schemas.dashboard.ts';
import type { ViewParams } from '../view-params.ts';
import { siteChooser, type SiteEntry, siteTabs } from '../view-controls.tsx';
import { ranking } from '../../components/ranking.tsx';
import { countryName } from '../../../../lib/places/country-names.ts';
import type { ConsolePage } from '../../layout.tsx';
import { count } from '../../components/number-format.ts';
import { cards, emptyState, panel } from '../../components/elements.tsx';

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
  return ranking({
    caption: `${heading}, last 30 minutes`,
    heading,
    columns: ['Visitors'],
    rows: rows.map(({ value, visitors }) => ({
      text: value === null ? none : nameOf(value),
      value: visitors,
      cells: [escapeHtml(count(visitors))],
    })),
    empty: emptyState({ text: 'Nobody in the last 30 minutes.' }),
  });
}

/** The list to which the script adds events as they arrive. */
function feedPanel(site: string): Html {
  const feed = {
    class: 'feed',
    'data-feed': `analytics:${site}`,
    tabindex: 0,
    'aria-label': 'Events, newest first',
  };
  return panel({
    id: 'feed',
    title: 'Events as they come',
    hint:
      'The last hundred, without anything that tells who it was. ' +
      'Where many come at once, some are left out and counted.',
    body: (
      <>
        <p id="feed-state" class="hint" role="status">
          <noscript>
            This list needs JavaScript. The figures on this page are those of when it was loaded.
          </noscript>
        </p>
        <ol {...feed}></ol>
      </>
    ),
  });
}

const livePanel = (id: string, title: string, body: Html): Html =>
  panel({ id, title, live: true, body });

export interface LiveView {
  address: ViewParams;
  sites: readonly SiteEntry[];
  /** The figures of the last 30 minutes. */
  view: DashboardView;
}

/** The visitors of a site in the last 30 minutes, and its events as they arrive. */
export function livePage({ address, sites, view }: LiveView): ConsolePage {
  const { site } = address;
  const { visitors_now: now, totals } = view;
  const pages = list(view.pages, 'Page', '');
  const countries = list(
    view.countries,
    'Country',
    'Not known',
    (code) => countryName(code) ?? code,
  );
  const sources = list(view.sources, 'Source', 'Direct');
  const body = (
    <>
      {siteTabs(address, '/realtime')}
      {cards('live-totals', 'Right now', [
        {
          name: 'Visitors now',
          value: escapeHtml(count(now)),
          note: escapeHtml('in the last 5 minutes'),
        },
        {
          name: 'Visitors',
          value: escapeHtml(count(totals.visitors)),
          note: escapeHtml('in the last 30 minutes'),
        },
        {
          name: 'Page views',
          value: escapeHtml(count(totals.pageviews)),
          note: escapeHtml('in the last 30 minutes'),
        },
        {
          name: 'Events',
          value: escapeHtml(count(totals.events)),
          note: escapeHtml('in the last 30 minutes'),
        },
      ])}
      <div class="columns">
        {feedPanel(site)}
        {livePanel('live-pages', 'Pages', pages)}
      </div>
      <div class="columns">
        {livePanel('live-places', 'Countries', countries)}
        {livePanel('live-sources', 'Sources', sources)}
      </div>
    </>
  );
  return {
    section: 'analytics',
    title: `${site}, right now`,
    actions: siteChooser(address, sites, '/realtime'),
    body,
    channels: [`analytics:${site}`],
    every: 15,
  };
}
