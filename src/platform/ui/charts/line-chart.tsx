import { type Html } from '../../../lib/text/html.ts';
import { Disclosure } from '../components/overlay.tsx';
import { axis } from './chart-axis.tsx';
import {
  chartHeight as height,
  chartWidth as width,
  createScale,
  type Scale,
} from './chart-scale.ts';
import { evenTicks, type Tick } from './chart-ticks.ts';
import { chartTable } from './chart-table.tsx';
import { formatCompact, formatNumber } from '../../i18n/numbers.ts';
import { niceCeiling } from './number-scale.ts';
import { texts } from './texts/en.ts';

export interface Line {
  name: string;
  values: readonly (number | null)[];
  /** The first one is filled; `before` is what it is compared with. */
  kind: 'first' | 'second' | 'before';
}

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
  format?: (value: number) => string;
}

/** A path through the steps for which `isIn` holds, interrupted where a value is missing. */
function pathOf(
  values: Line['values'],
  { x, y }: Scale,
  isIn: (step: number) => boolean = () => true,
): string {
  let isOpen = false;
  return values
    .map((value, step) => {
      const continues = isOpen && isIn(step);
      isOpen = value !== null;
      if (value === null) return '';
      return `${continues ? 'L' : 'M'}${x(step)} ${y(value)}`;
    })
    .join('');
}

/** The stroke of a line, dotted to and from incomplete steps. */
function strokes({ kind, values }: Line, scale: Scale, partial: readonly boolean[]): Html {
  const names = kind === 'first' ? 'line' : `line ${kind}`;
  const isPartial = (step: number) => partial[step] === true || partial[step - 1] === true;
  const whole = pathOf(values, scale, (step) => !isPartial(step));
  if (!partial.includes(true)) return <path class={names} d={whole} />;
  const dotted = pathOf(values, scale, isPartial);
  return (
    <>
      <path class={names} d={whole} />
      <path class={`${names} partial`} d={dotted} />
    </>
  );
}

/** The fill below the first line, behind all lines. */
function area({ kind, values }: Line, scale: Scale): Html | undefined {
  const last = values.length - 1;
  const isWhole = last > 0 && values.every((value) => value !== null);
  if (kind !== 'first' || !isWhole) return undefined;
  const path = `${pathOf(values, scale)}L${scale.x(last)} ${height}L0 ${height}Z`;
  return <path class="area" d={path} />;
}

const stepName = (step: string, isPartial = false): string =>
  isPartial ? texts.chart.partialStep({ step }) : step;

const valueText = (value: number | null | undefined, format: (value: number) => string): string =>
  value == null ? texts.chart.noValue : format(value);

/** Areas that show the values of a step on hover. */
function tooltips(
  { steps, lines, partial = [], marks = [], format = formatNumber }: LineChartOptions,
  { x, round, half }: Scale,
): Html[] {
  return steps.map((step, at) => {
    const values = lines.map((line) =>
      texts.chart.value({ line: line.name, value: valueText(line.values[at], format) }),
    );
    const events = marks.filter((mark) => mark.step === at).map(({ text }) => text);
    const title = [stepName(step, partial[at]), ...values, ...events].join('\n');
    const rect = {
      class: 'hit',
      x: round(Math.max(0, x(at) - half)),
      y: 0,
      width: round(Math.min(width, 2 * half)),
      height,
    };
    return (
      <rect {...rect}>
        <title safe>{title}</title>
      </rect>
    );
  });
}

function legend({ lines, partial = [] }: LineChartOptions): Html {
  const keys = lines.map(({ name, kind }) => (
    <span class={`key ${kind}`} safe>
      {name}
    </span>
  ));
  const dotted = partial.includes(true) ? (
    <span class="key partial" safe>
      {texts.chart.partial}
    </span>
  ) : undefined;
  return (
    <figcaption>
      {keys}
      {dotted}
    </figcaption>
  );
}

interface Mark {
  step: number;
  text: string;
}

/** A line with a dot at its top. The empty path is a dot because its ends are round. */
const drawMark = ({ x }: Scale, { step }: Mark): Html => (
  <>
    <line {...{ class: 'mark', x1: x(step), x2: x(step), y1: 0, y2: height }} />
    <path class="mark-dot" d={`M${x(step)} 0h0`} />
  </>
);

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
      {lines.flatMap((line) => area(line, scale) ?? [])}
      {lines.toReversed().map((line) => strokes(line, scale, partial))}
      {marks.map((mark) => drawMark(scale, mark))}
      {tooltips(options, scale)}
    </svg>
  );
}

function valueTable({
  caption,
  steps,
  lines,
  partial = [],
  format = formatNumber,
}: LineChartOptions) {
  return chartTable({
    caption,
    columns: [texts.chart.time, ...lines.map(({ name }) => name)],
    rows: steps.map((step, at) => [
      stepName(step, partial[at]),
      ...lines.map(({ values }) => valueText(values[at], format)),
    ]),
  });
}

/** Lines over time as SVG, with the same values in a table that can be opened. */
export function lineChart(options: LineChartOptions): Html {
  const { id, steps, lines, ticks = evenTicks(steps) } = options;
  const values = lines.flatMap((line) => line.values.map((value) => value ?? 0));
  const highest = niceCeiling(Math.max(1, ...values));
  const scale = createScale(steps.length, highest);
  const levels = [1, 0.5, 0].map((share) => share * highest);
  const labels = levels.map((level) => <span safe>{formatCompact(level)}</span>);
  return (
    <figure class="chart" id={id}>
      {legend(options)}
      <div class="plot">
        <div class="scale" aria-hidden="true">
          {labels}
        </div>
        {drawing(options, scale, levels)}
        {axis(ticks, scale)}
      </div>
      <Disclosure summary={texts.chart.viewData}>{valueTable(options)}</Disclosure>
    </figure>
  );
}
