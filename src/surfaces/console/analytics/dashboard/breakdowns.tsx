import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { Copy, Disclosure } from '../../../../platform/ui/components/overlay.tsx';
import { BarList } from '../../../../platform/ui/components/table.tsx';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { readablePath } from '../../../../lib/text/readable-path.ts';
import {
  countryOf,
  deviceOf,
  languageOf,
} from '../../../../areas/analytics/figures/display-names.ts';
import type { DashboardView } from '../../../../areas/analytics/figures/schemas.dashboard.ts';
import { viewUrl, type ViewParams, analyticsPath, withFilter } from '../view-params.ts';
import { count, duration, percent } from '../../components/number-format.ts';
import { texts as consoleTexts } from '../../texts/en.ts';
import { texts } from '../texts/en.ts';

const { captions, columns, headings, panels: panelTitles, titles } = texts.breakdowns;

/** The lists in each panel of the dashboard, by their names in the API. */
const panels = {
  pages: ['pages', 'entry_pages', 'exit_pages'],
  sources: ['sources', 'channels', 'referrers', 'campaigns'],
  places: ['countries', 'languages'],
  programs: ['devices', 'browsers', 'operating_systems'],
} as const;

export const breakdownNames = [
  ...panels.pages,
  ...panels.sources,
  ...panels.places,
  ...panels.programs,
  'events',
] as const;
export type BreakdownName = (typeof breakdownNames)[number];
type VisitListName = Exclude<BreakdownName, 'pages' | 'events'>;

/** A list of visitors and their bounce rates. */
interface VisitList {
  /** What the list is by: the key of its heading. */
  by: keyof typeof headings;
  /** What a row narrows the view to. Default: `by`. */
  dimension?: string;
  /** Text of a row without a value. */
  none?: string;
  nameOf?: (value: string) => string;
}

const visitLists: Readonly<Record<VisitListName, VisitList>> = {
  entry_pages: { by: 'entry_page', nameOf: readablePath },
  exit_pages: { by: 'exit_page', nameOf: readablePath },
  sources: { by: 'source', none: texts.breakdowns.direct },
  channels: { by: 'channel' },
  referrers: { by: 'referrer', none: texts.breakdowns.direct, nameOf: readablePath },
  campaigns: { by: 'campaign', dimension: 'utm_campaign' },
  countries: { by: 'country', nameOf: countryOf },
  languages: { by: 'language', nameOf: languageOf },
  devices: { by: 'device', nameOf: deviceOf },
  browsers: { by: 'browser' },
  operating_systems: { by: 'os' },
};

const noRows = <EmptyState icon="chart" text={texts.breakdowns.empty} />;

function visitTable(name: VisitListName, view: DashboardView, address: ViewParams): Html {
  const { by, dimension = by, none, nameOf } = visitLists[name];
  const heading = headings[by];
  const nameIn = (value: string | null) =>
    value === null ? (none ?? texts.breakdowns.unknown) : (nameOf?.(value) ?? value);
  return (
    <BarList
      caption={captions.visitors({ heading })}
      columns={[heading, columns.visitors, columns.bounceRate]}
      bars={view[name].map(({ value, visitors, bounce_rate: bounces }) => ({
        text: nameIn(value),
        href: viewUrl(withFilter(address, dimension, value)),
        value: visitors,
        cells: [escapeHtml(count(visitors)), escapeHtml(percent(bounces))],
      }))}
      empty={noRows}
    />
  );
}

const pageTable = ({ pages }: DashboardView, address: ViewParams): Html => (
  <BarList
    caption={captions.pages}
    columns={[
      headings.page,
      columns.views,
      columns.visitors,
      columns.engagedTime,
      columns.scrollDepth,
    ]}
    minor={[columns.engagedTime, columns.scrollDepth]}
    bars={pages.map(
      ({ value, visitors, pageviews, engaged_seconds: engaged, scroll_depth: depth }) => ({
        text: readablePath(value),
        href: viewUrl(withFilter(address, 'page', value)),
        value: pageviews,
        cells: [
          escapeHtml(count(pageviews)),
          escapeHtml(count(visitors)),
          escapeHtml(duration(engaged)),
          escapeHtml(percent(depth)),
        ],
      }),
    )}
    empty={noRows}
  />
);

const noEvents = (
  <EmptyState
    icon="code"
    text={texts.breakdowns.noEvents}
    action={<Button label={texts.breakdowns.guide} href="/developer/guides/website-script" />}
  >
    <Copy text="svc('signup', { props: { plan: 'pro' } })" label={consoleTexts.copy} />
  </EmptyState>
);

const eventTable = ({ events }: DashboardView, address: ViewParams): Html => (
  <BarList
    caption={captions.events}
    columns={[headings.event, columns.events, columns.visitors, columns.conversion]}
    minor={[columns.visitors]}
    bars={events.map(({ value, visitors, events: times, conversion_rate: rate }) => ({
      text: value,
      href: viewUrl(withFilter(address, 'event', value)),
      value: times,
      cells: [escapeHtml(count(times)), escapeHtml(count(visitors)), escapeHtml(percent(rate))],
    }))}
    empty={noEvents}
  />
);

export const breakdownTitle = (name: BreakdownName): string => titles[name];

/** The rows of a list: all that the view has. */
export function breakdownTable(
  name: BreakdownName,
  view: DashboardView,
  address: ViewParams,
): Html {
  if (name === 'pages') return pageTable(view, address);
  return name === 'events' ? eventTable(view, address) : visitTable(name, view, address);
}

/** A list with a link to all its rows and columns. */
function shortened(name: BreakdownName, view: DashboardView, address: ViewParams): Html {
  const table = breakdownTable(name, view, address);
  if (view[name].length === 0) return table;
  const list = breakdownTitle(name).toLowerCase();
  return (
    <>
      {table}
      <Button
        label={texts.breakdowns.details}
        href={viewUrl(address, `${analyticsPath}/list`, { list: name })}
        kind="ghost"
        size="small"
        icon="list"
        attributes={{ 'aria-label': texts.breakdowns.detailsOf({ list }) }}
      />
    </>
  );
}

/**
 * The top values of every dimension; a click narrows the view to one. In a panel with several
 * lists, opening one closes the others.
 */
export function breakdownPanels(view: DashboardView, address: ViewParams): Html {
  const part = (id: keyof typeof panels): Html => (
    <Card id={id} title={panelTitles[id]} isLive>
      <div class="lists">
        {panels[id].map((name, at) => (
          <Disclosure summary={breakdownTitle(name)} group={id} isOpen={at === 0}>
            {shortened(name, view, address)}
          </Disclosure>
        ))}
      </div>
    </Card>
  );
  return (
    <>
      <div class="columns">
        {part('pages')}
        {part('sources')}
        {part('places')}
        {part('programs')}
      </div>
      <Card id="events" title={panelTitles.events} isLive>
        {shortened('events', view, address)}
      </Card>
    </>
  );
}
