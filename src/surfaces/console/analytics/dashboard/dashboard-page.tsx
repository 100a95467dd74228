import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { DashboardView } from '../../../../areas/analytics/figures/schemas.dashboard.ts';
import { viewUrl, type ViewParams, analyticsPath } from '../view-params.ts';
import { definitions, dropReason } from './definitions.tsx';
import {
  filterBar,
  mistakesNotice,
  periodBar,
  siteChooser,
  type SiteEntry,
  siteTabs,
} from '../view-controls.tsx';
import { breakdownPanels } from './breakdowns.tsx';
import { type Line, lineChart } from '../../../../platform/ui/charts/line-chart.tsx';
import { stepNames } from '../../../../platform/ui/charts/step-names.ts';
import { ticksOf } from '../../../../platform/ui/charts/chart-ticks.ts';
import type { ConsolePage } from '../../layout.tsx';
import { count, plural, decimal, duration, percent } from '../../components/number-format.ts';
import { changeNote } from '../../operations/overview-page.tsx';
import { type Card, cards, panel } from '../../components/elements.tsx';
import { numberColumn, table } from '../../components/tables.tsx';
import { exportFormats } from '../figures.ts';

export interface Annotation {
  id: string;
  at: string;
  text: string;
}

export interface DashboardPageView {
  address: ViewParams;
  sites: readonly SiteEntry[];
  view: DashboardView;
  /** The compared period, aligned with the series; undefined if nothing is compared. */
  before: readonly (DashboardView['series'][number] | undefined)[] | undefined;
  annotations: readonly Annotation[];
  /** What was wrong with the query. */
  mistakes: readonly string[];
}

const comparisonTexts = { previous: 'on the period before', year: 'on a year ago' } as const;

function totalCards(
  { totals, change, visitors_now: now, left_out: { bot_events: bots } }: DashboardView,
  { compare }: ViewParams,
): Card[] {
  const note = (name: keyof NonNullable<DashboardView['change']>) =>
    compare === undefined
      ? undefined
      : changeNote(change?.[name], comparisonTexts[compare], name === 'bounce_rate');
  return [
    {
      name: 'Visitors now',
      value: escapeHtml(count(now)),
      note: escapeHtml('in the last 5 minutes'),
    },
    { name: 'Visitors', value: escapeHtml(count(totals.visitors)), note: note('visitors') },
    { name: 'Visits', value: escapeHtml(count(totals.visits)), note: note('visits') },
    { name: 'Page views', value: escapeHtml(count(totals.pageviews)), note: note('pageviews') },
    {
      name: 'Views per visit',
      value: escapeHtml(decimal(totals.views_per_visit)),
      note: note('views_per_visit'),
    },
    {
      name: 'Bounce rate',
      value: escapeHtml(percent(totals.bounce_rate)),
      note: note('bounce_rate'),
    },
    {
      name: 'Duration',
      value: escapeHtml(duration(totals.visit_duration_mean)),
      note:
        note('visit_duration_mean') ??
        escapeHtml(`median ${duration(totals.visit_duration_median)}`),
    },
    {
      name: 'Events',
      value: escapeHtml(count(totals.events)),
      note: bots === 0 ? note('events') : escapeHtml(`${plural(bots, 'event')} of bots left out`),
    },
  ];
}

/** Marks annotations at the step that they fall into. */
function marksOf(
  { series }: DashboardView,
  annotations: readonly Annotation[],
): { step: number; text: string }[] {
  const starts = series.map(({ start }) => Date.parse(start));
  return annotations.flatMap(({ at, text }) => {
    const step = starts.findLastIndex((start) => start <= Date.parse(at));
    return step < 0 ? [] : [{ step, text }];
  });
}

const annotationItem = ({ at, text }: Annotation): Html => (
  <li>
    <time datetime={at} safe>
      {at.slice(0, 10)}
    </time>{' '}
    {escapeHtml(text)}
  </li>
);

function annotationList(annotations: readonly Annotation[]): Html | undefined {
  if (annotations.length === 0) return undefined;
  const title = plural(annotations.length, 'annotation');
  return (
    <details class="more">
      <summary safe>{title}</summary>
      <ul class="notes">{annotations.map(annotationItem)}</ul>
    </details>
  );
}

/** Says that events are not counted yet: after an import, zeros would be misleading. */
function pendingText({ pending_events: pending }: DashboardView): string {
  if (pending === null)
    return ' Some events from before the last start are still on their way into the figures.';
  return pending === 0
    ? ''
    : ` ${plural(pending, 'event')} (of all sites) on the way into the figures.`;
}

function seriesChart({ view, before, annotations }: DashboardPageView): Html {
  const { series, period } = view;
  const lines: Line[] = [
    { name: 'Page views', kind: 'first', values: series.map(({ pageviews }) => pageviews) },
    { name: 'Visitors', kind: 'second', values: series.map(({ visitors }) => visitors) },
  ];
  if (before !== undefined) {
    const values = series.map((_, at) => before[at]?.visitors ?? null);
    lines.push({ name: 'Visitors before', kind: 'before', values });
  }
  const starts = series.map(({ start }) => start);
  return lineChart({
    id: 'series-chart',
    caption: `Visitors and page views by ${period.interval}`,
    steps: stepNames({ starts, interval: period.interval, timezone: period.timezone }),
    marks: marksOf(view, annotations),
    ticks: ticksOf(starts, period.interval, period.timezone),
    partial: series.map(({ partial }) => partial),
    lines,
  });
}

function seriesPanel(all: DashboardPageView): Html {
  const { period } = all.view;
  const annotate = `${viewUrl(all.address, `${analyticsPath}/site`)}#annotations`;
  return panel({
    id: 'series',
    title: 'Over time',
    live: true,
    hint: `By ${period.interval}, ${period.timezone}.${pendingText(all.view)}`,
    actions: <a href={annotate}>Annotate</a>,
    body: [seriesChart(all), annotationList(all.annotations)],
  });
}

function leftOutPanel(
  { left_out: { bot_events: bots, dropped } }: DashboardView,
  { filters }: ViewParams,
): Html {
  const unfiltered =
    filters.length === 0
      ? ''
      : ' What was not stored is of the whole site: filters can not be applied to it.';
  const rows = Object.entries(dropped)
    .sort(([, a], [, b]) => b - a)
    .map(([code, times]) => [escapeHtml(dropReason(code)), escapeHtml(count(times))]);
  return panel({
    id: 'left-out',
    title: 'Left out',
    hint:
      `${plural(bots, 'event')} of bots stored and not counted. ` +
      `What was not stored is counted by the hour, and never silently.${unfiltered}`,
    body: table({
      caption: 'What was not stored, by reason',
      columns: ['Not stored because of', numberColumn('Events')],
      rows,
      empty: <p class="hint">Nothing was turned away in this period.</p>,
    }),
  });
}

const formatNames = { csv: 'CSV', json: 'JSON', ndjson: 'NDJSON', parquet: 'Parquet' } as const;

function exportPanel(address: ViewParams): Html {
  const link = (place: string, format: keyof typeof formatNames, what: string) => {
    const href = viewUrl(address, `${analyticsPath}/${place}`, { format });
    return (
      <li>
        <a href={href} download>
          {escapeHtml(what)} as {escapeHtml(formatNames[format])}
        </a>
      </li>
    );
  };
  const figures = (['csv', 'json'] as const).map((format) =>
    link('figures', format, 'These figures'),
  );
  const events = exportFormats.map((format) => link('export', format, 'Every event of this view'));
  return panel({
    id: 'export',
    title: 'Take it with you',
    hint: 'With the period and the filters of this page.',
    body: (
      <ul>
        {figures}
        {events}
      </ul>
    ),
  });
}

/** The dashboard of a site. */
export function dashboardPage(all: DashboardPageView): ConsolePage {
  const { address, sites, view, mistakes } = all;
  return {
    section: 'analytics',
    title: address.site,
    actions: siteChooser(address, sites, ''),
    body: (
      <>
        {siteTabs(address, '')}
        {periodBar(address)}
        {filterBar(address)}
        {cards('totals', 'Totals', totalCards(view, address))}
        {seriesPanel(all)}
        {definitions()}
        {breakdownPanels(view, address)}
        <div class="columns">
          {leftOutPanel(view, address)}
          {exportPanel(address)}
        </div>
      </>
    ),
    channels: [`analytics:${address.site}`],
    every: 30,
    notice: mistakesNotice(mistakes),
  };
}
