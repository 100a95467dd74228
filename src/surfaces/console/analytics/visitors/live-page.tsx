import { DateTime } from 'luxon';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { readablePath } from '../../../../lib/text/readable-path.ts';
import type { DashboardView } from '../../../../areas/analytics/figures/schemas.dashboard.ts';
import { Card } from '../../../../platform/ui/components/card.tsx';
import type { RecentActivity } from '../../../../areas/analytics/figures/dashboard.ts';
import { BrandMark, FlagMark } from '../../../../platform/ui/components/marks.tsx';
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
  markOf?: (value: string | null) => Html;
}

const listCard = ({
  id,
  title,
  heading,
  rows,
  none = '',
  nameOf = (value) => value,
  markOf,
}: List): Html => (
  <Card id={id} title={title} isLive>
    <BarList
      caption={live.caption({ heading })}
      columns={[heading, live.visitors]}
      bars={rows.map(({ value, visitors }) => ({
        text: value === null ? none : nameOf(value),
        mark: markOf?.(value),
        value: visitors,
        cells: [escapeHtml(count(visitors))],
      }))}
      empty={<EmptyState icon="clock" text={live.empty} />}
    />
  </Card>
);

const barWidth = 8;
const barHeight = 48;

/** A bar for each of the last minutes, the current one last. */
function minuteBars({ visitors }: RecentActivity): Html {
  const most = Math.max(1, ...visitors);
  const heightOf = (value: number): number =>
    value === 0 ? 1 : Math.max(3, Math.round((barHeight * value) / most));
  const step = barWidth + 2;
  return (
    <Card
      id="live-minutes"
      title={live.minutes.title}
      hint={live.minutes.most({ visitors: Math.max(0, ...visitors) })}
      isLive
    >
      <svg
        class="minute-bars"
        viewBox={`0 0 ${visitors.length * step} ${barHeight}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={live.minutes.label({ most: Math.max(0, ...visitors) })}
      >
        {visitors.map((value, at) => (
          <rect
            class={value === 0 ? 'none' : undefined}
            x={at * step}
            y={barHeight - heightOf(value)}
            width={barWidth}
            height={heightOf(value)}
          >
            <title>
              {escapeHtml(live.minutes.bar({ visitors: value, ago: visitors.length - 1 - at }))}
            </title>
          </rect>
        ))}
      </svg>
      <p class="minute-axis hint" aria-hidden="true">
        {live.minutes.axis.map((text) => (
          <span safe>{text}</span>
        ))}
      </p>
    </Card>
  );
}

function feedItem(recent: RecentActivity['events'][number], timeZone: string): Html {
  const { time, event, pathname, country, browser, os } = recent;
  return (
    <li>
      <span class="feed-time" safe>
        {DateTime.fromMillis(time, { zone: timeZone }).toFormat('HH:mm:ss')}
      </span>
      <FlagMark country={country} />
      <strong safe>{event === 'pageview' ? live.pageview : event}</strong>
      <span safe>{readablePath(pathname)}</span>
      <span safe>{[browser, os].filter((each) => each !== null).join(' · ')}</span>
    </li>
  );
}

/** The last events, to which the script adds others as they arrive. */
function feedCard({ site, timezone }: ViewParams, { events }: RecentActivity): Html {
  const feed = {
    class: 'feed',
    'data-feed': `analytics:${site}`,
    'data-zone': timezone,
    tabindex: 0,
    'aria-label': live.feed.label,
  };
  return (
    <Card id="feed" title={live.feed.title} hint={live.feed.hint({ zone: timezone })}>
      <p id="feed-state" class="hint" role="status">
        <noscript safe>{live.feed.noScript}</noscript>
      </p>
      <ol {...feed}>{events.map((event) => feedItem(event, timezone))}</ol>
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
  recent: RecentActivity;
}

/** The visitors of a site in the last 30 minutes, and its events as they arrive. */
export function livePage({ address, sites, view, isAdmin, recent }: LiveView): ConsolePage {
  const { site } = address;
  const body = (
    <>
      {siteTabs(address, '/realtime')}
      {siteBar({ address, sites, tab: '/realtime', isAdmin })}
      {totals(view)}
      {minuteBars(recent)}
      <div class="columns">
        {feedCard(address, recent)}
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
          markOf: (country) => <FlagMark country={country} />,
        })}
        {listCard({
          id: 'live-sources',
          title: live.sources,
          heading: live.source,
          rows: view.sources,
          none: live.direct,
          markOf: (name) => <BrandMark name={name} />,
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
