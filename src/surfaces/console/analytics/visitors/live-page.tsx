import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { readablePath } from '../../../../lib/text/readable-path.ts';
import type { DashboardView } from '../../../../areas/analytics/figures/schemas.dashboard.ts';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { Stats } from '../../../../platform/ui/components/stat.tsx';
import { BarList } from '../../../../platform/ui/components/table.tsx';
import type { ViewParams } from '../view-params.ts';
import { type SiteEntry, siteTabs } from '../view-controls.tsx';
import { siteBar } from '../view-bar.tsx';
import { countryOf } from '../../../../areas/analytics/figures/display-names.ts';
import type { ConsolePage } from '../../layout.tsx';
import { count } from '../../components/number-format.ts';
import { texts } from '../texts/en.ts';

const { live } = texts;

interface Row {
  value: string | null;
  visitors: number;
}

interface List {
  id: string;
  title: string;
  /** The title of the first column. */
  heading: string;
  rows: readonly Row[];
  /** The text of a row without a value. */
  none?: string;
  nameOf?: (value: string) => string;
}

const listCard = ({
  id,
  title,
  heading,
  rows,
  none = '',
  nameOf = (value) => value,
}: List): Html => (
  <Card id={id} title={title} isLive>
    <BarList
      caption={live.caption({ heading })}
      columns={[heading, live.visitors]}
      bars={rows.map(({ value, visitors }) => ({
        text: value === null ? none : nameOf(value),
        value: visitors,
        cells: [escapeHtml(count(visitors))],
      }))}
      empty={<EmptyState icon="clock" text={live.empty} />}
    />
  </Card>
);

/** The list to which the script adds events as they arrive. */
function feedCard(site: string): Html {
  const feed = {
    class: 'feed',
    'data-feed': `analytics:${site}`,
    tabindex: 0,
    'aria-label': live.feed.label,
  };
  return (
    <Card id="feed" title={live.feed.title} hint={live.feed.hint}>
      <p id="feed-state" class="hint" role="status">
        <noscript safe>{live.feed.noScript}</noscript>
      </p>
      <ol {...feed}></ol>
    </Card>
  );
}

function totals({ visitors_now: now, totals: all }: DashboardView): Html {
  const note = live.lastHalfHour;
  return (
    <Stats
      id="live-totals"
      label={live.totals}
      isLive
      all={[
        { label: live.visitorsNow, value: count(now), note: live.lastFiveMinutes },
        { label: live.visitors, value: count(all.visitors), note },
        { label: live.pageviews, value: count(all.pageviews), note },
        { label: live.events, value: count(all.events), note },
      ]}
    />
  );
}

export interface LiveView {
  address: ViewParams;
  sites: readonly SiteEntry[];
  isAdmin: boolean;
  /** The figures of the last 30 minutes. */
  view: DashboardView;
}

/** The visitors of a site in the last 30 minutes, and its events as they arrive. */
export function livePage({ address, sites, view, isAdmin }: LiveView): ConsolePage {
  const { site } = address;
  const body = (
    <>
      {siteTabs(address, '/realtime')}
      {siteBar({ address, sites, tab: '/realtime', isAdmin })}
      {totals(view)}
      <div class="columns">
        {feedCard(site)}
        {listCard({
          id: 'live-pages',
          title: live.pages,
          heading: live.page,
          rows: view.pages,
          nameOf: readablePath,
        })}
        {listCard({
          id: 'live-places',
          title: live.countries,
          heading: live.country,
          rows: view.countries,
          none: live.unknown,
          nameOf: countryOf,
        })}
        {listCard({
          id: 'live-sources',
          title: live.sources,
          heading: live.source,
          rows: view.sources,
          none: live.direct,
        })}
      </div>
    </>
  );
  return {
    section: 'analytics',
    title: live.title({ site }),
    heading: texts.controls.heading,
    body,
    channels: [`analytics:${site}`],
    every: 15,
  };
}
