import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { Copy, Disclosure } from '../../../../platform/ui/components/overlay.tsx';
import { WorldMap } from '../../../../platform/ui/components/world-map.tsx';
import { BarList } from '../../../../platform/ui/components/table.tsx';
import { type Content, escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { DashboardView } from '../../../../areas/analytics/figures/schemas.dashboard.ts';
import { viewUrl, type ViewParams, analyticsPath, withFilter } from '../view-params.ts';
import type { KnownValues } from '../view-bar.tsx';
import { count, duration, percent } from '../../components/number-format.ts';
import { texts as consoleTexts } from '../../texts/en.ts';
import { texts } from '../texts/en.ts';
import { type BreakdownName, panels, rowName, visitLists } from './breakdown-lists.ts';
import { rowMark } from './row-marks.tsx';

const { captions, columns, headings, panels: panelTitles, titles } = texts.breakdowns;

/** Rows of a list on the dashboard. */
const rowsShown = 9;
/** Rows that the dashboard reads of each list, to say how many there are. */
export const rowsRead = 100;

const noRows = <EmptyState icon="chart" text={texts.breakdowns.empty} />;

interface Converted {
  conversions?: number | undefined;
  conversion_rate?: number | null | undefined;
}

/** The titles and the cells of what a chosen goal adds to a list. */
const goalColumns = ({ goal }: ViewParams): string[] =>
  goal === undefined ? [] : [columns.conversions, columns.rate];
const goalCells = ({ goal }: ViewParams, row: Converted): Content[] =>
  goal === undefined
    ? []
    : [escapeHtml(count(row.conversions ?? 0)), escapeHtml(percent(row.conversion_rate ?? null))];

function visitTable(
  name: Exclude<BreakdownName, 'pages' | 'events'>,
  view: DashboardView,
  address: ViewParams,
): Html {
  const { by, dimension = by } = visitLists[name];
  const heading = headings[by];
  const hasGoal = address.goal !== undefined;
  return (
    <BarList
      caption={captions.visitors({ heading })}
      columns={[
        heading,
        columns.visitors,
        ...(hasGoal ? goalColumns(address) : [columns.bounceRate]),
      ]}
      bars={view[name].map((row) => ({
        text: rowName(name, row.value),
        mark: rowMark(name, row.value),
        href: viewUrl(withFilter(address, dimension, row.value)),
        value: row.visitors,
        cells: [
          escapeHtml(count(row.visitors)),
          ...(hasGoal ? goalCells(address, row) : [escapeHtml(percent(row.bounce_rate))]),
        ],
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
      columns.visitors,
      columns.views,
      ...(address.goal === undefined
        ? [columns.engagedTime, columns.scrollDepth]
        : goalColumns(address)),
    ]}
    minor={[columns.engagedTime, columns.scrollDepth]}
    bars={pages.map((row) => ({
      text: rowName('pages', row.value),
      href: viewUrl(withFilter(address, 'page', row.value)),
      value: row.visitors,
      cells: [
        escapeHtml(count(row.visitors)),
        escapeHtml(count(row.pageviews)),
        ...(address.goal === undefined
          ? [escapeHtml(duration(row.engaged_seconds)), escapeHtml(percent(row.scroll_depth))]
          : goalCells(address, row)),
      ],
    }))}
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

/** The rows of a list: all that the view has. */
export function breakdownTable(
  name: BreakdownName,
  view: DashboardView,
  address: ViewParams,
): Html {
  if (name === 'pages') return pageTable(view, address);
  return name === 'events' ? eventTable(view, address) : visitTable(name, view, address);
}

/** The first rows of a list, with a link to all of them. */
function shortened(name: BreakdownName, view: DashboardView, address: ViewParams): Html {
  const all = view[name].length;
  const part = { ...view, [name]: view[name].slice(0, rowsShown) };
  const table = breakdownTable(name, part, address);
  if (all === 0) return table;
  const rows = all >= rowsRead ? `${count(all)}+` : count(all);
  return (
    <>
      {table}
      <Button
        label={texts.breakdowns.all({ rows })}
        href={viewUrl(address, `${analyticsPath}/list`, { list: name })}
        kind="ghost"
        size="small"
        icon="list"
        attributes={{ 'aria-label': texts.breakdowns.allOf({ rows, list: titles[name] }) }}
      />
    </>
  );
}

/**
 * The countries of the list, on a map: only for the eye, the list says the same. Shown by the
 * script when it is opened, so that its drawing weighs nothing before.
 */
function countryMap({ countries }: DashboardView, address: ViewParams): Html {
  const shown = countries.flatMap(({ value, visitors }) =>
    value === null
      ? []
      : [
          {
            code: value,
            value: visitors,
            title: texts.breakdowns.onMap({ country: rowName('countries', value), visitors }),
            href: viewUrl(withFilter(address, 'country', value)),
          },
        ],
  );
  return (
    <Disclosure id="list-map" summary={texts.breakdowns.map} group="places">
      {shown.length === 0 ? (
        noRows
      ) : (
        <noscript data-deferred>
          <WorldMap countries={shown} />
        </noscript>
      )}
    </Disclosure>
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
          <Disclosure id={`list-${name}`} summary={titles[name]} group={id} isOpen={at === 0}>
            {shortened(name, view, address)}
          </Disclosure>
        ))}
        {id === 'places' && countryMap(view, address)}
      </div>
    </Card>
  );
  return (
    <div class="columns panels">
      {part('sources')}
      {part('pages')}
      {part('places')}
      {part('programs')}
    </div>
  );
}

/** The events that are no page views. */
export const eventsPanel = (view: DashboardView, address: ViewParams): Html => (
  <Card id="events" title={panelTitles.events} isLive>
    {shortened('events', view, address)}
  </Card>
);

/** Values to choose from in a filter: the first rows of each list. */
export function knownValues(view: DashboardView): KnownValues {
  const lists = [
    ...panels.pages.slice(0, 1),
    ...panels.sources,
    ...panels.places,
    'events',
  ] as const;
  const values = lists.flatMap((name) =>
    view[name].slice(0, 6).flatMap(({ value }) => (value === null ? [] : [[name, value] as const])),
  );
  const unique = new Map(values.map(([name, value]) => [value, rowName(name, value)]));
  return [...unique];
}
