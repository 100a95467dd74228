import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { DashboardView } from '../../../../areas/analytics/figures/schemas.dashboard.ts';
import type { ViewParams } from '../view-params.ts';
import { siteChooser, type SiteEntry, siteTabs } from '../view-controls.tsx';
import { ranking } from '../../components/ranking.tsx';
import { countryName } from '../../../../lib/places/country-names.ts';
import type { ConsolePage } from '../../layout.tsx';
import { count } from '../../components/number-format.ts';
import { cards, emptyState, panel } from '../../components/elements.tsx';
import { texts } from '../texts/en.ts';

const { live } = texts;

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
    caption: live.caption({ heading }),
    heading,
    columns: [live.visitors],
    rows: rows.map(({ value, visitors }) => ({
      text: value === null ? none : nameOf(value),
      value: visitors,
      cells: [escapeHtml(count(visitors))],
    })),
    empty: emptyState({ text: live.empty }),
  });
}

/** The list to which the script adds events as they arrive. */
function feedPanel(site: string): Html {
  const feed = {
    class: 'feed',
    'data-feed': `analytics:${site}`,
    tabindex: 0,
    'aria-label': live.feed.label,
  };
  return panel({
    id: 'feed',
    title: live.feed.title,
    hint: live.feed.hint,
    body: (
      <>
        <p id="feed-state" class="hint" role="status">
          <noscript safe>{live.feed.noScript}</noscript>
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
  const pages = list(view.pages, live.page, '');
  const countries = list(
    view.countries,
    live.country,
    live.unknown,
    (code) => countryName(code) ?? code,
  );
  const sources = list(view.sources, live.source, live.direct);
  const body = (
    <>
      {siteTabs(address, '/realtime')}
      {cards('live-totals', live.totals, [
        {
          name: live.visitorsNow,
          value: escapeHtml(count(now)),
          note: escapeHtml(live.lastFiveMinutes),
        },
        {
          name: live.visitors,
          value: escapeHtml(count(totals.visitors)),
          note: escapeHtml(live.lastHalfHour),
        },
        {
          name: live.pageviews,
          value: escapeHtml(count(totals.pageviews)),
          note: escapeHtml(live.lastHalfHour),
        },
        {
          name: live.events,
          value: escapeHtml(count(totals.events)),
          note: escapeHtml(live.lastHalfHour),
        },
      ])}
      <div class="columns">
        {feedPanel(site)}
        {livePanel('live-pages', live.pages, pages)}
      </div>
      <div class="columns">
        {livePanel('live-places', live.countries, countries)}
        {livePanel('live-sources', live.sources, sources)}
      </div>
    </>
  );
  return {
    section: 'analytics',
    title: live.title({ site }),
    actions: siteChooser(address, sites, '/realtime'),
    body,
    channels: [`analytics:${site}`],
    every: 15,
  };
}
