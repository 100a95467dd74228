import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { changeOfTotal } from '../../../../areas/analytics/figures/changes.ts';
import type { DashboardView } from '../../../../areas/analytics/figures/schemas.dashboard.ts';
import { formatDate } from '../../../../platform/i18n/dates.ts';
import type { Line } from '../../../../platform/ui/charts/chart-lines.tsx';
import { lineChart } from '../../../../platform/ui/charts/line-chart.tsx';
import { stepNames } from '../../../../platform/ui/charts/step-names.ts';
import { ticksOf } from '../../../../platform/ui/charts/chart-ticks.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { Disclosure } from '../../../../platform/ui/components/overlay.tsx';
import { type StatOptions, Stats } from '../../../../platform/ui/components/stat.tsx';
import { Facts, Table } from '../../../../platform/ui/components/table.tsx';
import { viewUrl, type ViewParams, analyticsPath } from '../view-params.ts';
import { definitions, dropReason } from './definitions.tsx';
import {
  mistakesNotice,
  siteChooser,
  type SiteEntry,
  siteTabs,
  viewBar,
} from '../view-controls.tsx';
import { breakdownPanels } from './breakdowns.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { count, decimal, duration, percent } from '../../components/number-format.ts';
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

type Changes = NonNullable<DashboardView['change']>;

function changeOf(
  name: keyof Changes,
  { totals, compared, change: changes }: DashboardView,
  { compare }: ViewParams,
): Pick<StatOptions, 'change' | 'note'> {
  const change = changeOfTotal(name, { totals, before: compared?.totals, change: changes });
  return compare === undefined || change === undefined
    ? {}
    : { change, note: dashboard.comparison[compare] };
}

function totalFigures(view: DashboardView, address: ViewParams): StatOptions[] {
  const { totals, visitors_now: now, left_out: leftOut } = view;
  const words = dashboard.totals;
  const figure = (name: keyof Changes, label: string, value: string): StatOptions => ({
    label,
    value,
    ...changeOf(name, view, address),
  });
  const bots = leftOut.bot_events;
  const median = duration(totals.visit_duration_median);
  return [
    { label: words.visitorsNow, value: count(now), note: words.lastFiveMinutes },
    figure('visitors', words.visitors, count(totals.visitors)),
    figure('visits', words.visits, count(totals.visits)),
    figure('pageviews', words.pageviews, count(totals.pageviews)),
    figure('views_per_visit', words.viewsPerVisit, decimal(totals.views_per_visit)),
    figure('bounce_rate', words.bounceRate, percent(totals.bounce_rate)),
    {
      note: words.median({ duration: median }),
      ...figure('visit_duration_mean', words.duration, duration(totals.visit_duration_mean)),
    },
    {
      ...figure('events', words.events, count(totals.events)),
      ...(bots > 0 && { note: words.botsExcluded({ bots }) }),
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

const annotationList = (annotations: readonly Annotation[]): Html | undefined =>
  annotations.length === 0 ? undefined : (
    <Disclosure summary={dashboard.series.annotations({ annotations: annotations.length })}>
      <Facts
        facts={annotations.map(({ at, text }) => ({
          name: formatDate(at),
          value: escapeHtml(text),
        }))}
      />
    </Disclosure>
  );

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
  const { heading, hint } = dashboard.series;
  return (
    <Card
      id="series"
      title={heading}
      isLive
      hint={[hint(period), pendingText(all.view)].filter(Boolean).join(' ')}
      actions={
        <Button label={dashboard.series.annotate} href={annotate} size="small" icon="flag" />
      }
    >
      {seriesChart(all)}
      {annotationList(all.annotations)}
    </Card>
  );
}

function leftOutPanel({ left_out: leftOut }: DashboardView, { filters }: ViewParams): Html {
  const words = dashboard.leftOut;
  const hint = words.hint({ bots: leftOut.bot_events });
  const reasons = Object.entries(leftOut.dropped).sort(([, a], [, b]) => b - a);
  return (
    <Card
      id="left-out"
      title={words.heading}
      hint={filters.length === 0 ? hint : `${hint} ${words.unfiltered}`}
    >
      <Table
        caption={words.caption}
        columns={[
          { title: words.reason, text: ([code]) => dropReason(code) },
          { title: words.events, text: ([, times]) => count(times), isNumber: true },
        ]}
        rows={reasons}
        empty={<p safe>{words.empty}</p>}
      />
    </Card>
  );
}

const formatNames = { csv: 'CSV', json: 'JSON', ndjson: 'NDJSON', parquet: 'Parquet' } as const;

function exportPanel(address: ViewParams): Html {
  const link = (
    place: string,
    format: keyof typeof formatNames,
    textOf: (p: { format: string }) => string,
  ) => (
    <Button
      label={textOf({ format: formatNames[format] })}
      href={viewUrl(address, `${analyticsPath}/${place}`, { format })}
      icon="download"
      size="small"
      attributes={{ download: true }}
    />
  );
  const words = dashboard.export;
  return (
    <Card id="export" title={words.heading} hint={words.hint}>
      <div class="btn-row">
        {(['csv', 'json'] as const).map((format) => link('figures', format, words.figures))}
      </div>
      <div class="btn-row">
        {exportFormats.map((format) => link('export', format, words.events))}
      </div>
    </Card>
  );
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
        {viewBar(address)}
        <Stats
          id="totals"
          label={dashboard.totals.label}
          all={totalFigures(view, address)}
          isLive
        />
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
