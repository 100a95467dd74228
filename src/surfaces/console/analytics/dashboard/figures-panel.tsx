import type { Html } from '../../../../lib/text/html.ts';
import { changeOfTotal } from '../../../../areas/analytics/figures/changes.ts';
import type { DashboardView } from '../../../../areas/analytics/figures/schemas.dashboard.ts';
import { formatDateRange } from '../../../../platform/i18n/dates.ts';
import type { Line } from '../../../../platform/ui/charts/chart-lines.tsx';
import type { Mark } from '../../../../platform/ui/charts/chart-flags.tsx';
import { lineChart } from '../../../../platform/ui/charts/line-chart.tsx';
import { stepNames } from '../../../../platform/ui/charts/step-names.ts';
import { ticksOf } from '../../../../platform/ui/charts/chart-ticks.ts';
import { type StatTab, StatTabs } from '../../../../platform/ui/components/stat-tabs.tsx';
import { type Metric, metrics, viewUrl, type ViewParams } from '../view-params.ts';
import { texts } from '../texts/en.ts';
import { metricSpec } from './metrics.ts';

const words = texts.dashboard;

export interface Annotation {
  id: string;
  at: string;
  text: string;
}

export interface FiguresPanelOptions {
  address: ViewParams;
  view: DashboardView;
  /** The compared period, aligned with the series; undefined if nothing is compared. */
  before: readonly (DashboardView['series'][number] | undefined)[] | undefined;
  annotations: readonly Annotation[];
}

function tile(metric: Metric, { view, address }: FiguresPanelOptions): StatTab {
  const { label, total, valueOf, format } = metricSpec(metric, address);
  const { totals, compared, change, series } = view;
  const complete = series.filter(({ partial }) => !partial);
  return {
    label,
    value: format(totals[total] ?? null),
    change: changeOfTotal(total, { totals, before: compared?.totals, change }),
    trend: complete.map((point) => valueOf(point) ?? 0),
    href: viewUrl({ ...address, metric }),
    isCurrent: metric === address.metric,
  };
}

/** Marks annotations at the step that they fall into. */
function marksOf({ series }: DashboardView, annotations: readonly Annotation[]): Mark[] {
  const starts = series.map(({ start }) => Date.parse(start));
  return annotations
    .flatMap(({ at, text }) => {
      const step = starts.findLastIndex((start) => start <= Date.parse(at));
      return step < 0 ? [] : [{ step, text }];
    })
    .toSorted((a, b) => a.step - b.step);
}

/** The dates of the compared period: `Oct 1 – 30, 2026`. */
const comparedDates = ({
  compared,
  period: { timezone: timeZone },
}: DashboardView): string | undefined =>
  compared === null
    ? undefined
    : formatDateRange(compared.from, Date.parse(compared.to) - 1, { timeZone });

function chart({ address, view, before, annotations }: FiguresPanelOptions): Html {
  const { label, valueOf, unit, format, change } = metricSpec(address.metric, address);
  const { series, period } = view;
  const lines: Line[] = [{ name: label, kind: 'first', values: series.map(valueOf) }];
  if (before !== undefined)
    lines.push({
      name: comparedDates(view) ?? '',
      kind: 'before',
      values: series.map((_, at) => {
        const point = before[at];
        return point === undefined ? null : valueOf(point);
      }),
    });
  const starts = series.map(({ start }) => start);
  const { interval, timezone } = period;
  const dayUrl = viewUrl({ ...address, period: 'custom', from: '', to: '' });
  return lineChart({
    id: 'series-chart',
    caption: words.series.caption({ figure: label, interval }),
    steps: stepNames({ starts, interval, timezone }),
    marks: marksOf(view, annotations),
    ticks: ticksOf(starts, interval, timezone),
    partial: series.map(({ partial }) => partial),
    lines,
    unit,
    format,
    ...(change && { change }),
    ...(interval === 'day' && {
      open: { href: `${dayUrl}&from={}&to={}`, steps: starts.map((start) => start.slice(0, 10)) },
    }),
  });
}

/** Says that events are not counted yet: after an import, zeros would be misleading. */
function pendingText({ pending_events: pending }: DashboardView): string | undefined {
  if (pending === null) return words.series.pendingUnknown;
  return pending === 0 ? undefined : words.series.pending({ events: pending });
}

/** The totals as tabs, and the chosen one over time. */
export function figuresPanel(options: FiguresPanelOptions): Html {
  const pending = pendingText(options.view);
  return (
    <section class="tile instrument" id="series" aria-labelledby="series-title" data-live>
      <h2 class="visually-hidden" id="series-title" safe>
        {words.totals.label}
      </h2>
      <StatTabs label={words.totals.label} tabs={metrics.map((metric) => tile(metric, options))} />
      {pending !== undefined && (
        <p class="hint" safe>
          {pending}
        </p>
      )}
      {chart(options)}
    </section>
  );
}
