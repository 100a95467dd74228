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

type VisitRow = DashboardView['sources'][number];

interface VisitList {
  rows: readonly VisitRow[];
  /** Heading of the first column. */
  heading: string;
  dimension: string;
  /** Text of a row without a value. */
  none?: string;
  nameOf?: (value: string) => string;
}

const noRows = <EmptyState icon="chart" text={texts.breakdowns.empty} />;

function visitTable(
  {
    rows,
    heading,
    dimension,
    none = texts.breakdowns.unknown,
    nameOf = (value) => value,
  }: VisitList,
  address: ViewParams,
): Html {
  return (
    <BarList
      caption={captions.visitors({ heading })}
      columns={[heading, columns.visitors, columns.bounceRate]}
      bars={rows.map(({ value, visitors, bounce_rate: bounces }) => ({
        text: value === null ? none : nameOf(value),
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

const byVisit =
  (parts: Omit<VisitList, 'rows'>, rowsOf: (view: DashboardView) => readonly VisitRow[]) =>
  (view: DashboardView, address: ViewParams): Html =>
    visitTable({ ...parts, rows: rowsOf(view) }, address);

/** The lists of the dashboard, by their names in the API. */
const lists = {
  pages: { title: titles.pages, table: pageTable },
  entry_pages: {
    title: titles.entry_pages,
    table: byVisit(
      { heading: headings.entry_page, dimension: 'entry_page', nameOf: readablePath },
      (view) => view.entry_pages,
    ),
  },
  exit_pages: {
    title: titles.exit_pages,
    table: byVisit(
      { heading: headings.exit_page, dimension: 'exit_page', nameOf: readablePath },
      (view) => view.exit_pages,
    ),
  },
  sources: {
    title: titles.sources,
    table: byVisit(
      { heading: headings.source, dimension: 'source', none: texts.breakdowns.direct },
      (view) => view.sources,
    ),
  },
  channels: {
    title: titles.channels,
    table: byVisit({ heading: headings.channel, dimension: 'channel' }, (view) => view.channels),
  },
  referrers: {
    title: titles.referrers,
    table: byVisit(
      {
        heading: headings.referrer,
        dimension: 'referrer',
        none: texts.breakdowns.direct,
        nameOf: readablePath,
      },
      (view) => view.referrers,
    ),
  },
  campaigns: {
    title: titles.campaigns,
    table: byVisit(
      { heading: headings.campaign, dimension: 'utm_campaign' },
      (view) => view.campaigns,
    ),
  },
  countries: {
    title: titles.countries,
    table: byVisit(
      { heading: headings.country, dimension: 'country', nameOf: countryOf },
      (view) => view.countries,
    ),
  },
  languages: {
    title: titles.languages,
    table: byVisit(
      { heading: headings.language, dimension: 'language', nameOf: languageOf },
      (view) => view.languages,
    ),
  },
  devices: {
    title: titles.devices,
    table: byVisit(
      { heading: headings.device, dimension: 'device', nameOf: deviceOf },
      (view) => view.devices,
    ),
  },
  browsers: {
    title: titles.browsers,
    table: byVisit({ heading: headings.browser, dimension: 'browser' }, (view) => view.browsers),
  },
  operating_systems: {
    title: titles.operating_systems,
    table: byVisit({ heading: headings.os, dimension: 'os' }, (view) => view.operating_systems),
  },
  events: { title: titles.events, table: eventTable },
} as const;

export type BreakdownName = keyof typeof lists;
export const breakdownNames = [
  'pages',
  'entry_pages',
  'exit_pages',
  'sources',
  'channels',
  'referrers',
  'campaigns',
  'countries',
  'languages',
  'devices',
  'browsers',
  'operating_systems',
  'events',
] as const satisfies readonly BreakdownName[];
export const breakdownTitle = (name: BreakdownName): string => lists[name].title;

/** The rows of a list: all that the view has. */
export const breakdownTable = (
  name: BreakdownName,
  view: DashboardView,
  address: ViewParams,
): Html => lists[name].table(view, address);

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

/** Panels of the dashboard. In a panel with several lists, opening one closes the others. */
const panels = {
  pages: { title: panelTitles.pages, names: ['pages', 'entry_pages', 'exit_pages'] },
  sources: {
    title: panelTitles.sources,
    names: ['sources', 'channels', 'referrers', 'campaigns'],
  },
  places: { title: panelTitles.places, names: ['countries', 'languages'] },
  programs: {
    title: panelTitles.programs,
    names: ['devices', 'browsers', 'operating_systems'],
  },
} as const satisfies Record<string, { title: string; names: readonly BreakdownName[] }>;

/** The top values of every dimension; a click narrows the view to one. */
export function breakdownPanels(view: DashboardView, address: ViewParams): Html {
  const part = (id: keyof typeof panels): Html => (
    <Card id={id} title={panels[id].title} isLive>
      <div class="lists">
        {panels[id].names.map((name, at) => (
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
