import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { Copy, Disclosure } from '../../../../platform/ui/components/overlay.tsx';
import { WorldMap } from '../../../../platform/ui/components/world-map.tsx';
import { BarList, type Column } from '../../../../platform/ui/components/table.tsx';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { DashboardView } from '../../../../areas/analytics/figures/schemas.dashboard.ts';
import { viewUrl, type ViewParams, analyticsPath, withFilter } from '../view-params.ts';
import type { KnownValues } from '../view-bar.tsx';
import { count } from '../../components/number-format.ts';
import { texts as consoleTexts } from '../../texts/en.ts';
import { texts } from '../texts/en.ts';
import { type BreakdownName, panels, rowName, visitLists } from './breakdown-lists.ts';
import { listColumns, type ListOrder, type ListRow } from './list-columns.ts';
import { rowMark } from './row-marks.tsx';

const { captions, headings, panels: panelTitles, titles } = texts.breakdowns;

/** Rows of a list on the dashboard. */
const rowsShown = 9;
/** Rows that the dashboard reads of each list, to say how many there are. */
export const rowsRead = 100;

const noRows = <EmptyState icon="chart" text={texts.breakdowns.empty} />;

const noEvents = (
  <EmptyState
    icon="code"
    text={texts.breakdowns.noEvents}
    action={<Button label={texts.breakdowns.guide} href="/developer/guides/website-script" />}
  >
    <Copy text="svc('signup', { props: { plan: 'pro' } })" label={consoleTexts.copy} />
  </EmptyState>
);

/** What a row narrows the view to. */
const dimensionOf = (name: BreakdownName): string => {
  if (name === 'pages') return 'page';
  if (name === 'events') return 'event';
  const { by, dimension = by } = visitLists[name];
  return dimension;
};

const captionOf = (name: BreakdownName, heading: string): string =>
  name === 'pages' || name === 'events' ? captions[name] : captions.visitors({ heading });

const headingOf = (name: BreakdownName): string => {
  if (name === 'pages') return headings.page;
  return name === 'events' ? headings.event : headings[visitLists[name].by];
};

export interface OrderedList {
  order: ListOrder;
  /** The address of the list in another order. */
  href: (order: ListOrder) => string;
}

/** Links of the heads: a click orders by the column, another turns it round. */
function sortLink(by: ListOrder['by'], ordered: OrderedList): Column<unknown>['sort'] {
  const { order, href } = ordered;
  const isCurrent = order.by === by;
  const isAscending = (by === 'name') !== order.isReversed;
  return {
    href: href({ by, isReversed: isCurrent && !order.isReversed }),
    direction: isCurrent ? (isAscending ? 'ascending' : 'descending') : undefined,
  };
}

/**
 * The rows of a list: all that the view has. Bars are as long as the figure that orders them.
 * Without `ordered`, its heads are no links.
 */
export function breakdownTable(
  name: BreakdownName,
  view: DashboardView,
  address: ViewParams,
  ordered?: OrderedList,
): Html {
  const rows: readonly ListRow[] = view[name];
  const figures = listColumns(name, address.goal !== undefined);
  const heading = headingOf(name);
  const by = ordered?.order.by ?? 'name';
  const bar = by === 'name' ? (figures[0]?.figure ?? 'visitors') : by;
  return (
    <BarList
      caption={captionOf(name, heading)}
      columns={[heading, ...figures.map(({ title }) => title)]}
      minor={figures.flatMap(({ title, isMinor }) => (isMinor === true ? [title] : []))}
      sorts={
        ordered &&
        ['name' as const, ...figures.map(({ figure }) => figure)].map((each) =>
          sortLink(each, ordered),
        )
      }
      bars={rows.map((row) => ({
        text: rowName(name, row.value),
        mark: rowMark(name, row.value),
        href: viewUrl(withFilter(address, dimensionOf(name), row.value)),
        value: row[bar] ?? 0,
        cells: figures.map(({ figure, write }) => escapeHtml(write(row[figure] ?? null))),
      }))}
      empty={name === 'events' ? noEvents : noRows}
    />
  );
}

/** The first rows of a list. Where there are more, with a link to the page that has them all. */
function shortened(name: BreakdownName, view: DashboardView, address: ViewParams): Html {
  const all = view[name].length;
  const part = { ...view, [name]: view[name].slice(0, rowsShown) };
  const table = breakdownTable(name, part, address);
  if (all <= rowsShown) return table;
  const rows = all >= rowsRead ? `${count(all)}+` : count(all);
  const inFull = texts.breakdowns.allOf({ rows, list: titles[name] });
  return (
    <>
      {table}
      <Button
        label={texts.breakdowns.all({ rows })}
        href={viewUrl(address, `${analyticsPath}/list`, { list: name })}
        kind="ghost"
        size="small"
        icon="list"
        attributes={{ 'aria-label': inFull }}
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
