import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { Disclosure } from '../../../../platform/ui/components/overlay.tsx';
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
import { formatDate } from '../../../../platform/i18n/dates.ts';
import { stepNames } from '../../../../platform/ui/charts/step-names.ts';
import { ticksOf } from '../../../../platform/ui/charts/chart-ticks.ts';
import type { ConsolePage } from '../../layout.tsx';
import { count, decimal, duration, percent } from '../../components/number-format.ts';
import { changeNote } from '../../operations/overview-page.tsx';
import { type Figure, cards, panel } from '../../components/elements.tsx';
import { numberColumn, table } from '../../components/tables.tsx';
import { exportFormats } from '../figures.ts';
import { texts } from '../texts/en.ts';

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

const { dashboard } = texts;

function totalCards(
  { totals, change, visitors_now: now, left_out: { bot_events: bots } }: DashboardView,
  { compare }: ViewParams,
): Figure[] {
  const note = (name: keyof NonNullable<DashboardView['change']>) =>
    compare === undefined
      ? undefined
      : changeNote(change?.[name], dashboard.comparison[compare], name === 'bounce_rate');
  return [
    {
      name: dashboard.totals.visitorsNow,
      value: escapeHtml(count(now)),
      note: escapeHtml(dashboard.totals.lastFiveMinutes),
    },
    {
      name: dashboard.totals.visitors,
      value: escapeHtml(count(totals.visitors)),
      note: note('visitors'),
    },
    {
      name: dashboard.totals.visits,
      value: escapeHtml(count(totals.visits)),
      note: note('visits'),
    },
    {
      name: dashboard.totals.pageviews,
      value: escapeHtml(count(totals.pageviews)),
      note: note('pageviews'),
    },
    {
      name: dashboard.totals.viewsPerVisit,
      value: escapeHtml(decimal(totals.views_per_visit)),
      note: note('views_per_visit'),
    },
    {
      name: dashboard.totals.bounceRate,
      value: escapeHtml(percent(totals.bounce_rate)),
      note: note('bounce_rate'),
    },
    {
      name: dashboard.totals.duration,
      value: escapeHtml(duration(totals.visit_duration_mean)),
      note:
        note('visit_duration_mean') ??
        escapeHtml(dashboard.totals.median({ duration: duration(totals.visit_duration_median) })),
    },
    {
      name: dashboard.totals.events,
      value: escapeHtml(count(totals.events)),
      note: bots === 0 ? note('events') : escapeHtml(dashboard.totals.botsExcluded({ bots })),
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
      {formatDate(at)}
    </time>{' '}
    {escapeHtml(text)}
  </li>
);

function annotationList(annotations: readonly Annotation[]): Html | undefined {
  if (annotations.length === 0) return undefined;
  const title = dashboard.series.annotations({ annotations: annotations.length });
  return (
    <Disclosure summary={title}>
      <ul class="notes">{annotations.map(annotationItem)}</ul>
    </Disclosure>
  );
}

/** Says that events are not counted yet: after an import, zeros would be misleading. */
function pendingText({ pending_events: pending }: DashboardView): string | undefined {
  if (pending === null) return dashboard.series.pendingUnknown;
  return pending === 0 ? undefined : dashboard.series.pending({ events: pending });
}

function seriesChart({ view, before, annotations }: DashboardPageView): Html {
  const { series, period } = view;
  const lines: Line[] = [
    {
      name: dashboard.series.pageviews,
      kind: 'first',
      values: series.map(({ pageviews }) => pageviews),
    },
    {
      name: dashboard.series.visitors,
      kind: 'second',
      values: series.map(({ visitors }) => visitors),
    },
  ];
  if (before !== undefined) {
    const values = series.map((_, at) => before[at]?.visitors ?? null);
    lines.push({ name: dashboard.series.visitorsBefore, kind: 'before', values });
  }
  const starts = series.map(({ start }) => start);
  return lineChart({
    id: 'series-chart',
    caption: dashboard.series.caption({ interval: period.interval }),
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
    title: dashboard.series.heading,
    live: true,
    hint: [dashboard.series.hint(period), pendingText(all.view)].filter(Boolean).join(' '),
    actions: (
      <a href={annotate} safe>
        {dashboard.series.annotate}
      </a>
    ),
    body: [seriesChart(all), annotationList(all.annotations)],
  });
}

function leftOutPanel(
  { left_out: { bot_events: bots, dropped } }: DashboardView,
  { filters }: ViewParams,
): Html {
  const hint = dashboard.leftOut.hint({ bots });
  const rows = Object.entries(dropped)
    .sort(([, a], [, b]) => b - a)
    .map(([code, times]) => [escapeHtml(dropReason(code)), escapeHtml(count(times))]);
  return panel({
    id: 'left-out',
    title: dashboard.leftOut.heading,
    hint: filters.length === 0 ? hint : `${hint} ${dashboard.leftOut.unfiltered}`,
    body: table({
      caption: dashboard.leftOut.caption,
      columns: [dashboard.leftOut.reason, numberColumn(dashboard.leftOut.events)],
      rows,
      empty: (
        <p class="hint" safe>
          {dashboard.leftOut.empty}
        </p>
      ),
    }),
  });
}

const formatNames = { csv: 'CSV', json: 'JSON', ndjson: 'NDJSON', parquet: 'Parquet' } as const;

function exportPanel(address: ViewParams): Html {
  const link = (
    place: string,
    format: keyof typeof formatNames,
    textOf: (p: { format: string }) => string,
  ) => {
    const href = viewUrl(address, `${analyticsPath}/${place}`, { format });
    return (
      <li>
        <a href={href} download safe>
          {textOf({ format: formatNames[format] })}
        </a>
      </li>
    );
  };
  const figures = (['csv', 'json'] as const).map((format) =>
    link('figures', format, dashboard.export.figures),
  );
  const events = exportFormats.map((format) => link('export', format, dashboard.export.events));
  return panel({
    id: 'export',
    title: dashboard.export.heading,
    hint: dashboard.export.hint,
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
        {cards('totals', dashboard.totals.label, totalCards(view, address))}
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
