import { type Html } from '../../../lib/text/html.ts';
import { formatChange, formatCompact, formatNumber } from '../../i18n/numbers.ts';
import { EmptyState } from '../components/feedback.tsx';
import { Disclosure } from '../components/overlay.tsx';
import { stepAxis, valueLabels } from './chart-axis.tsx';
import { flags, type Mark, markLines } from './chart-flags.tsx';
import { type Line, linesOf } from './chart-lines.tsx';
import {
  chartHeight as height,
  chartWidth as width,
  createScale,
  type Scale,
} from './chart-scale.ts';
import { chartTable } from './chart-table.tsx';
import { evenTicks, type Tick } from './chart-ticks.ts';
import { texts } from './texts/en.ts';
import { valueAxis, type ValueUnit } from './value-ticks.ts';

export interface LineChartOptions {
  id: string;
  /** Describes the chart, for screen readers and above the table. */
  caption: string;
  /** One for each step, such as `4 May`. */
  steps: readonly string[];
  lines: readonly Line[];
  /** Labels of the axis. Default: some of the steps. */
  ticks?: readonly Tick[];
  /** Which steps are incomplete: still in progress, or cut off. */
  partial?: readonly boolean[];
  /** Texts that belong to steps. */
  marks?: readonly Mark[];
  /** Default: `whole`. */
  unit?: ValueUnit;
  format?: (value: number) => string;
  /** How a value differs from that before it, where a line is `before`. Default: in percent. */
  change?: (value: number, before: number) => string | undefined;
  /** Where a step leads: in `href`, `{}` stands for its part of the address. */
  open?: { href: string; steps: readonly string[] };
}

const changeText = (value: number, before: number): string | undefined =>
  before === 0 ? undefined : formatChange((value - before) / before);

const stepName = (step: string, isPartial = false): string =>
  isPartial ? texts.chart.partialStep({ step }) : step;

const valueText = (value: number | null | undefined, format: (value: number) => string): string =>
  value == null ? texts.chart.noValue : format(value);

function legend({ lines, partial = [] }: LineChartOptions): Html {
  const keys = lines.map(({ name, kind }) => (
    <span class={`key ${kind}`} safe>
      {name}
    </span>
  ));
  return (
    <figcaption>
      {keys}
      {partial.includes(true) && (
        <span class="key partial" safe>
          {texts.chart.partial}
        </span>
      )}
    </figcaption>
  );
}

const gridLine = ({ y }: Scale, level: number): Html => (
  <line {...{ class: 'grid', x1: 0, x2: width, y1: y(level), y2: y(level) }} />
);

function drawing(options: LineChartOptions, scale: Scale, levels: readonly number[]): Html {
  const { caption, lines, marks = [], partial = [] } = options;
  const svg = {
    viewBox: `0 0 ${width} ${height}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': texts.chart.description({ caption }),
  };
  return (
    <svg {...svg}>
      {levels.map((level) => gridLine(scale, level))}
      {markLines(marks, scale)}
      {linesOf(lines, scale, partial)}
    </svg>
  );
}

function valueTable(options: LineChartOptions): Html {
  const { caption, steps, lines, partial = [], marks = [], format = formatNumber } = options;
  const { change = changeText } = options;
  const [first, before] = [lines[0]?.values, lines.find(({ kind }) => kind === 'before')?.values];
  const changes = (at: number): string[] => {
    if (before === undefined) return [];
    const [value, former] = [first?.[at] ?? null, before[at] ?? null];
    const text = value === null || former === null ? undefined : change(value, former);
    return [text ?? texts.chart.noValue];
  };
  const noteOf = (at: number): string =>
    marks.flatMap(({ step, text }) => (step === at ? [text] : [])).join(' · ');
  const hasNotes = marks.length > 0;
  return chartTable({
    caption,
    notes: hasNotes ? 1 : 0,
    columns: [
      texts.chart.time,
      ...lines.map(({ name }) => name),
      ...(before === undefined ? [] : [texts.chart.change]),
      ...(hasNotes ? [texts.chart.note] : []),
    ],
    rows: steps.map((step, at) => [
      stepName(step, partial[at]),
      ...lines.map(({ values }) => valueText(values[at], format)),
      ...changes(at),
      ...(hasNotes ? [noteOf(at)] : []),
    ]),
  });
}

/** Whether there is nothing to draw: no values, or none of whole things. */
const isEmpty = ({ lines, unit = 'whole' }: LineChartOptions): boolean =>
  lines.every(({ values }) =>
    values.every((value) => value === null || (value === 0 && unit === 'whole')),
  );

/**
 * Lines over time as SVG, with the same values in a table that can be opened. The script of the
 * page shows them beside the pointer, and takes the arrow keys. Without values, it says so.
 */
export function lineChart(options: LineChartOptions): Html {
  const { id, steps, lines, ticks = evenTicks(steps), unit, format, open, marks = [] } = options;
  if (isEmpty(options)) return <EmptyState icon="chart" text={texts.chart.empty} />;
  const values = lines.flatMap((line) => line.values.map((value) => value ?? 0));
  const axis = valueAxis(Math.max(...values), unit);
  const scale = createScale(steps.length, axis.top);
  return (
    <figure class="chart" id={id} data-open={open?.href} data-steps={open?.steps.join(' ')}>
      {legend(options)}
      <div class="plot">
        {valueLabels(
          axis.ticks,
          scale,
          unit === undefined ? formatCompact : (format ?? formatNumber),
        )}
        {drawing(options, scale, axis.ticks)}
        {stepAxis(ticks, scale)}
        {flags(marks, scale)}
      </div>
      <Disclosure id={`${id}-data`} summary={texts.chart.viewData}>
        {valueTable(options)}
      </Disclosure>
    </figure>
  );
}
